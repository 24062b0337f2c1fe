// Figures of stores that a scenario leaves out count as perfect: no latency, no limit. Where that decides a verdict,
// the answer says so.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "models/outcome/outcome.hpp"
#include "scenarios/document/scenario_file.hpp"

namespace headrace::reports {

/// The answer to a scenario; nothing where it has none.
using AnswerTo = std::optional<models::Outcome> (*)(const models::Scenario&);

/// Where GPUs do not wait, but would with those figures of a generic class of the catalogue that the scenario leaves
/// out of the stores that its jobs read: which ones, and what `answer` says then. Empty where they would not.
std::string decisive_left_out(const models::Outcome& judged, AnswerTo answer, const scenarios::LoadedScenario& loaded);

}  // namespace headrace::reports
