// A rate limit with a burst: tokens drop into a bucket at a constant rate and are lost when it is full. Everything is
// counted in integers from an origin, the last instant at which the bucket was full, so nothing drifts however long it
// runs.
#pragma once

#include <cstdint>

#include "sim/time.hpp"

namespace headrace::sim {

class TokenBucket {
 public:
  /// `tokens` arrive evenly per `period_ns` (> 0 both); the bucket starts full, with `burst` tokens.
  TokenBucket(std::uint64_t tokens, std::uint64_t burst, TimeNs period_ns = kNanosecondsPerSecond);

  /// Takes `count` tokens and returns the earliest time >= now at which they are all there. Tokens are borrowed from
  /// the future, first come, first served: a later reservation is never served earlier, and `count` may exceed the
  /// burst. `now` must not decrease from call to call. kNever if that is out of reach of the clock.
  TimeNs reserve(TimeNs now, std::uint64_t count);
  /// The whole tokens that could be taken at `now` without waiting.
  std::uint64_t available(TimeNs now) const;

 private:
  __extension__ using Wide = unsigned __int128;
  /// Tokens that came since the origin, times the period: exact.
  Wide accrued(TimeNs now) const { return Wide{tokens_} * static_cast<std::uint64_t>(now - origin_); }

  std::uint64_t tokens_;
  std::uint64_t burst_;
  std::uint64_t period_ns_;
  TimeNs origin_ = 0;
  std::uint64_t taken_ = 0;  // since the origin
};

}  // namespace headrace::sim
