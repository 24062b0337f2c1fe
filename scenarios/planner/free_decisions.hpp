// Decisions of a plan that nothing makes dearer: more of them counts as free.
#pragma once

#include <string_view>
#include <vector>

#include "models/outcome/outcome.hpp"
#include "scenarios/planner/space.hpp"

namespace headrace::scenarios {

/// What the warning of such a decision saw.
inline constexpr std::string_view kFreeDecision = "a decision has no price, so more of it is free here";

/// One for each store that the plan decides figures of and whose bandwidth costs nothing by the prices of the scenario,
/// and for each cache of a pool whose size it decides and whose bytes cost nothing.
std::vector<models::Warning> free_decisions(const models::Scenario& scenario, const Space& space);

}  // namespace headrace::scenarios
