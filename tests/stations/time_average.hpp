// Time average of a piecewise constant function: a queue length, servers in use, bytes held.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>

#include "sim/time.hpp"

namespace headrace::sim {

namespace detail {

__extension__ typedef __int128 Int128;

/// Area under an integer level: exact (a level below 2^63 over 146 years stays inside 127 bits).
template <std::integral Level>
class ExactArea {
 public:
  void add(Level level, TimeNs duration_ns) { sum_ += static_cast<Int128>(level) * duration_ns; }
  double value() const { return static_cast<double>(sum_); }

 private:
  Int128 sum_ = 0;
};

/// Area under a real level, with the compensation of Neumaier (1974): millions of short pieces lose nothing visible.
class CompensatedArea {
 public:
  void add(double level, TimeNs duration_ns) {
    const double piece = level * static_cast<double>(duration_ns);
    const double sum = sum_ + piece;
    lost_ += magnitude(sum_) >= magnitude(piece) ? (sum_ - sum) + piece : (piece - sum) + sum_;
    sum_ = sum;
  }
  double value() const { return sum_ + lost_; }

 private:
  static double magnitude(double x) { return x < 0.0 ? -x : x; }

  double sum_ = 0.0;
  double lost_ = 0.0;
};

template <class Level>
struct AreaOf {
  using type = CompensatedArea;
};
template <std::integral Level>
struct AreaOf<Level> {
  using type = ExactArea<Level>;
};

}  // namespace detail

/// Integral and time average of a level that changes at instants and is constant between them. Integer levels are
/// integrated exactly, so the integral does not depend on how the time was cut into pieces.
template <class Level = std::int64_t>
class TimeAverage {
 public:
  explicit TimeAverage(Level level = {}, TimeNs start_ns = 0)
      : level_(level), max_(level), start_ns_(start_ns), last_ns_(start_ns) {}

  /// Sets the level from `now_ns` on. Times must not decrease; of several levels at one instant the last one counts.
  void set(Level level, TimeNs now_ns) {
    advance(now_ns);
    level_ = level;
    max_ = std::max(max_, level);
  }
  void add(Level change, TimeNs now_ns) { set(static_cast<Level>(level_ + change), now_ns); }

  /// Forgets everything before `now_ns` (end of the warm-up) but keeps the level.
  void restart(TimeNs now_ns) { *this = TimeAverage(level_, now_ns); }

  Level level() const { return level_; }
  /// Highest level since the start, also if it lasted no time.
  Level max() const { return max_; }
  /// Integral from the start to `now_ns`, in level x nanoseconds.
  double integral(TimeNs now_ns) const {
    TimeAverage copy = *this;
    copy.advance(now_ns);
    return copy.area_.value();
  }
  /// Time average from the start to `now_ns`; the present level if no time has passed.
  double mean(TimeNs now_ns) const {
    if (now_ns <= start_ns_) return static_cast<double>(level_);
    return integral(now_ns) / static_cast<double>(now_ns - start_ns_);
  }

 private:
  void advance(TimeNs now_ns) {
    if (now_ns <= last_ns_) return;
    area_.add(level_, now_ns - last_ns_);
    last_ns_ = now_ns;
  }

  typename detail::AreaOf<Level>::type area_;
  Level level_;
  Level max_;
  TimeNs start_ns_;
  TimeNs last_ns_;
};

}  // namespace headrace::sim
