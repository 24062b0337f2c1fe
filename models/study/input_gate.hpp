// A scenario with uncertain inputs held against its thresholds: the share of the input ranges that passes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/study/gate.hpp"
#include "models/study/uncertain_input.hpp"

namespace headrace::models {

/// A threshold that draws miss, and by how much.
struct MissedThreshold {
  Threshold threshold;
  std::uint64_t draws = 0;
  double median = 0.0;  ///< of the metric in those draws; a bound of it where that is enough to fail
  double worst = 0.0;
};

/// How many points of the input ranges pass.
struct InputGate {
  double required = 0.9;
  std::uint64_t draws = 0;
  std::uint64_t passed = 0;
  std::uint64_t failed = 0;  ///< the others are undecided
  Interval share{0.0, 1.0};  ///< of the ranges that pass: 99 % interval, undecided draws on both sides
  Ruling decision = Ruling::undecided;
  std::string stopped_by;                    ///< "decided", "draws", "max_wall", "interrupted"
  std::vector<std::vector<double>> failing;  ///< of some that failed: the value of every input
  std::vector<MissedThreshold> missed;       ///< in the order of the thresholds
  std::vector<InputEffect> deciding;         ///< inputs behind most of what passes and fails, the largest share first
};

struct InputGateOptions {
  double required = 0.9;
  std::uint64_t most_draws = 512;
  bool bounds_only = false;
};

/// Draws the uncertain inputs independently and uniformly on their scales, holds every point against the thresholds and
/// stops when the interval of the share (C. J. Clopper, E. S. Pearson, Biometrika 26, 1934) lies on one side of what is
/// required.
InputGate check_inputs(const Scenario& scenario, const std::vector<UncertainInput>& inputs,
                       const std::vector<Threshold>& thresholds, const GateOptions& options,
                       const InputGateOptions& input_options);

/// Clopper and Pearson's interval of a share: either end is passed with a probability of at most half of `risk`.
Interval exact_interval(std::uint64_t successes, std::uint64_t trials, double risk);

}  // namespace headrace::models
