// Control variate: a cheap model that saw the same random numbers takes part of the noise out of an expensive one.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "sim/steady_state_interval.hpp"

namespace headrace::sim {

/// Mean of the control from a run with independent random numbers, and its standard error.
struct ControlMean {
  double mean = 0.0;
  double standard_error = 0.0;
};

struct ControlVariateResult {
  SteadyStateResult result;  ///< Mean and interval, controlled if `applied`, else those of the target alone.
  bool applied = false;
  double coefficient = 0.0;     ///< What the control's deviation from its mean is multiplied by.
  double correlation = 0.0;     ///< Of the batch means of target and control.
  std::string_view off_reason;  ///< Static text; empty if applied.
};

/// How strongly a control is used on a target.
struct ControlFit {
  double coefficient = 0.0;     ///< 0 if not applied
  double correlation = 0.0;     ///< of the batch means of target and control
  std::string_view off_reason;  ///< static text; empty if applied

  bool applied() const { return off_reason.empty(); }
};

/// The coefficient of controlled_interval(), from 64 batch means, at least 32.
ControlFit fit_control(std::span<const double> target, std::span<const double> control,
                       const ControlMean& control_mean);

/// Adds an independent normal error with this standard deviation to both arms of an interval, if there is one.
void add_error(SteadyStateResult& result, double standard_error, double confidence = 0.95);

/// Controlled mean: mean(target - b (control - E control)) after Lavenberg and Welch (1981), with both series from the
/// same random numbers and cut at the same step. b comes from 64 batch means, at least 32 (shorter series: not
/// applied). As in multi-fidelity Monte Carlo (Peherstorfer, Willcox and Gunzburger 2016) E control is itself an
/// estimate: b minimises the sum of both variances, and b^2 times the control mean's variance is added to that of the
/// interval. Not applied if the correlation is below 0.5 in size.
ControlVariateResult controlled_interval(std::span<const double> target, std::span<const double> control,
                                         const ControlMean& control_mean, double confidence = 0.95);

}  // namespace headrace::sim
