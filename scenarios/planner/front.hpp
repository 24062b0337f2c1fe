// The Pareto front of two goals: configurations that none beats in both.
#pragma once

#include "scenarios/planner/plan.hpp"

namespace headrace::scenarios {

/// Runs points whose bounds no simulated point beats in both goals (by less than the indifference zone), lowest first
/// goal first, until none is left or `most_runs` are spent. Sets plan.front and plan.front_complete.
void find_front(ScenarioField& field, models::PlanGoal second, std::size_t most_runs, const SearchOptions& options,
                Plan& plan);

}  // namespace headrace::scenarios
