#include "gui/presenter/plan_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gui/presenter/command_text.hpp"
#include "gui/presenter/decision_papers.hpp"
#include "gui/presenter/interval_words.hpp"
#include "gui/presenter/parameter_sheet.hpp"
#include "gui/presenter/short_name.hpp"
#include "models/path/ingest_path.hpp"
#include "reports/humane.hpp"
#include "reports/plan_json.hpp"
#include "reports/plan_progress.hpp"
#include "reports/plan_text.hpp"
#include "reports/plan_words.hpp"
#include "scenarios/planner/decisions.hpp"
#include "scenarios/planner/plan.hpp"

namespace headrace::gui {
namespace {

using scenarios::PlanAxis;
using scenarios::PlannedPoint;

std::string_view goal_word(models::PlanGoal goal) {
  return models::kPlanGoalNames[static_cast<std::size_t>(goal)].name;
}

std::string_view second_word(models::SecondGoal goal) {
  return models::kSecondGoalNames[static_cast<std::size_t>(goal)].name;
}

/// The document that asks for what the pane says instead of what its objective says.
tl::expected<ScenarioDocument, scenarios::Diagnostics> asked(const ScenarioDocument& document, const PlanWish& wish) {
  return document.with({{"/objective/minimize", std::string(goal_word(wish.goal))},
                        {"/objective/against", std::string(second_word(wish.against))}});
}

/// Values of all parameters that an axis sets, those that go in step with it included.
std::vector<Edit> edits_of(const PlannedPoint& point, const std::vector<PlanAxis>& axes) {
  std::vector<Edit> edits;
  for (const scenarios::ChosenValue& chosen : point.values) {
    const auto axis =
        std::find_if(axes.begin(), axes.end(), [&](const PlanAxis& a) { return a.name() == chosen.name; });
    if (axis == axes.end()) continue;
    for (std::size_t position = 0; position < axis->size(); ++position) {
      if (axis->text(position) != chosen.value) continue;
      for (const auto& parameter : axis->axis.parameters) edits.push_back({parameter.pointer, chosen.value});
      for (const scenarios::Axis& linked : axis->with)
        for (const auto& parameter : linked.parameters)
          edits.push_back({parameter.pointer, scenarios::value_text(linked.values[position])});
      break;
    }
  }
  return edits;
}

std::string values_of(const PlannedPoint& point) {
  std::string text;
  for (const scenarios::ChosenValue& chosen : point.values)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", chosen.name, chosen.value);
  return text;
}

std::string figure_text(const scenarios::PlanFigure& figure, std::string_view unit) {
  std::string text = reports::humane(figure.mean, unit);
  if (figure.ci95) text += fmt::format(" ({})", between(figure.ci95->low, figure.ci95->high, unit));
  return text;
}

class Choices {
 public:
  Choices(const scenarios::Plan& plan, const std::vector<PlanAxis>& axes, PlanAnswer& answer)
      : axes_(axes),
        answer_(answer),
        priced_(plan.recommended && plan.recommended->cost_usd.mean > 0.0),
        time_(reports::humane_scale(plan.recommended ? plan.recommended->epoch_time_s.mean : 1.0, "s")) {
    answer_.x_title = "epoch time, " + time_.unit;
    answer_.y_title = priced_ ? "cost of an epoch, USD" : "idle, %";
  }

  void add(PlanChoice::What what, const char* word, const PlannedPoint& point) {
    PlanChoice choice;
    choice.what = what;
    choice.values = values_of(point);
    choice.across = point.epoch_time_s.mean * time_.factor;
    choice.up = priced_ ? point.cost_usd.mean : 100.0 * std::max(0.0, point.idle_fraction.mean);
    choice.cells = {word,
                    choice.values,
                    figure_text(point.epoch_time_s, "s"),
                    priced_ ? figure_text(point.cost_usd, "USD") : std::string("no prices"),
                    reports::percent(std::max(0.0, point.idle_fraction.mean)),
                    point.fed_share ? reports::percent(*point.fed_share, 0) : std::string()};
    choice.edits = edits_of(point, axes_);
    answer_.choices.push_back(std::move(choice));
  }

 private:
  const std::vector<PlanAxis>& axes_;
  PlanAnswer& answer_;
  bool priced_;
  reports::Scale time_;
};

PlanAnswer answer_of(const scenarios::Plan& plan, const std::vector<PlanAxis>& axes, const std::string& title) {
  PlanAnswer answer;
  answer.without_prices = plan.without_prices;
  answer.text = reports::plan_text(plan, title, reports::PlanDetail::all, {});
  if (!plan.recommended) {
    answer.headline = "None of these configurations meets all limits.";
    return answer;
  }
  Choices choices(plan, axes, answer);
  choices.add(PlanChoice::What::recommended, "recommended", *plan.recommended);
  for (const PlannedPoint& point : plan.front) choices.add(PlanChoice::What::front, "on the Pareto front", point);
  for (const PlannedPoint& point : plan.alternatives) choices.add(PlanChoice::What::alternative, "alternative", point);
  if (plan.today) choices.add(PlanChoice::What::today, "today", *plan.today);
  answer.in_ranges = std::any_of(answer.choices.begin(), answer.choices.end(),
                                 [](const PlanChoice& choice) { return !choice.cells.back().empty(); });
  const bool over_ranges = plan.ranges && plan.ranges->complete && plan.ranges->inputs > 0;
  const std::string missed = reports::missed_level(plan);
  const std::string within = fmt::format("Within {} of the least", reports::indifference_text(plan));
  answer.headline = missed.empty() ? fmt::format("{} {}{}: {}", plan.search.before_keeping ? within : "Least",
                                                 over_ranges ? "expected " : "", reports::goal_text(plan.goal),
                                                 answer.choices.front().values)
                                   : "Not fed often enough; chosen: " + answer.choices.front().values;
  if (!missed.empty())
    answer.reasons = fmt::format(
        "{} The one shown is within {} of the least expected {} of those compared, and keeps today's values where "
        "others "
        "are as good{}. ",
        missed, reports::indifference_text(plan), reports::goal_text(plan.goal),
        plan.ranges->recommended
            ? fmt::format(", fed in {} of the draws", reports::percent(plan.ranges->recommended->fed.mean, 0))
            : "");
  if (plan.confidence.may_change_verdict) answer.reasons += "The verdict may be wrong. " + plan.confidence.reason + " ";
  answer.reasons += reports::capital(reports::proof_text(plan)) + ".";
  if (plan.ranges && !over_ranges) answer.reasons += " " + reports::ranges_line(plan);
  if (const std::string why = reports::why_not_today(plan); !why.empty()) answer.reasons += " " + why;
  for (const models::Warning& warning : plan.warnings)
    answer.reasons +=
        fmt::format(" {}{}{}.", reports::capital(warning.seen), warning.cause.empty() ? "" : ": ", warning.cause);
  return answer;
}

std::vector<std::string> decisions_of(const ScenarioDocument& document, const PlanWish& wish) {
  std::vector<std::string> decisions;
  for (const std::string& text : wish.decisions) decisions.push_back(decision_of(document, text));
  return decisions;
}

}  // namespace

std::string decision_of(const ScenarioDocument& document, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (text.starts_with("/") || equals == std::string::npos) return text;
  std::string name = text.substr(0, equals);
  name.erase(name.find_last_not_of(' ') + 1);
  for (const ParameterValue& value : parameter_sheet(document))
    if (!value.facts.pointer.empty() && place_name(document, value.pointer) == name)
      return value.pointer + text.substr(equals);
  return text;
}

PlanAnswer run_plan(const ScenarioDocument& document, const PlanWish& wish, const std::stop_token& stop,
                    const TellPlan& tell) {
  PlanAnswer answer;
  const auto own = asked(document, wish);  // read anew: other threads add to the sources of the shown one
  if (!own) {
    answer.error = print_text(own.error());
    return answer;
  }
  auto axes = scenarios::decisions_of(own->loaded(), decisions_of(*own, wish));
  if (!axes) {
    answer.error = print_text(axes.error());
    return answer;
  }
  const std::vector<PlanAxis> kept = *axes;
  scenarios::PlanOptions options;
  if (wish.ranges) options.ranges.emplace();
  options.most_points = wish.most_points;
  options.max_wall_s = wish.max_wall_s;
  options.cancelled = [&stop] { return stop.stop_requested(); };
  options.progress = [&](const scenarios::PlanProgress& now) { tell(-1.0, reports::plan_progress_text(now)); };
  try {
    const auto plan = scenarios::make_plan(own->loaded(), std::move(*axes), scenarios::Catalogue::shipped(), options);
    if (plan) {
      answer = answer_of(*plan, kept, document.title());
      answer.memo = memo_html(reports::plan_json(*plan, own->loaded().sha256, own->loaded().resolved));
      return answer;
    }
    answer.error = print_text(plan.error());
  } catch (const models::UnusableRequest& problem) {
    answer.error = std::string(problem.what()) + "; " + problem.fix();
  }
  return answer;
}

std::string plan_command(const ScenarioDocument& document, const PlanWish& wish) {
  std::string text = "headrace plan";
  const auto own = asked(document, wish);
  for (const std::string& argument : own ? own->arguments() : document.arguments()) text += " " + shell_word(argument);
  for (const std::string& decision : decisions_of(document, wish)) text += " --decide " + shell_word(decision);
  return wish.ranges ? text : text + " --inputs nominal";
}

}  // namespace headrace::gui
