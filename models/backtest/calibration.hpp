// What measured rows say about a system: the capacity that its accelerators share, and what a step costs there beyond
// the constants of the loop. The rules know no system and no row; docs/validation.md states them in words.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "models/backtest/closed_loop.hpp"
#include "models/backtest/measured_run.hpp"

namespace headrace::models {

/// What is known of a system's shared capacity.
enum class CapacityKnown {
  nothing,   ///< no figure at all
  at_least,  ///< the system carried this much and showed no limit
  limit,     ///< accelerators waited for it, or its owner published no larger count
  declared,  ///< the row's media name it, nothing was measured
};
inline constexpr std::array<std::string_view, 4> kCapacityKnownNames = {"nothing", "at_least", "limit", "declared"};

/// What a step of an unlimited row took beyond free_overhead_s, and the bytes/s that its accelerators asked for.
struct LoadedOverhead {
  double offered_bytes_per_s = 0.0;
  double extra_s = 0.0;
};

struct SystemFigures {
  double capacity_bytes_per_s = 0.0;
  CapacityKnown known = CapacityKnown::nothing;
  double extra_overhead_s = 0.0;          ///< beyond free_overhead_s, may be negative; of several rows the least
  std::vector<LoadedOverhead> overheads;  ///< of several rows, by rising load; neighbours only add, so none falls
};

/// A row that says something of a system.
struct CalibratingRow {
  const MeasuredRun* run = nullptr;
  bool largest = false;    ///< of a published series: its owner went no further
  bool surpassed = false;  ///< more accelerators met the threshold there, so none waited here
};

/// Reads one row. Needs au_percent; samples_per_s is taken from it where absent. A row at its limit charges all that
/// its steps take beyond compute to the capacity, and nothing to the step: so no calibrating row can leave a system
/// without a count. Every other row gives a lower bound of the capacity and the overhead of a step.
SystemFigures calibrate(const CalibratingRow& row);

/// Joins what several rows of one system say: limits before lower bounds, the largest of each, and the overhead of
/// every row that was not limited.
SystemFigures calibrate(const std::vector<CalibratingRow>& rows);

/// The run's storage has another size than the row's, and none of its hosts has more accelerators: the system grew with
/// the job, so that accelerators find the same conditions and only the slowest of more ranks is slower.
bool grew_with_job(const MeasuredRun& run, const MeasuredRun& row);

/// Time of a step outside compute on such a system: what the row's steps took beyond free_overhead_s grows as the
/// longest of as many log-normal delays as there are ranks.
double grown_overhead_s(const MeasuredRun& run, const MeasuredRun& row, double delay_cv = kLoop.delay_cv);

/// Bytes/s that this many undisturbed accelerators ask for.
double offered_bytes_per_s(const MeasuredRun& run, std::uint64_t accelerators);

/// What the system adds to a step at this load: on the line between the rows below and above it, as much as the
/// outermost row beyond them.
double extra_overhead_s(const SystemFigures& system, double offered_bytes_per_s);

/// What the clients' network cards and the drives inside them allow, infinite where neither is stated. Bytes that the
/// page cache gives back do not count against drives.
double declared_limit_bytes_per_s(const MeasuredRun& run);

}  // namespace headrace::models
