// Every named option of a plan's decisions with the best that it allows, also of those that no run was spent on.
#pragma once

#include "scenarios/planner/plan.hpp"

namespace headrace::scenarios {

/// Of decisions whose values are words, objects or flags, or that set other parameters along.
std::vector<OptionCompared> compare_options(const ScenarioField& field, const Plan& plan);

}  // namespace headrace::scenarios
