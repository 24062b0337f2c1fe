// Figures of stores that a scenario leaves out count as perfect: no latency, no limit. Where that decides a verdict,
// the answer says so.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "models/outcome/outcome.hpp"
#include "scenarios/document/scenario_file.hpp"

namespace headrace::reports {

/// How such a doubt begins.
inline constexpr std::string_view kLeavesOut = "without figures that the scenario leaves out";

/// A closed form that answers a scenario.
struct ClosedForm {
  std::string_view name;                                              ///< "estimate"
  std::optional<models::Outcome> (*answer)(const models::Scenario&);  ///< nothing where it has none
};

/// Where GPUs do not wait, but would with those figures of a generic class of the catalogue that the scenario leaves
/// out of the stores that it reads: which ones, and what the closed form says then. Empty where they would not.
std::string decisive_left_out(const models::Outcome& judged, const ClosedForm& form,
                              const scenarios::LoadedScenario& loaded);

}  // namespace headrace::reports
