#include "sim/token_bucket.hpp"

#include "sim/assert.hpp"

namespace headrace::sim {

TokenBucket::TokenBucket(std::uint64_t tokens, std::uint64_t burst, TimeNs period_ns)
    : tokens_(tokens), burst_(burst), period_ns_(static_cast<std::uint64_t>(period_ns)) {
  HEADRACE_ASSERT(tokens > 0 && period_ns > 0, "a token bucket needs a rate");
}

TimeNs TokenBucket::reserve(TimeNs now, std::uint64_t count) {
  HEADRACE_ASSERT(now >= origin_, "a token bucket was used in the past");
  if (accrued(now) >= Wide{taken_} * period_ns_) {  // full again: forget the past
    origin_ = now;
    taken_ = 0;
  }
  HEADRACE_ASSERT(count <= UINT64_MAX - taken_, "a token bucket owes more than 2^64 tokens");
  taken_ += count;
  if (taken_ <= burst_) return now;
  const Wide wait_ns = (Wide{taken_ - burst_} * period_ns_ + tokens_ - 1) / tokens_;
  if (wait_ns >= static_cast<std::uint64_t>(kNever - origin_)) return kNever;
  const TimeNs ready = origin_ + static_cast<TimeNs>(wait_ns);
  return ready > now ? ready : now;
}

std::uint64_t TokenBucket::available(TimeNs now) const {
  const Wide owed = Wide{taken_} * period_ns_;
  const Wide come = accrued(now);
  if (come >= owed) return burst_;
  const Wide missing = (owed - come + period_ns_ - 1) / period_ns_;
  return missing >= burst_ ? 0 : burst_ - static_cast<std::uint64_t>(missing);
}

}  // namespace headrace::sim
