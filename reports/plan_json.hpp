// A plan as the JSON document that programs read.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "scenarios/planner/plan.hpp"

namespace headrace::reports {

/// `recommended` and `alternatives[]` have `configuration` (by JSON pointer) and `metrics`; what is not known is null.
/// No clock, date, host or number of threads.
nlohmann::ordered_json plan_json(const scenarios::Plan& plan, const std::string& scenario_sha256);

/// "cost per epoch", "epoch time", "idle GPUs".
std::string_view goal_text(models::PlanGoal goal);

/// Whether the answer is proved, and how: one sentence.
std::string proof_text(const scenarios::Plan& plan);

}  // namespace headrace::reports
