// Writing to drives with a fast area that fills up: how much goes at the rate of the area, and how long a write takes.
//
// A fluid model: while the area has free space, writes go at their own pace, at most at the rate of the area, which
// empties at the same time; from then on they go at the sustained rate. Where the area empties at the sustained rate,
// that is the arrival curve min(p t, S + r t) of a token bucket with a peak rate (J.-Y. Le Boudec, P. Thiran, Network
// Calculus, 2001, section 1.2). Deviations: what empties takes nothing from reads, and a full area gives no space back
// while writes go past it.
#pragma once

#include <optional>
#include <vector>

#include "models/path/epoch_windows.hpp"
#include "models/spec/scenario.hpp"
#include "models/spec/write_cache.hpp"

namespace headrace::models {

/// Rates of drives that write, all of a node or of a store together.
struct DriveWrites {
  double sustained_bytes_per_s = 0.0;
  WriteCache cache;

  double drain_bytes_per_s() const { return cache.drain_bytes_per_s.value_or(sustained_bytes_per_s); }
};

/// Bytes that are written before the area is full, from `free_bytes` of free space on, by somebody who brings them at
/// `offered_bytes_per_s`; without end if it never is.
double bytes_until_full(const DriveWrites& drives, double offered_bytes_per_s, double free_bytes);

/// Duration of a write.
double write_time_s(const DriveWrites& drives, double bytes, double offered_bytes_per_s, double free_bytes);

/// Free space at the start of each of equal writes that begin `interval_s` apart, or that pause for `interval_s` if
/// `between`.
double free_before_write(const DriveWrites& drives, double bytes, double offered_bytes_per_s, double interval_s,
                         bool between);

/// The windows with the share of their fills that is written past the area; a cold epoch begins with an empty one.
void count_past_write_cache(const Scenario& scenario, std::size_t job, bool cold, std::vector<EpochWindow>& windows);

}  // namespace headrace::models
