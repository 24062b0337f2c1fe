// What measured rows say about a system: the capacity that its accelerators share, and what a step costs there beyond
// the constants of the loop. The rules know no system and no row; docs/validation.md states them in words.
#pragma once

#include <vector>

#include "models/backtest/closed_loop.hpp"
#include "models/backtest/measured_run.hpp"

namespace headrace::models {

/// What is known of a system's shared capacity.
enum class CapacityKnown {
  nothing,     ///< no figure at all
  at_least,    ///< the system carried this much and showed no limit
  first_fill,  ///< the first fill of the workers ran at this rate, slower than the workers alone would
  limit,       ///< accelerators waited for it
  declared,    ///< the row's media name it, nothing was measured
};
const char* name(CapacityKnown known);

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
  bool largest = false;                   ///< a calibrating row is the largest of its series: its owner went no further
};

/// Reads one row. Needs au_percent; samples_per_s is taken from it where absent. `start_up_s` is what of the first step
/// is neither load nor compute. `surpassed`: more accelerators met the threshold there, so none waited here.
SystemFigures calibrate(const MeasuredRun& run, double start_up_s = kLoop.start_up_s, bool surpassed = false);

/// Joins what several rows of one system say: limits before first fills before lower bounds, the largest of each;
/// start-up from first fills that differ; the overhead of every row that was not limited.
struct CalibratingRow {
  const MeasuredRun* run = nullptr;
  bool largest = false;    ///< of a published series
  bool surpassed = false;  ///< a larger row of its series was published, so it met the threshold
};
SystemFigures calibrate(const std::vector<CalibratingRow>& rows);

/// Bytes/s that this many undisturbed accelerators ask for.
double offered_bytes_per_s(const MeasuredRun& run, std::uint64_t accelerators);

/// What the system adds to a step at this load: on the line between the rows below and above it, as much as the
/// outermost row beyond them.
double extra_overhead_s(const SystemFigures& system, double offered_bytes_per_s);

/// What the clients' network cards and the drives inside them allow, infinite where neither is stated. Bytes that the
/// page cache gives back do not count against drives.
double declared_limit_bytes_per_s(const MeasuredRun& run);

}  // namespace headrace::models
