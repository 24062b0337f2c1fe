// What measured rows say about a system: the capacity that its accelerators share, and what a step costs there beyond
// the constants of the loop. The rules know no system and no row; docs/validation.md states them in words.
#pragma once

#include <vector>

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

struct SystemFigures {
  double capacity_bytes_per_s = 0.0;
  CapacityKnown known = CapacityKnown::nothing;
  double extra_overhead_s = 0.0;  ///< beyond free_overhead_s, may be negative
  bool largest = false;           ///< a calibrating row is the largest of its series: its owner went no further
};

/// Reads one row. Needs au_percent; samples_per_s is taken from it where absent.
SystemFigures calibrate(const MeasuredRun& run);

/// Joins what several rows of one system say: limits before first fills before lower bounds, the largest of each; the
/// overhead of the largest configuration that was not limited.
struct CalibratingRow {
  const MeasuredRun* run = nullptr;
  bool largest = false;
};
SystemFigures calibrate(const std::vector<CalibratingRow>& rows);

/// What the clients' network cards and the drives inside them allow, infinite where neither is stated. Bytes that the
/// page cache gives back do not count against drives.
double declared_limit_bytes_per_s(const MeasuredRun& run);

}  // namespace headrace::models
