// Simulated time: an int64 count of nanoseconds. Every rounding from real seconds or bytes to the clock goes through
// the functions here, so that the max-plus and the event-driven engine round alike and can be compared bit for bit.
#pragma once

#include <cstdint>

namespace headrace::sim {

using TimeNs = std::int64_t;

inline constexpr TimeNs kNanosecondsPerSecond = 1'000'000'000;
/// A time that no simulation reaches (146 years); sums of two stay inside int64.
inline constexpr TimeNs kNever = INT64_MAX / 2;

/// Nearest nanosecond of a duration in seconds; saturates at kNever, negative durations become 0.
constexpr TimeNs duration_ns(double seconds) {
  const double ns = seconds * 1e9 + 0.5;
  if (!(ns >= 1.0)) return 0;
  if (ns >= static_cast<double>(kNever)) return kNever;
  return static_cast<TimeNs>(ns);
}

/// Duration of moving `amount` at the constant rate `amount_per_s`, rounded up: a transfer never ends early.
constexpr TimeNs transfer_ns(double amount, double amount_per_s) {
  if (!(amount > 0.0)) return 0;
  const double ns = amount / amount_per_s * 1e9;
  if (!(ns < static_cast<double>(kNever))) return kNever;
  const auto whole = static_cast<TimeNs>(ns);
  return static_cast<double>(whole) < ns ? whole + 1 : whole;
}

constexpr double seconds(TimeNs ns) { return static_cast<double>(ns) * 1e-9; }

}  // namespace headrace::sim
