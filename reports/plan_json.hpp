// A plan as the JSON document that programs read.
#pragma once

#include <nlohmann/json.hpp>

#include "scenarios/planner/plan.hpp"

namespace headrace::reports {

/// `recommended` and `alternatives[]` have `configuration` (by JSON pointer) and `metrics`; what is not known is null.
/// `scenario` is today's, resolved. No clock, date, host or number of threads.
nlohmann::ordered_json plan_json(const scenarios::Plan& plan, const std::string& scenario_sha256,
                                 const nlohmann::ordered_json& scenario = {});

/// "cost per epoch", "total cost per epoch", "epoch time", "idle GPUs".
std::string_view goal_text(models::PlanGoal goal);

/// What a plan's dollars of an epoch are called: in a sentence, and as a figure of its document.
std::string_view cost_text(const scenarios::Plan& plan);
const char* cost_figure(const scenarios::Plan& plan);
const char* cost_figure(const nlohmann::ordered_json& plan);

/// "$1.21 M in present value, $2.41 per useful GPU hour": what all epochs of a horizon cost.
std::string horizon_text(const models::HorizonCost& cost);

/// What a plan that was stopped leaves out, as a sentence; empty where it was not stopped.
std::string stopped_text(const scenarios::Plan& plan);
/// Whether the answer is proved, and how: one sentence.
std::string proof_text(const scenarios::Plan& plan);

/// Dollars of a change in the unit that changes are rounded to, so that rows add up as they are shown.
std::string change_usd_text(double usd, double unit_usd);

}  // namespace headrace::reports
