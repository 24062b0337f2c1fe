// Parts of a plan's document: the choice over the ranges of inputs, steps of each decision, errors of inputs, options.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "scenarios/planner/plan.hpp"

namespace headrace::reports {

/// Adds `ranges`, `steps`, `input_errors`, `indifferent` and `options`.
void add_plan_ranges(const scenarios::Plan& plan, nlohmann::ordered_json& json);

/// What is known of the decisions in `indifferent`, before their names.
inline constexpr std::string_view kIndifferentText =
    "One step less or more changes nothing measurable, or today's value is as good";

/// What the ranges say of the recommendation, in sentences.
std::string ranges_line(const scenarios::Plan& plan);

}  // namespace headrace::reports
