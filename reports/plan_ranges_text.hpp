// Parts of a plan's text: the choice over the ranges of inputs, steps of each decision, errors of inputs, options.
#pragma once

#include <string>

#include "reports/style.hpp"
#include "scenarios/planner/plan.hpp"

namespace headrace::reports {

/// "5 % more": how far an input is from what is stated.
std::string input_error_text(double error);

/// The share of the draws in which GPUs are fed, in whole percent, and "100 %" only where it is all.
std::string fed_share_text(double share);

std::string plan_ranges_text(const scenarios::Plan& plan, const Style& style);
std::string plan_steps_text(const scenarios::Plan& plan, const Style& style);
std::string plan_options_text(const scenarios::Plan& plan, const Style& style);

/// A value of the plan's goal; a change of it has a sign.
std::string goal_value_text(models::PlanGoal goal, double value);
std::string goal_value_text(const scenarios::Plan& plan, double value);
std::string goal_change_text(const scenarios::Plan& plan, double change);

}  // namespace headrace::reports
