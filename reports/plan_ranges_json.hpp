// Parts of a plan's document: the choice over the ranges of inputs, steps of each decision, errors of inputs, options.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/planner/plan.hpp"

namespace headrace::reports {

/// Adds `ranges`, `steps`, `input_errors`, `indifferent`, `as_good_with_less`, `least_fed` and `options`.
void add_plan_ranges(const scenarios::Plan& plan, nlohmann::ordered_json& json);

/// What is known of the decisions in `indifferent`, before their names.
inline constexpr std::string_view kIndifferentText =
    "One step more or less of these makes no difference that can be told";

/// What is known of the values in `as_good_with_less`, before them.
inline constexpr std::string_view kLessText = "Each of these alone is as good, as far as the runs can tell";

/// Whether a decision has a smaller value among those in `as_good_with_less`, which says more than that it is
/// indifferent.
bool is_as_good_with_less(const std::vector<std::string>& values, std::string_view decision);

/// What is known of the values in `least_fed`, before them.
inline constexpr std::string_view kLeastFedText =
    "Least that keeps the GPUs fed at the scenario's values, with all else as recommended";

/// What the ranges say of the recommendation, in sentences.
std::string ranges_line(const scenarios::Plan& plan);

/// What is asked for and nothing reaches, to be fed as --confidence-fed says or at the values as stated, in sentences;
/// empty where the recommendation reaches it.
std::string unmet_level(const scenarios::Plan& plan);

/// Why a configuration is not recommended: the share of the ranges that it misses, what is expected of it over them, or
/// what the search says; empty where nothing is known.
std::string why_not(const scenarios::Plan& plan, const scenarios::PlannedPoint& point);

}  // namespace headrace::reports
