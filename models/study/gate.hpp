// A scenario held against its thresholds: simulated with growing precision until they are decided, or the budget is
// spent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/study/looks.hpp"
#include "models/study/study.hpp"
#include "models/study/threshold.hpp"

namespace headrace::models {

struct GateOptions {
  StudyOptions study;                ///< `steps` > 0: one look of exactly that length; `max_wall_s`: for everything
  double first_precision = 0.04;     ///< of the step time, at the first look
  std::uint32_t looks = kMostLooks;  ///< each asks for half the interval of the one before
  std::uint32_t replications = 6;    ///< where only replications tell how sure a metric is: quantiles
  bool decide_all = false;           ///< go on after a threshold has failed, until the others are decided, too
};

struct GateResult {
  std::vector<Judgement> judgements;  ///< in the order of the thresholds
  Ruling decision = Ruling::undecided;
  Outcome outcome;  ///< of the last look
  std::uint32_t looks = 0;
  std::string
      stopped_by;  ///< "decided", "precision", "steps", "max_steps", "other_starts", "max_wall", "interrupted", "bound"
  double widening = 1.0;  ///< of the arms of the intervals that decided
};

/// Simulates. An infeasible scenario fails without a simulation, as does one whose bound fails every threshold.
GateResult check_thresholds(const Scenario& scenario, const std::vector<Threshold>& thresholds,
                            const GateOptions& options);

/// The flow bound alone, in milliseconds: proves failures, passes what it knows exactly, leaves the rest undecided.
GateResult check_bounds(const Scenario& scenario, const std::vector<Threshold>& thresholds);

}  // namespace headrace::models
