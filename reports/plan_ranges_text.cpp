#include "reports/plan_ranges_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/humane.hpp"
#include "reports/plan_words.hpp"
#include "reports/text_layout.hpp"

namespace headrace::reports {
namespace {

using scenarios::DecisionStep;
using scenarios::Plan;
using scenarios::PlanFigure;
using scenarios::PlannedPoint;
using scenarios::RangedPoint;
using Rows = std::vector<std::vector<std::string>>;

constexpr std::string_view kNone = "none to tell";
constexpr std::size_t kMostOfValue = 31;

std::string fed_text(const PlanFigure& fed) {
  if (!fed.ci95) return fed_share_text(fed.mean);
  return fmt::format("{} ({:.0f} to {:.0f})", fed_share_text(fed.mean), 100.0 * fed.ci95->low, 100.0 * fed.ci95->high);
}

const PlanFigure& as_stated(const Plan& plan, const RangedPoint& point) {
  if (plan.goal == models::PlanGoal::epoch_time) return point.planned.epoch_time_s;
  return plan.goal == models::PlanGoal::idle ? point.planned.idle_fraction : point.planned.cost_usd;
}

std::string change_or_none(const Plan& plan, const PlanFigure& change, bool measurable) {
  return measurable ? goal_change_text(plan, change.mean) : std::string(kNone);
}

/// What a cell without an effect means; nothing where there is none.
std::string none_told(const Rows& rows, const Style& style) {
  const bool any = std::any_of(rows.begin(), rows.end(), [](const std::vector<std::string>& row) {
    return std::find(row.begin(), row.end(), kNone) != row.end();
  });
  if (!any) return "";
  return "  " +
         wrapped(fmt::format("\"{}\": no difference that can be told from the noise of the runs.", kNone), style.width,
                 2) +
         "\n";
}

std::string shortened_cell(std::string text) {
  if (text.size() > kMostOfValue) text = text.substr(0, kMostOfValue - 3) + "...";
  return text;
}

std::string values_of(const RangedPoint& point) {
  std::string text;
  for (const scenarios::ChosenValue& value : point.planned.values)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", value.name, value.value);
  return text;
}

std::string errors_text(const Plan& plan, const Style& style) {
  if (plan.input_errors.empty()) return "";
  Rows rows{{"", "stated", "in truth", "added " + std::string(goal_text(plan.goal)), "idle"}};
  for (const scenarios::InputError& one : plan.input_errors)
    rows.push_back({one.pointer, one.value, input_error_text(one.error),
                    change_or_none(plan, one.goal_change, one.measurable), percent(one.idle_fraction)});
  return style.bold("If one input is wrong, towards more " + std::string(goal_text(plan.goal))) + "\n" +
         table({{}, {true, 0}, {true, 0}, {true, 0}, {true, 0}}, rows) + none_told(rows, style) + "\n";
}

/// The best for the inputs as stated, and why it is not recommended.
std::string best_as_stated(const Plan& plan) {
  const RangedPoint& nominal = *plan.ranges->nominal;
  PlannedPoint point = nominal.planned;
  point.fed_share = nominal.fed.mean;
  point.expected_goal = nominal.goal.mean;
  const std::string why = why_not(plan, point);
  return fmt::format("Best as stated: {}{}.", values_of(nominal), why.empty() ? "" : "; not recommended: " + why);
}

/// Whether the draws tell it, by the intervals of both.
std::string fed_difference_text(const PlanFigure& before, const PlanFigure& after) {
  const auto half = [](const PlanFigure& fed) { return fed.ci95 ? 0.5 * (fed.ci95->high - fed.ci95->low) : 0.0; };
  const double more = after.mean - before.mean;
  return std::abs(more) <= std::hypot(half(before), half(after)) ? std::string(kNone)
                                                                 : fmt::format("{:+.0f} points", 100.0 * more);
}

}  // namespace

std::string fed_share_text(double share) {
  constexpr double kNearly = 0.995;
  return share >= kNearly && share < 1.0 ? ">99 %" : percent(share, 0);
}

std::string goal_value_text(const Plan& plan, double value) { return goal_value_text(plan.goal, value); }

std::string goal_value_text(models::PlanGoal goal, double value) {
  switch (goal) {
    case models::PlanGoal::epoch_time:
      return humane(value, "s");
    case models::PlanGoal::idle:
      return percent(value) + " idle";
    default:
      return humane(value, "USD");
  }
}

std::string goal_change_text(const Plan& plan, double change) {
  const std::string sign = change < 0.0 ? "-" : "+";
  if (plan.goal == models::PlanGoal::idle) return fmt::format("{}{:.2f} points", sign, 100.0 * std::abs(change));
  return sign + goal_value_text(plan, std::abs(change));
}

std::string input_error_text(double error) {
  return fmt::format("{:.0f} % {}", 100.0 * std::abs(error), error < 0.0 ? "less" : "more");
}

std::string plan_ranges_text(const Plan& plan, const Style& style) {
  if (!plan.ranges) return "";
  const scenarios::RangeChoice& choice = *plan.ranges;
  std::string text = style.bold("Over the ranges of the inputs") + "\n";
  text += "  " + wrapped(ranges_line(plan), style.width, 2) + "\n";
  if (!choice.recommended || !choice.nominal) return text + "\n";
  Rows rows{{"", "as stated", "expected", "P(fed)"}};
  const auto named = [](const char* name, const RangedPoint& point) {
    return std::string(name) + (point.planned.is_today() ? ", as today" : "");
  };
  const auto add = [&](std::string name, const RangedPoint& point) {
    rows.push_back({std::move(name), goal_value_text(plan, as_stated(plan, point).mean),
                    goal_value_text(plan, point.goal.mean), fed_text(point.fed)});
  };
  if (choice.today) add("today", *choice.today);
  if (!choice.same) add(named("best as stated", *choice.nominal), *choice.nominal);
  add(named("recommended", *choice.recommended), *choice.recommended);
  if (!choice.same) {
    const double stated = as_stated(plan, *choice.recommended).mean - as_stated(plan, *choice.nominal).mean;
    const bool told = DecisionStep::is_effect(choice.adds);
    const double best = std::abs(as_stated(plan, *choice.nominal).mean);
    constexpr double kRounding = 1e-9;
    const std::string adds = std::abs(stated) <= kRounding * best           ? "nothing"
                             : std::abs(stated) <= plan.indifference * best ? "within " + indifference_text(plan)
                                                                            : goal_change_text(plan, stated);
    rows.push_back({"against best as stated", adds,
                    told ? goal_change_text(plan, choice.adds.mean) : std::string(kNone),
                    fed_difference_text(choice.nominal->fed, choice.recommended->fed)});
  }
  text += table({{}, {true, 0}, {true, 0}, {true, 0}}, rows);
  if (!choice.same) text += "  " + wrapped(best_as_stated(plan), style.width, 2) + "\n";
  return text + "\n";
}

std::string plan_steps_text(const Plan& plan, const Style& style) {
  std::string text;
  const bool ranged = std::any_of(plan.steps.begin(), plan.steps.end(), [](const auto& step) { return step.fed; });
  Rows rows{{"", std::string(goal_text(plan.goal)), "idle"}};
  if (ranged) rows.front().insert(rows.front().end(), {"expected", "P(fed)"});
  for (const DecisionStep& step : plan.steps) {
    const std::string name = shortened_cell(fmt::format("{} {} to {}", step.name, step.from, step.to));
    if (!step.infeasible.empty()) {
      rows.push_back({name, "not feasible", ""});
      if (ranged) rows.back().insert(rows.back().end(), {"", ""});
      continue;
    }
    rows.push_back({name, change_or_none(plan, step.goal_change, step.measurable),
                    step.measurable ? percent(step.idle_fraction) : "same"});
    if (!ranged) continue;
    rows.back().push_back(step.expected_change ? change_or_none(plan, *step.expected_change,
                                                                DecisionStep::is_effect(*step.expected_change))
                                               : "");
    rows.back().push_back(!step.fed_change ? "" : step.changes_fed() ? fed_share_text(step.fed->mean) : "same");
  }
  if (rows.size() > 1) {
    std::vector<Column> columns(rows.front().size(), Column{true, 0});
    columns.front() = {};
    text += style.bold("One step less or more of each decision") + "\n" + table(columns, rows) + none_told(rows, style);
    const bool gains = std::any_of(plan.steps.begin(), plan.steps.end(), [](const DecisionStep& step) {
      return (step.measurable && step.goal_change.mean < 0.0) ||
             (step.expected_change && DecisionStep::is_effect(*step.expected_change) &&
              step.expected_change->mean < 0.0);
    });
    if (gains)
      text += "  " +
              wrapped(fmt::format("A gain below {} of the goal (indifference) is no reason to choose another value.",
                                  indifference_text(plan)),
                      style.width, 2) +
              "\n";
  }
  if (!text.empty()) text += "\n";
  return text + errors_text(plan, style);
}

std::string plan_options_text(const Plan& plan, const Style& style) {
  if (plan.options.empty()) return "";
  Rows rows{{"", "simulated", "bound", ""}};
  for (const scenarios::OptionCompared& one : plan.options)
    rows.push_back({shortened_cell(fmt::format("{} {}", one.decision, one.value)),
                    one.mean ? goal_value_text(plan, *one.mean) : "",
                    one.bound ? goal_value_text(plan, *one.bound) : "none", shortened_cell(one.fate)});
  return style.bold("Options compared, each with the best of the other decisions") + "\n" +
         table({{}, {true, 0}, {true, 0}, {}}, rows) + "\n";
}

}  // namespace headrace::reports
