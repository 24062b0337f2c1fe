// A scenario held against its thresholds: simulated on and on until every doubt is gone, or the budget.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/study.hpp"
#include "models/threshold.hpp"
#include "models/uncertain_input.hpp"

namespace headrace::models {

/// Each look asks for half the interval of the look before it. Fewer looks: a wrong decision becomes likelier.
inline constexpr std::uint32_t kGateLooks = 5;
/// Arms of a 95 % interval are taken so many times as long, so that five looks together decide wrongly as rarely as one
/// would: the normal quantile of 1 - 0.025 / 5 over that of 0.975 (Bonferroni).
inline constexpr double kGateWidening = 2.5758293035489 / 1.9599639845401;

struct GateOptions {
  StudyOptions study;             ///< `steps` > 0: one look of exactly that length; `max_wall_s`: for everything
  double first_precision = 0.04;  ///< of the step time, at the first look
  std::uint32_t looks = kGateLooks;
  std::uint32_t replications = 6;  ///< where only replications tell how sure a metric is: quantiles
  bool decide_all = false;         ///< go on after a threshold has failed, until the others are decided, too
};

struct GateResult {
  std::vector<Judgement> judgements;  ///< in the order of the thresholds
  Ruling decision = Ruling::undecided;
  Outcome outcome;  ///< of the last look
  std::uint32_t looks = 0;
  std::string stopped_by;  ///< "decided", "precision", "steps", "max_steps", "max_wall", "interrupted", "bound"
  double widening = 1.0;   ///< of the intervals that decided
};

/// Simulates. An infeasible scenario fails without a simulation, as does one whose bound fails every threshold.
GateResult check_thresholds(const Scenario& scenario, const std::vector<Threshold>& thresholds,
                            const GateOptions& options);

/// The flow bound alone, in milliseconds: proves failures, passes what it knows exactly, leaves the rest undecided.
GateResult check_bounds(const Scenario& scenario, const std::vector<Threshold>& thresholds);

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
};

struct InputGateOptions {
  double required = 0.9;
  std::uint64_t most_draws = 512;
  bool bounds_only = false;
};

/// Draws the uncertain inputs independently and uniformly on their scales, holds every point against the thresholds and
/// stops when the interval of the share (Wilson 1927) lies on one side of what is required.
InputGate check_inputs(const Scenario& scenario, const std::vector<UncertainInput>& inputs,
                       const std::vector<Threshold>& thresholds, const GateOptions& options,
                       const InputGateOptions& input_options);

/// Wilson's score interval of a share at the normal quantile z.
Interval wilson_interval(std::uint64_t successes, std::uint64_t trials, double z);

}  // namespace headrace::models
