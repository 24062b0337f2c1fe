#include "reports/plan_ranges_json.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/outcome/outcome_assembly.hpp"
#include "reports/humane.hpp"
#include "reports/plan_json.hpp"
#include "reports/plan_ranges_text.hpp"

namespace headrace::reports {
namespace {

using Json = nlohmann::ordered_json;
using scenarios::PlanFigure;
using scenarios::RangeChoice;
using scenarios::RangedPoint;

Json figure_json(const PlanFigure& figure) {
  Json json = {{"mean", figure.mean}, {"ci95", nullptr}};
  if (figure.ci95) json["ci95"] = {figure.ci95->low, figure.ci95->high};
  return json;
}

/// A change of the goal; null where it cannot be told from noise.
Json change_json(const PlanFigure& change, bool measurable) { return measurable ? figure_json(change) : Json(); }

Json ranged_json(const scenarios::Plan& plan, const RangedPoint& point) {
  Json configuration = Json::object();
  for (const scenarios::ChosenValue& value : point.planned.values) configuration[value.parameter] = value.value;
  return {{"configuration", std::move(configuration)},
          {"as_stated",
           {{cost_figure(plan), figure_json(point.planned.cost_usd)},
            {"epoch_time_s", figure_json(point.planned.epoch_time_s)},
            {"gpu_idle_fraction", figure_json(point.planned.idle_fraction)}}},
          {"expected",
           {{"objective", figure_json(point.goal)},
            {cost_figure(plan), figure_json(point.cost_usd)},
            {"gpu_idle_fraction", figure_json(point.idle_fraction)}}},
          {"fed_share", figure_json(point.fed)}};
}

Json ranges_json(const scenarios::Plan& plan) {
  if (!plan.ranges) return {};
  const RangeChoice& choice = *plan.ranges;
  return {{"inputs", choice.inputs},
          {"draws", choice.draws},
          {"simulated_draws", choice.simulated},
          {"configurations_compared", choice.compared},
          {"confidence_fed", choice.asked.level},
          {"complete", choice.complete},
          {"reached", choice.complete ? Json(choice.reached) : Json()},
          {"nominal_is_recommended", choice.same},
          {"nominal", choice.nominal ? ranged_json(plan, *choice.nominal) : Json()},
          {"recommended", choice.recommended ? ranged_json(plan, *choice.recommended) : Json()},
          {"robustness_adds",
           choice.recommended ? change_json(choice.adds, scenarios::DecisionStep::is_effect(choice.adds)) : Json()},
          {"highest_fed_share", choice.most_fed.empty() ? Json() : Json(choice.highest_share)},
          {"most_fed", choice.most_fed.empty() ? Json() : Json(choice.most_fed)},
          {"explanation", ranges_line(plan)}};
}

Json steps_json(const scenarios::Plan& plan) {
  Json json = Json::array();
  for (const scenarios::DecisionStep& step : plan.steps) {
    Json one = {{"name", step.name}, {"from", step.from}, {"to", step.to}, {"more", step.more}};
    one["infeasible"] = step.infeasible.empty() ? Json() : Json(step.infeasible);
    if (step.infeasible.empty()) {
      one["change"] = change_json(step.goal_change, step.measurable);
      one["gpu_idle_fraction"] = step.idle_fraction;
      one["expected_change"] =
          step.expected_change
              ? change_json(*step.expected_change, scenarios::DecisionStep::is_effect(*step.expected_change))
              : Json();
      one["fed_share_change"] =
          step.fed_change ? change_json(*step.fed_change, scenarios::DecisionStep::is_effect(*step.fed_change))
                          : Json();
      one["fed_share"] = step.fed ? figure_json(*step.fed) : Json();
    }
    json.push_back(std::move(one));
  }
  return json;
}

Json errors_json(const scenarios::Plan& plan) {
  Json json = Json::array();
  for (const scenarios::InputError& one : plan.input_errors)
    json.push_back({{"parameter", one.pointer},
                    {"evidence", one.evidence ? Json(models::evidence_name(*one.evidence)) : Json()},
                    {"value", one.value},
                    {"error", one.error},
                    {"change", change_json(one.goal_change, one.measurable)},
                    {"gpu_idle_fraction", one.idle_fraction}});
  return json;
}

Json options_json(const scenarios::Plan& plan) {
  Json json = Json::array();
  for (const scenarios::OptionCompared& one : plan.options)
    json.push_back({{"decision", one.decision},
                    {"value", one.value},
                    {"recommended", one.recommended},
                    {"configuration", one.configuration},
                    {"mean", one.mean ? Json(*one.mean) : Json()},
                    {"bound", one.bound ? Json(*one.bound) : Json()},
                    {"result", one.fate}});
  return json;
}

bool is_same(const scenarios::PlannedPoint& one, const scenarios::PlannedPoint& other) {
  return std::equal(one.values.begin(), one.values.end(), other.values.begin(), other.values.end(),
                    [](const auto& a, const auto& b) { return a.name == b.name && a.value == b.value; });
}

/// A share that misses the level is not shown as that level.
std::string below_level(double share, double level) {
  return percent(share, percent(share, 0) == percent(level, 0) ? 1 : 0);
}

}  // namespace

std::string ranges_line(const scenarios::Plan& plan) {
  if (!plan.ranges) return "";
  const RangeChoice& choice = *plan.ranges;
  if (choice.inputs == 0)
    return std::string(
               "No input has a range (all are decided, measured or published), so that the plan is the best for the "
               "inputs as stated.") +
           (choice.complete && !choice.reached ? " Its GPUs wait for data more than 1 % of the time: it is not fed."
                                               : "");
  if (!choice.complete)
    return "The plan ended before its configurations were compared over the ranges of the inputs: it is the best for "
           "the inputs as stated.";
  const std::string level = percent(choice.asked.level, 0);
  const std::string drawn = fmt::format(
      "{} {} a range, stated or usual for a figure that is assumed or from a data sheet; every configuration was "
      "bounded at {} draws of them, and {} draws were "
      "simulated, or proved fed where nothing can make the GPUs wait.",
      counted(choice.inputs, "input"), choice.inputs == 1 ? "has" : "have", choice.draws, choice.simulated);
  if (choice.reached)
    return fmt::format(
        "Among the configurations that are fed in at least {} of the draws, it has the least expected {}. {}", level,
        goal_text(plan.goal), drawn);
  const std::string most = choice.most_fed.empty()
                               ? std::string("none is fed in any draw")
                               : fmt::format("the most is {} with {}",
                                             below_level(choice.highest_share, choice.asked.level), choice.most_fed);
  return fmt::format("No configuration is fed in {} of the draws: {}. The plan has the least expected {}. {}", level,
                     most, goal_text(plan.goal), drawn);
}

bool is_as_good_with_less(const std::vector<std::string>& values, std::string_view decision) {
  return std::any_of(values.begin(), values.end(), [decision](const std::string& value) {
    return value.size() > decision.size() && value.starts_with(decision) && value[decision.size()] == ' ';
  });
}

std::string unmet_level(const scenarios::Plan& plan) {
  if (!plan.ranges && plan.recommended && plan.recommended->idle_fraction.mean > models::kFedIdleFraction)
    return fmt::format("With it the GPUs still wait for data {} of the time (exit status 1).",
                       percent(plan.recommended->idle_fraction.mean));
  if (!plan.ranges || !plan.ranges->complete || plan.ranges->reached) return {};
  if (plan.ranges->inputs == 0) return "Its GPUs wait for data more than 1 % of the time (exit status 1).";
  std::string unmet =
      fmt::format("No configuration is fed in {} of the input ranges (exit status 1); --confidence-fed sets the share.",
                  percent(plan.ranges->asked.level, 0));
  if (plan.recommended && plan.recommended->idle_fraction.mean > models::kFedIdleFraction)
    unmet += fmt::format(" At the scenario's values the GPUs wait for data {} of the time with this one.",
                         percent(plan.recommended->idle_fraction.mean));
  return unmet;
}

std::string why_not(const scenarios::Plan& plan, const scenarios::PlannedPoint& point) {
  if (!plan.ranges || !plan.ranges->recommended || !point.fed_share) return point.fate;
  const RangeChoice& choice = *plan.ranges;
  if (choice.reached && *point.fed_share < choice.asked.level) {
    return fmt::format("it is fed in {} of the input ranges, and {} are asked for",
                       below_level(*point.fed_share, choice.asked.level), percent(choice.asked.level, 0));
  }
  const std::string recommended = goal_value_text(plan, choice.recommended->goal.mean);
  const std::string own = point.expected_goal ? goal_value_text(plan, *point.expected_goal) : std::string();
  const bool nominal = choice.nominal && is_same(choice.nominal->planned, point);
  if (nominal && !scenarios::DecisionStep::is_effect(choice.adds))
    return fmt::format("a tie: over the input ranges its expected {} cannot be told from that of the recommended one",
                       goal_text(plan.goal));
  if (!point.expected_goal || *point.expected_goal <= choice.recommended->goal.mean) return point.fate;
  if (own == recommended)
    return fmt::format("a tie: over the input ranges its expected {} is {}, as that of the recommended one",
                       goal_text(plan.goal), own);
  return fmt::format("over the input ranges its expected {} is {} against {}", goal_text(plan.goal), own, recommended);
}

void add_plan_ranges(const scenarios::Plan& plan, Json& json) {
  json["ranges"] = ranges_json(plan);
  json["steps"] = steps_json(plan);
  json["input_errors"] = errors_json(plan);
  json["indifferent"] = plan.indifferent;
  json["as_good_with_less"] = plan.as_good_with_less;
  json["least_fed"] = plan.least_fed;
  json["options"] = options_json(plan);
}

}  // namespace headrace::reports
