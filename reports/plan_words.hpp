// What a plan says in words, for its document, its pages and its text: the objective, the proof, the choice over the
// ranges of the inputs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/planner/plan.hpp"

namespace headrace::reports {

/// Names of an epoch's dollars in a plan's document: by hourly prices, and total costs over a horizon.
inline constexpr const char* kCostFigure = "cost_per_epoch_usd";
inline constexpr const char* kTotalCostFigure = "total_cost_per_epoch_usd";

/// Whether a chart of these points would be one point: less than a part in 10,000 is not to be seen, or told by
/// figures.
bool lie_on_one_spot(const std::vector<std::pair<double, double>>& points);

/// "cost per epoch", "total cost per epoch", "epoch time", "idle GPUs".
std::string_view goal_text(models::PlanGoal goal);

/// What a plan's dollars of an epoch are called: in a sentence, and as a figure of its document.
std::string_view cost_text(const scenarios::Plan& plan);
const char* cost_figure(const scenarios::Plan& plan);
const char* cost_figure(const nlohmann::ordered_json& plan);

/// Options of the command line that make the recommended configuration of today's.
std::string sets_text(const scenarios::Plan& plan);

/// "$1.21 M in present value, $2.41 per useful GPU hour": what all epochs of a horizon cost.
std::string horizon_text(const models::HorizonCost& cost);

/// What a plan that was stopped leaves out, as a sentence; empty where it was not stopped.
std::string stopped_text(const scenarios::Plan& plan);
/// Whether the answer is proved, and how: one sentence.
std::string proof_text(const scenarios::Plan& plan);

/// Dollars of a change in the unit that changes are rounded to, so that rows add up as they are shown.
std::string change_usd_text(double usd, double unit_usd);

/// Whether a tenth more of a resource does nothing to speak of: less than 0.05 %, or not told from the noise of the
/// runs.
bool is_no_effect(double change, double error);

/// The share of the goal below which differences do not matter: "0.50 %", "2 %".
std::string indifference_text(const scenarios::Plan& plan);

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
    "Least of each that keeps the GPUs fed at the scenario's values, the others as recommended";

/// What GPUs of the recommendation wait for; `gain`: share of GPU time that its removal gains, nothing: not measured.
std::string bottleneck_sentence(const std::string& stage, std::optional<double> gain);

/// Why today's values are not recommended although they are as good with the inputs as stated; empty where they are
/// recommended, worse or not known over the ranges.
std::string why_not_today(const scenarios::Plan& plan);

/// "No configuration is fed ... in 90 % of the draws: the most is 89 % with workers 5." Empty where one is, or where
/// the plan ended before it knew.
std::string missed_level(const scenarios::Plan& plan);

/// What the ranges say of the recommendation, in sentences.
std::string ranges_line(const scenarios::Plan& plan);

/// What is asked for and nothing reaches, to be fed as --confidence-fed says or at the values as stated, in sentences;
/// empty where the recommendation reaches it.
std::string unmet_level(const scenarios::Plan& plan);

/// Why a configuration is not recommended: the share of the ranges that it misses, what is expected of it over them, or
/// what the search says; empty where nothing is known.
std::string why_not(const scenarios::Plan& plan, const scenarios::PlannedPoint& point);

}  // namespace headrace::reports
