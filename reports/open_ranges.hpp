// What an answer says at the ends of the ranges that a scenario states for its inputs: whether it holds there.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"
#include "models/study/threshold.hpp"
#include "models/study/uncertain_input.hpp"
#include "scenarios/document/scenario_file.hpp"

namespace headrace::reports {

/// One end of the range of an input, and the scenario there, all else as stated.
struct RangeEnd {
  const models::UncertainInput& input;
  double value = 0.0;
  models::Scenario scenario;

  std::string text() const;  ///< "230 kB"
  /// "over the assumed range of /datasets/0/sample_bytes, 57.5 kB to 230 kB"
  std::string range_text() const;
};

/// The queueing estimate; nothing where the scenario has none.
std::optional<models::Outcome> estimated(const models::Scenario& scenario);

void for_each_range_end(const scenarios::LoadedScenario& loaded, const std::function<void(const RangeEnd&)>& visit);

/// A threshold that holds with the inputs as stated and not at an end of a range, by the queueing estimate: "open over
/// ...; at 230 kB gpu_idle_fraction < 5 % fails: 23.5 % (estimate)". Empty where there is none.
std::string open_threshold(const std::vector<models::Threshold>& thresholds, const scenarios::LoadedScenario& loaded);

/// Of an answer whose GPUs do not wait with the inputs as stated: "Over the ranges of its inputs the GPUs wait up to
/// 23.7 % (p90, by flow bounds): --inputs ranges says more." Empty where they do not there, or where the answer has
/// ranges of its own.
std::string open_wait(const models::Outcome& outcome, const scenarios::LoadedScenario& loaded);

}  // namespace headrace::reports
