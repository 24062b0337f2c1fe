// A rate from its windows: 20 %-trimmed mean of the logarithms with the interval of Yuen, The two-sample trimmed t for
// unequal population variances, Biometrika 61 (1974), for one sample (Tukey and McLaughlin 1963): winsorized variance,
// Student's t. Logarithms, since windows differ by factors.
#pragma once

#include <span>

#include "models/calibration/record.hpp"

namespace headrace::models::calibration {

struct EstimateRule {
  std::uint64_t least_windows = 3;
  double good_half_width = 0.03;    ///< of ln(rate): a cell is done
  double wide_half_width = 0.25;    ///< above: noisy even when the windows are clean
  double useless_half_width = 1.1;  ///< a factor of 3 each way: undetermined
  bool accept_noisy = false;        ///< disturbed windows count; the verdict is then noisy
};

/// Value and 95 % interval of positive figures; needs two, else the interval is the value.
Estimate trimmed_estimate(std::span<const double> values);

/// From windows; the disturbed ones are left out unless the rule accepts them. Too few: undetermined, and value and
/// interval are 0.
Estimate estimate_of(std::span<const Window> windows, const EstimateRule& rule);

/// Half of the width of the interval of ln(value); infinite below two windows.
double log_half_width(const Estimate& estimate);

/// The rate of a cell falls or rises: slope over 5 % a minute and last third outside of the first third's interval.
bool is_drifting(std::span<const Window> windows);

/// Flags a cell that drifts, and takes down what it begins with and what stays.
void note_drift(Cell& cell, const EstimateRule& rule);

}  // namespace headrace::models::calibration
