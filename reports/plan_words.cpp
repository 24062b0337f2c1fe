#include "reports/plan_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "models/outcome/outcome_assembly.hpp"
#include "reports/document.hpp"
#include "reports/humane.hpp"
#include "reports/input_text.hpp"
#include "reports/left_out_figures.hpp"
#include "reports/plan_ranges_text.hpp"
#include "reports/total_cost_text.hpp"
#include "reports/verdict_text.hpp"
#include "scenarios/planner/search_state.hpp"

namespace headrace::reports {

using scenarios::Plan;
using scenarios::Proof;
using scenarios::RangeChoice;
using scenarios::StoppedBy;

std::string indifference_text(const Plan& plan) {
  constexpr double kFine = 0.01;
  return percent(plan.indifference, plan.indifference < kFine ? 2 : 0);
}

bool lie_on_one_spot(const std::vector<std::pair<double, double>>& points) {
  constexpr double kApart = 1e-4;
  const auto alike = [](double a, double b) { return std::abs(a - b) <= kApart * std::abs(b); };
  return !points.empty() && std::all_of(points.begin(), points.end(), [&](const auto& point) {
    return alike(point.first, points.front().first) && alike(point.second, points.front().second);
  });
}

std::string_view goal_text(models::PlanGoal goal) {
  switch (goal) {
    case models::PlanGoal::epoch_time:
      return "epoch time";
    case models::PlanGoal::idle:
      return "idle GPUs";
    case models::PlanGoal::tco:
      return "total cost per epoch";
    default:
      return "cost per epoch";
  }
}

std::string_view cost_text(const Plan& plan) {
  return goal_text(plan.total_cost ? models::PlanGoal::tco : models::PlanGoal::cost_per_epoch);
}

const char* cost_figure(const Plan& plan) { return plan.total_cost ? kTotalCostFigure : kCostFigure; }

const char* cost_figure(const nlohmann::ordered_json& plan) {
  return at(plan, "horizon").is_object() ? kTotalCostFigure : kCostFigure;
}

std::string sets_text(const Plan& plan) { return fmt::format("{}", fmt::join(plan.sets, " ")); }

std::string horizon_text(const models::HorizonCost& cost) {
  std::string text = dollars(cost.present_value_usd) + " in present value";
  if (cost.usd_per_useful_gpu_hour > 0.0)
    text += fmt::format(", {} per useful GPU hour", humane(cost.usd_per_useful_gpu_hour, "USD"));
  return text;
}

namespace {

/// Whether nothing that ran is better than the best by a hair, which took less, and no bound of what did not run is.
bool is_least(const scenarios::SearchResult& found, bool chosen_over_ranges) {
  constexpr double kRounding = 1e-9;
  double least = found.visits[found.best].mean;
  const double best = least;
  for (const scenarios::Visit& visit : found.visits)
    if (visit.level >= scenarios::SearchLevel::race) least = std::min(least, visit.mean);
  if (chosen_over_ranges) return found.next_bound >= least * (1.0 - kRounding);  // it need not be the best as stated
  return std::min(least, found.next_bound) >= best * (1.0 - kRounding);
}

std::string proof_as_stated(const Plan& plan) {
  const scenarios::SearchResult& found = plan.search;
  const bool over_ranges = plan.ranges && plan.ranges->complete && !plan.ranges->same;
  const std::string wrong =
      fmt::format("a comparison of runs is wrong with a probability of at most {}", percent(1.0 - found.confidence, 1));
  const std::string zone = indifference_text(plan);
  const std::string others = fmt::format("none of the {}", counted(found.bounded, "configuration"));
  const std::string than =
      found.before_keeping
          ? fmt::format(
                " than the best that ran, and today's values are kept where others gain less than {} or runs "
                "tell no difference",
                percent(scenarios::SearchState::kTie * plan.indifference, 2))
          : "";
  const std::string in_zone = fmt::format("proved by flow bounds: {} is better by more than {} (indifference){}; {}",
                                          others, zone, than, wrong);
  switch (found.proof) {
    case Proof::flow:
      if (found.before_keeping || !is_least(found, over_ranges)) return in_zone;
      return fmt::format(
          "proved by flow bounds: {} is better, because the bound of every configuration that was not run is above "
          "the {}; {}",
          others, over_ranges ? "best for the inputs as stated" : "recommended one", wrong);
    case Proof::flow_zone:
      return in_zone;
    case Proof::surrogate:
      return fmt::format(
          "found by bounds, races and a surrogate of the gap between them ({}): {} is better by more than {}{}; with a "
          "probability of at most {} that is wrong",
          found.surrogate, others, zone, than, percent(1.0 - found.confidence, 1));
    default:
      if (!found.found()) return "no configuration was found";
      if (!found.confirmed)
        return "not proved: the search ended before a run four times as long had confirmed the configuration";
      if (!(found.next_bound < 1e300)) return "not proved: the search ended early";
      return fmt::format("not proved: the search ended {}; the best open flow bound is {} below",
                         found.cancelled ? "early" : "at its budget",
                         found.next_bound > 0.0 && found.visits[found.best].mean > 0.0
                             ? percent(1.0 - found.next_bound / found.visits[found.best].mean)
                             : std::string("somewhere"));
  }
}

std::string sample_text(const Plan& plan) {
  if (!plan.sampled) return {};
  const scenarios::SampledRuns& runs = *plan.sampled;
  std::string text = fmt::format("; runs simulate {} of {} nodes, which stand for all", runs.nodes, runs.of_nodes);
  if (!runs.difference) return text;
  const auto signed_share = [](double share) { return fmt::format("{:+.2f} %", 100.0 * share); };
  return text + fmt::format(": steps of all nodes differ by {} ({} to {})", signed_share(runs.difference->mean),
                            signed_share(runs.difference->ci95->low), signed_share(runs.difference->ci95->high));
}

}  // namespace

std::string proof_text(const Plan& plan) {
  const bool other = plan.ranges && plan.ranges->complete && !plan.ranges->same;
  return (other ? "the best for the inputs as stated is " : "") + proof_as_stated(plan) + sample_text(plan);
}

std::string stopped_text(const Plan& plan) {
  if (plan.stopped_by == StoppedBy::none) return {};
  const std::string by = plan.stopped_by == StoppedBy::max_wall     ? "--max-wall ended the plan"
                         : plan.stopped_by == StoppedBy::max_points ? "--max-points ended the search"
                                                                    : "The plan was interrupted";
  if (!plan.search.found()) return by + " before any configuration was found.";
  std::string left_out;
  const auto add = [&](bool complete, const char* part) {
    if (!complete) left_out += (left_out.empty() ? "" : ", ") + std::string(part);
  };
  add(plan.search.proof != Proof::none, "a proof");
  add(!plan.ranges || plan.ranges->complete,
      "the comparison over the input ranges (it is best for the inputs as stated)");
  add(plan.search.trimmed, "trimming (it may use more than it needs)");
  add(!plan.against || plan.front_complete, "the whole Pareto front");
  add(plan.advice_complete, "all of the advice");
  return by + (left_out.empty() ? " early." : " before " + left_out + ".");
}

std::string change_usd_text(double usd, double unit_usd) {
  const auto decimals = static_cast<int>(std::llround(-std::log10(unit_usd)));
  return decimals <= 2 ? exact_money(usd) : fmt::format("{}${:.{}f}", usd < 0.0 ? "-" : "", std::abs(usd), decimals);
}

namespace {

/// A share that misses the level is not shown as that level.
std::string below_level(double share, double level) {
  return percent(share, percent(share, 0) == percent(level, 0) ? 1 : 0);
}

}  // namespace

std::string bottleneck_sentence(const std::string& stage, std::optional<double> gain) {
  return gain ? fmt::format("Bottleneck: {}, gain if removed {} of GPU time.", stage, percent(*gain))
              : most_waits_sentence(stage);
}

namespace {

const scenarios::PlanFigure& goal_as_stated(const Plan& plan, const scenarios::PlannedPoint& point) {
  if (plan.goal == models::PlanGoal::epoch_time) return point.epoch_time_s;
  return plan.goal == models::PlanGoal::idle ? point.idle_fraction : point.cost_usd;
}

/// Share of the ranges in which today's configuration is fed, where the plan looked at it.
std::optional<double> fed_share_today(const scenarios::RangeChoice& choice) {
  if (choice.nominal && choice.nominal->planned.is_today()) return choice.nominal->fed.mean;
  return choice.today ? std::optional(choice.today->fed.mean) : std::nullopt;
}

}  // namespace

std::string why_not_today(const Plan& plan) {
  if (!plan.ranges || !plan.ranges->complete || !plan.ranges->recommended || !plan.recommended || !plan.today)
    return {};
  std::string now;
  std::string then;
  for (const scenarios::ChosenValue& value : plan.recommended->values) {
    if (value.value == value.today || value.today.empty()) continue;
    now += fmt::format("{}{} {}", now.empty() ? "" : ", ", value.name, value.today);
    then += fmt::format("{}{} {}", then.empty() ? "" : ", ", value.name, value.value);
  }
  if (now.empty() || goal_value_text(plan, goal_as_stated(plan, *plan.today).mean) !=
                         goal_value_text(plan, goal_as_stated(plan, *plan.recommended).mean))
    return {};
  const std::optional<double> fed = fed_share_today(*plan.ranges);
  if (!fed || *fed >= plan.ranges->recommended->fed.mean) return {};
  std::string why = fmt::format(
      "Why not {}, as today: with the inputs as stated it is as good, but over their ranges it is fed in {} of the "
      "draws, {} in {}.",
      now, fed_share_text(*fed), then, fed_share_text(plan.ranges->recommended->fed.mean));
  if (!plan.least_fed.empty())
    why +=
        fmt::format(" With the inputs as stated the least that feeds the GPUs is {}.", fmt::join(plan.least_fed, ", "));
  return why;
}

namespace {

constexpr double kSurelyFed = 0.995;  ///< of the draws

/// The share of the recommended configuration, with what the simulated draws leave open of it.
std::string own_share(const Plan& plan) {
  const RangeChoice& choice = *plan.ranges;
  if (!choice.recommended) return {};
  const scenarios::PlanFigure& fed = choice.recommended->fed;
  if (!fed.ci95) return {};
  std::string share = fmt::format(": it is fed in {} of them (95 % interval {} to {})", percent(fed.mean),
                                  percent(fed.ci95->low), percent(fed.ci95->high));
  // Asked for with that much more, the low end would be where the level is now.
  const double sure = std::ceil(100.0 * (choice.asked.level + fed.mean - fed.ci95->low) - 1e-9);
  if (fed.ci95->low < choice.asked.level && sure < 100.0)
    share += fmt::format("; whether {} are reached is open, and --confidence-fed {:.0f}% leaves a margin",
                         percent(choice.asked.level, 0), sure);
  if (plan.evidence.assumed.starts_with(kLeavesOut))
    share += "; figures that the scenario leaves out count as perfect in all of them";
  return share;
}

/// What to measure for a surer answer.
std::string fed_hangs_on(const RangeChoice& choice) {
  if (choice.fed_drivers.empty() || !choice.recommended || choice.recommended->fed.mean > kSurelyFed) return {};
  return " " + hangs_most_on("Whether it is fed", choice.fed_drivers);
}

/// Said where what is recommended is what is best for the inputs as stated.
std::string stays_best(const scenarios::Plan& plan) {
  return fmt::format(
      " The best for the inputs as stated is also the best over their ranges: no other that was compared gains more "
      "than {} of the goal (indifference), or than can be told from the noise of the runs.",
      indifference_text(plan));
}

}  // namespace

namespace {

std::string is_fed_text(const RangeChoice& choice) {
  return fmt::format("fed (GPUs wait at most {} of the time) in {} of the draws", percent(models::kFedIdleFraction, 0),
                     percent(choice.asked.level, 0));
}

}  // namespace

std::string missed_level(const scenarios::Plan& plan) {
  if (!plan.ranges || !plan.ranges->complete || plan.ranges->reached || plan.ranges->inputs == 0) return {};
  const RangeChoice& choice = *plan.ranges;
  const std::string most = choice.most_fed.empty()
                               ? std::string("none is fed in any draw")
                               : fmt::format("the most is {} with {}",
                                             below_level(choice.highest_share, choice.asked.level), choice.most_fed);
  return fmt::format("No configuration is {}: {}.", is_fed_text(choice), most);
}

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
  std::string drawn = fmt::format(
      "{} {} a range, stated or usual for a figure that is assumed or from a data sheet. Every configuration was "
      "bounded at {} draws of them. {} draws were simulated or proved fed; the others take the results of those with "
      "as "
      "much headroom, which is what the interval counts.",
      counted(choice.inputs, "input"), choice.inputs == 1 ? "has" : "have", choice.draws, choice.simulated);
  drawn += fed_hangs_on(choice);
  if (choice.same) drawn += stays_best(plan);
  // What is kept as stated may cost more, by less than matters: drawn says how much that is.
  const std::string least = fmt::format("{}the least expected {}", choice.same ? "nearly " : "", goal_text(plan.goal));
  if (choice.reached)
    return fmt::format("Among the configurations that are {} or more, it has {}{}. {}", is_fed_text(choice), least,
                       own_share(plan), drawn);
  return fmt::format("{} The plan has {}. {}", missed_level(plan), least, drawn);
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

bool is_no_effect(double change, double error) {
  constexpr double kTooSmall = 5e-4;
  return std::abs(change) <= std::max(kTooSmall, error);
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
  const bool nominal = choice.nominal && choice.nominal->planned.takes_values_of(point);
  if (nominal && !scenarios::DecisionStep::is_effect(choice.adds))
    return fmt::format("a tie: over the input ranges its expected {} cannot be told from that of the recommended one",
                       goal_text(plan.goal));
  if (!point.expected_goal || *point.expected_goal <= choice.recommended->goal.mean) return point.fate;
  if (own == recommended)
    return fmt::format("a tie: over the input ranges its expected {} is {}, as that of the recommended one",
                       goal_text(plan.goal), own);
  return fmt::format("over the input ranges its expected {} is {} against {}", goal_text(plan.goal), own, recommended);
}

}  // namespace headrace::reports
