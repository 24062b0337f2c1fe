#include "reports/plan_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "models/outcome/outcome_assembly.hpp"
#include "reports/confidence_text.hpp"
#include "reports/humane.hpp"
#include "reports/outcome_json.hpp"
#include "reports/plan_ranges_text.hpp"
#include "reports/plan_words.hpp"
#include "reports/room_text.hpp"
#include "reports/text_layout.hpp"
#include "reports/verdict_text.hpp"

namespace headrace::reports {
namespace {

using scenarios::Plan;
using scenarios::PlanFigure;
using scenarios::PlannedPoint;

using Rows = std::vector<std::vector<std::string>>;

constexpr std::size_t kMostValuesShown = 12;
constexpr std::size_t kFirstValues = 3;    ///< of more
constexpr std::size_t kMostOfValues = 44;  ///< characters, beside the figures of a row

std::string interval(const PlanFigure& figure, std::string_view unit) {
  if (!figure.ci95) return "bound";
  return span_text(humane(figure.ci95->low, unit), humane(figure.ci95->high, unit));
}

std::string values_text(const PlannedPoint& planned) {
  std::string text;
  for (const scenarios::ChosenValue& value : planned.values)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", value.name, value.value);
  return text;
}

std::string axes_text(const Plan& plan, const Style& style) {
  std::string text;
  for (const auto& [name, values, parameter] : plan.axes) {
    std::string few;
    const bool all = values.size() <= kMostValuesShown;
    for (std::size_t i = 0; i < (all ? values.size() : kFirstValues); ++i) few += (i > 0 ? ", " : "") + values[i];
    if (!all) few += fmt::format(" ... {} ({} values)", values.back(), values.size());
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", name, few);
  }
  const std::string head =
      plan.default_decisions ? "The scenario has no decisions (decide); the defaults are: " : "To choose: ";
  std::string goal = fmt::format(" Looked for: the least {}.", goal_text(plan.goal));
  if (plan.without_prices) goal = " Nothing has a price (prices): looked for is the least epoch time.";
  return wrapped(head + text + "." + goal, style.width, 0) + "\n\n";
}

std::string excess_text(const scenarios::Obstacle& one) {
  if (!(one.excess < 1e300)) return "";
  return fmt::format(", {} too much", one.over.empty() ? percent(one.excess) : one.over);
}

std::string obstacles_text(const Plan& plan, const Style& style) {
  const bool stopped = plan.stopped_by != scenarios::StoppedBy::none;
  std::string text = style.bold(stopped ? "Not found" : "Not feasible") + "\n";
  for (const scenarios::Obstacle& one : plan.obstacles)
    text += "  " +
            wrapped(fmt::format("{} ({} of {} configurations). Nearest: {}{}", one.name, one.points,
                                plan.search.bounded, one.text, excess_text(one)),
                    style.width, 4) +
            "\n";
  for (const scenarios::Visit& visit : plan.search.visits)
    if (!visit.fate.empty() && !plan.recommended && visit.mean > 1e300)
      return text + "  " + wrapped("In simulation: " + visit.fate, style.width, 4) + "\n";
  return text;
}

std::string configuration_text(const Plan& plan, const Style& style) {
  Rows rows{{"", "take", "today", "at"}};
  for (const scenarios::ChosenValue& value : plan.recommended->values)
    rows.push_back({value.name, value.value, value.today, value.parameter});
  const std::string unmet = unmet_level(plan);
  std::string text =
      style.bold(unmet.empty() ? "Recommended" : "Best found") + "\n" + table({{}, {true, 0}, {true, 0}, {}}, rows);
  const auto add_ties = [&](std::string_view of, const std::vector<std::string>& ties) {
    if (!ties.empty())
      text += fmt::format("  {}\n", wrapped(fmt::format("{}: {}.", of, fmt::join(ties, ", ")), style.width, 2));
  };
  std::vector<std::string> indifferent = plan.indifferent;
  std::erase_if(indifferent,
                [&](const std::string& name) { return is_as_good_with_less(plan.as_good_with_less, name); });
  if (const std::string why = why_not_today(plan); !why.empty())
    text += fmt::format("  {}\n", wrapped(why, style.width, 2));
  add_ties(kIndifferentText, indifferent);
  add_ties(kLessText, plan.as_good_with_less);
  add_ties(kLeastFedText, plan.least_fed);
  if (!unmet.empty()) text += "  " + style.unsure(wrapped(unmet, style.width, 2)) + "\n";
  if (!plan.sets.empty())
    text += fmt::format("  To try it, add to this call's scenario options:\n    {}\n",
                        fmt::join(plan.sets, " \\\n    "));  // ready to paste
  return text + "\n";
}

std::string confidence_text(const Plan& plan, const Style& style) {
  return fmt::format(
      "  {}\n\n",
      wrapped(confidence_line(confidence_json(plan.confidence), "the recommended configuration"), style.width, 2));
}

/// A row for each of several jobs, with today's wait.
std::string jobs_text(const Plan& plan) {
  const PlannedPoint& best = *plan.recommended;
  if (best.jobs.empty()) return {};
  Rows rows{{"job", "epoch time", "step time", "GPU idle", "goodput", "idle today"}};
  for (std::size_t j = 0; j < best.jobs.size(); ++j) {
    const scenarios::PlannedJob& job = best.jobs[j];
    const bool known = plan.today && j < plan.today->jobs.size();
    rows.push_back({job.name, humane(job.epoch_time_s, "s"), humane(job.step_time_s, "s"), percent(job.idle_fraction),
                    percent(job.goodput_fraction), known ? percent(plan.today->jobs[j].idle_fraction) : ""});
  }
  return "\n" + table({{}, kRight, kRight, kRight, kRight, kRight}, rows);
}

/// What the room must hold, with today's.
void add_room_rows(const Plan& plan, Rows& rows) {
  const models::RoomFacts* today = plan.today ? &plan.today->room : nullptr;
  for (const auto& [name, text, now] : room_rows(plan.recommended->room, today)) rows.push_back({name, text, "", now});
}

std::string figures_text(const Plan& plan, const Style& style) {
  const PlannedPoint& best = *plan.recommended;
  Rows rows{{"", "mean", "95 % interval", "today"}};
  const auto add = [&](const char* name, PlanFigure PlannedPoint::*figure, std::string_view unit) {
    rows.push_back({name, humane((best.*figure).mean, unit), interval(best.*figure, unit),
                    plan.today ? humane(((*plan.today).*figure).mean, unit) : ""});
  };
  if (plan.priced) add(std::string(cost_text(plan)).c_str(), &PlannedPoint::cost_usd, "USD");
  const bool several = !best.jobs.empty();
  add(several ? "longest epoch" : "epoch time", &PlannedPoint::epoch_time_s, "s");
  if (!several) add("step time", &PlannedPoint::step_time_s, "s");
  add(several ? "GPU idle, all GPUs" : "GPU idle", &PlannedPoint::idle_fraction, "1");
  rows.push_back({several ? "goodput, all GPUs" : "goodput", percent(best.goodput_fraction), "",
                  plan.today ? percent(plan.today->goodput_fraction) : ""});
  rows.push_back({"first step after", humane(best.first_step_s, "s"), "closed form, not the slowest",
                  plan.today ? humane(plan.today->first_step_s, "s") : ""});
  add_room_rows(plan, rows);
  std::string text = style.bold("Cost") + "\n" + table({{}, {true, 0}, {}, {true, 0}}, rows) + jobs_text(plan);
  if (plan.horizon) {
    std::string over = fmt::format("Over {:.3g} years at {} interest: {}", plan.horizon->horizon_years,
                                   percent(plan.horizon->discount_rate, 0), horizon_text(*plan.horizon));
    if (plan.horizon_today) over += fmt::format("; today {}", horizon_text(*plan.horizon_today));
    text += "  " + wrapped(over + ".", style.width, 2) + "\n";
  }
  if (!plan.binding.empty())
    text += "  " + wrapped(bottleneck_sentence(plan.binding, plan.binding_gain), style.width, 2) + "\n";
  if (best.simulated && best.idle_fraction.mean > models::kFedIdleFraction)
    text += "  " +
            wrapped(
                "These runs are shorter than those of headrace simulate, and look at one start: where GPUs wait, "
                "its figures may lie beside these intervals.",
                style.width, 2) +
            "\n";
  return text + "\n";
}

/// What the figures of the table leave out beside a simulation.
std::string runs_text(const Plan& plan, const Style& style) {
  std::string runs =
      "The closed form of the first step has batches of mean size; headrace simulate gives the slowest first batch of "
      "all loaders, which comes later. The runs compare configurations: they are shorter than those of "
      "headrace simulate, which runs on while the start still shows, and move whole batches, where it moves finer "
      "pieces if they matter. Its figures of the same configuration may lie beside these intervals.";
  if (plan.today && plan.today->idle_fraction.ci95)
    runs += fmt::format(" Today by such a run: GPU idle {}.", interval(plan.today->idle_fraction, "1"));
  return style.bold("What the runs leave out") + "\n  " + wrapped(runs, style.width, 2) + "\n\n";
}

std::string_view figure_name(std::string_view figure) {
  if (figure == "gpu_idle_fraction") return "GPU idle";
  if (figure == "epoch_time_s") return "epoch time";
  if (figure == "slowdown") return "epoch, to normal";
  if (figure.ends_with("cost_per_epoch_usd"))
    return figure.starts_with("total") ? "total cost per epoch" : "cost per epoch";
  if (figure == "egress_per_epoch_usd") return "egress per epoch";
  return "first step after";
}

std::string limits_text(const Plan& plan, const Style& style) {
  if (plan.limits.empty()) return "";
  Rows rows{{"figure", "is", "allowed", ""}};
  for (const scenarios::EventFigure& one : plan.limits)
    rows.push_back({std::string(figure_name(one.figure)), humane(one.value, one.unit), humane(one.limit, one.unit),
                    one.pass() ? "is met" : "is not met"});
  return style.bold("Within its limits") + "\n" + table({{}, {true, 0}, {true, 0}, {}}, rows) + "\n";
}

std::string events_text(const Plan& plan, const Style& style) {
  if (plan.events.empty()) return "";
  const auto value = [](const scenarios::EventFigure& one, double figure) {
    if (one.figure == "slowdown") return factor_text(figure);
    return humane(figure, one.unit);
  };
  Rows rows{{"", "figure", "is", "allowed", ""}};
  for (const scenarios::EventFigure& one : plan.events)
    rows.push_back({one.event, std::string(figure_name(one.figure)), value(one, one.value), value(one, one.limit),
                    one.pass() ? "is met" : "is not met"});
  return style.bold("On bad days") + "\n" + table({{}, {}, {true, 0}, {true, 0}, {}}, rows) + "\n";
}

std::string proof_line(const Plan& plan, const Style& style) {
  return style.bold("How sure") + "\n  " + wrapped(capital(proof_text(plan)) + ".", style.width, 2) + "\n";
}

std::string counts_line(const Plan& plan, const Style& style) {
  const scenarios::SearchResult& found = plan.search;
  std::string counts = fmt::format("{} bounded, {} infeasible; {} run without contention, {} simulated or proved fed",
                                   counted(found.bounded, "configuration"), found.infeasible, found.uncontended_runs,
                                   found.contended_runs);
  if (found.by_family > 0)
    counts += fmt::format("; {} excluded because more of each resource was slower, too", found.by_family);
  if (plan.event_runs > 0) counts += fmt::format("; {} with events", counted(plan.event_runs, "run"));
  return "  " + wrapped(counts + ".", style.width, 2) + "\n";
}

std::string warnings_text(const Plan& plan, const Style& style) {
  if (plan.warnings.empty()) return "";
  std::string text = style.bold("Mind") + "\n";
  for (const models::Warning& warning : plan.warnings) {
    text += "  " + style.unsure("seen:") + "  " + wrapped(warning.seen, style.width, 9) + "\n";
    if (!warning.cause.empty()) text += "  cause: " + wrapped(warning.cause, style.width, 9) + "\n";
    if (!warning.fix.empty()) text += "  fix:   " + wrapped(warning.fix, style.width, 9) + "\n";
  }
  return text + "\n";
}

std::string closed_forms_text(const Plan& plan, const Style& style) {
  if (!plan.closed_forms) return "";
  const scenarios::ClosedForms& forms = *plan.closed_forms;
  Rows rows{{"", "takes", "closed form", ""}};
  const auto chosen = [&](std::string_view key) {
    for (const scenarios::ChosenValue& value : plan.recommended->values)
      if (value.parameter.ends_with(key)) return value.value;
    return std::string("as today");
  };
  rows.push_back({"workers", chosen("/loader/workers"), fmt::format("N_min {:.0f}", forms.least_workers),
                  fmt::format("batch {} / (0.95 step)", humane(forms.batch_time_s, "s"))});
  if (forms.depth_rule)
    rows.push_back({"depth", chosen("/loader/prefetch"), fmt::format("K {:.0f}", *forms.depth_rule),
                    fmt::format("batches, p99.9 {} / step", humane(*forms.batch_p999_s, "s"))});
  if (forms.least_cache_bytes || forms.least_hit_ratio)
    rows.push_back({"node cache", humane(forms.present_cache_bytes, "B"),
                    forms.least_cache_bytes ? fmt::format("c* {}", humane(*forms.least_cache_bytes, "B")) : "none",
                    forms.least_hit_ratio ? fmt::format("hit ratio from {}", percent(*forms.least_hit_ratio)) : ""});
  const std::string of_job = forms.of_job.empty() ? "" : " (job " + forms.of_job + ", alone)";
  std::string text = style.bold("Beside closed forms, which leave contention out" + of_job) + "\n" +
                     table({{}, {true, 0}, {true, 0}, {}}, rows);
  const auto amount = [](const scenarios::RoomLeft& room, double value) {
    if (room.unit == "B") return humane(value, "B");
    return room.unit == "cores" ? fmt::format("{:.6g}", value) : humane_number(value);
  };
  for (const scenarios::RoomLeft& room : plan.rooms)
    text += fmt::format("  {}: {} of {}{} {}, {}\n", room.name, amount(room, room.needed), amount(room, room.available),
                        room.unit == "B" ? "" : " " + room.unit,
                        room.unit == "cores" ? "taken, one by each worker" : "used",
                        room.needed > room.available ? "more than there are"
                                                     : percent(1.0 - room.needed / room.available, 0) + " left");
  return text + "\n";
}

/// No longer than a column can be; what is cut off stands in --json.
std::string shortened_to(std::string text, std::size_t most) {
  if (text.size() > most) text = text.substr(0, most - 3) + "...";
  return text;
}

std::string change_text(const scenarios::PlanChange& change) {
  constexpr std::size_t kMostOfChange = 29;
  const std::string others = change.decisions > 1 ? fmt::format(" and {} more", change.decisions - 1) : "";
  return shortened_to(fmt::format("{} {} to {}{}", change.name, change.from, change.to, others), kMostOfChange);
}

std::string front_text(const Plan& plan, const Style& style) {
  if (!plan.against) return "";
  Rows rows{{plan.priced ? "cost" : "", "epoch", "idle", ""}};
  for (const PlannedPoint& point : plan.front)
    rows.push_back({plan.priced ? humane(point.cost_usd.mean, "USD") : "", humane(point.epoch_time_s.mean, "s"),
                    percent(point.idle_fraction.mean), shortened_to(values_text(point), kMostOfValues)});
  return style.bold(fmt::format("Pareto front of {} and {}{}", goal_text(plan.goal), goal_text(*plan.against),
                                plan.front_complete ? "" : " (not complete)")) +
         "\n" + table({{true, 0}, {true, 0}, {true, 0}, {}}, rows) + "\n";
}

std::string signed_percent(double share) {
  return std::abs(share) < 5e-5 ? "0.00 %" : fmt::format("{:+.2f} %", 100.0 * share);
}

std::string no_effect_text(const Plan& plan, const Style& style) {
  std::string names;
  for (const std::string& name : plan.no_effect) names += (names.empty() ? "" : ", ") + name;
  if (names.empty()) return "";
  return "  " + wrapped("No gain told at the scenario's values: " + names + ".", style.width, 2) + "\n";
}

/// Whether the runs of the changes end at another epoch than the recommended configuration has, as both are printed.
bool change_of_noise(const Plan& plan) {
  return humane(plan.changes.back().epoch_after_s, "s") != humane(plan.recommended->epoch_time_s.mean, "s");
}

/// Where nothing has a price, changes gain time.
std::string faster_text(const Plan& plan, const Style& style) {
  Rows rows{{"", "change", "saves", "epoch with all so far"}};
  for (std::size_t i = 0; i < plan.changes.size(); ++i) {
    const scenarios::PlanChange& change = plan.changes[i];
    rows.push_back({fmt::format("{}.", i + 1), change_text(change), humane(change.gained_s, "s"),
                    humane(change.epoch_after_s, "s")});
  }
  if (!plan.changes.empty() && change_of_noise(plan))
    rows.push_back({"", "noise of the runs", "", humane(plan.recommended->epoch_time_s.mean, "s")});
  return style.bold("Changes from today, by gain in time") + "\n" +
         (plan.changes.empty() ? "" : table({{}, {}, {true, 0}, {true, 0}}, rows)) + no_effect_text(plan, style) + "\n";
}

/// An interval wider than what it is about says nothing.
std::string told_error(double error) { return error < 1.0 ? percent(error, 2) : "-"; }

std::string changes_text(const Plan& plan, const Style& style) {
  if (plan.changes.empty() && plan.no_effect.empty()) return "";
  if (!plan.priced) return faster_text(plan, style);
  const auto in_unit = [&plan](double usd) { return change_usd_text(usd, plan.changes_unit_usd); };
  Rows rows{{"", "change", "gains", "+-", "costs", "then", "epoch"}};
  if (plan.today)
    rows.push_back(
        {"", "today", "", "", "", in_unit(plan.today->cost_usd.mean), humane(plan.today->epoch_time_s.mean, "s")});
  for (std::size_t i = 0; i < plan.changes.size(); ++i) {
    const scenarios::PlanChange& change = plan.changes[i];
    rows.push_back({fmt::format("{}.", i + 1), change_text(change),
                    change.decided ? in_unit(change.gained_usd) : "none", humane(change.gained_error_usd, "USD"),
                    in_unit(change.spent_usd), in_unit(change.cost_after_usd), humane(change.epoch_after_s, "s")});
  }
  if (plan.changes_rest_usd != 0.0)
    rows.push_back({"", "noise of the runs", "", "", in_unit(plan.changes_rest_usd),
                    in_unit(plan.recommended->cost_usd.mean), humane(plan.recommended->epoch_time_s.mean, "s")});
  return style.bold("Changes from today, by dollars gained per dollar spent") + "\n" + "  " +
         wrapped(
             "Each behind those before it, per epoch. Gains: what today's machines cost less for a shorter epoch. "
             "Costs: the rest. "
             "Today's cost less gains plus costs is the recommended cost.",
             style.width, 2) +
         "\n" + table({{}, {}, {true, 0}, {true, 0}, {true, 0}, {true, 0}, {true, 0}}, rows) +
         no_effect_text(plan, style) + "\n";
}

std::string elasticities_text(const Plan& plan, const Style& style) {
  if (plan.elasticities.empty()) return "";
  Rows rows{{"", "epoch time", "+-", "cost", "+-"}};
  for (const scenarios::Elasticity& one : plan.elasticities) {
    const auto told = [&](double change, double error) {
      if (!one.decided) return std::string("undecided");
      return is_no_effect(change, error) ? std::string("no effect") : signed_percent(change);
    };
    rows.push_back({one.resource, told(one.epoch_time, one.error), told_error(one.error),
                    told(one.cost, one.cost_error), told_error(one.cost_error)});
  }
  if (!plan.priced)
    for (std::vector<std::string>& row : rows) row[3] = row[4] = "";
  return style.bold("Effect of one change each on the recommended configuration") + "\n" +
         table({{}, {true, 0}, {true, 0}, {true, 0}, {true, 0}}, rows) + "\n";
}

std::string runner_up_text(const Plan& plan) {
  const PlannedPoint& second = *plan.runner_up;
  const std::string why = why_not(plan, second);
  return fmt::format("Runner-up: {} at {}{}{}.", values_text(second),
                     plan.priced ? humane(second.cost_usd.mean, "USD") + " per epoch, " : std::string(),
                     humane(second.epoch_time_s.mean, "s"), why.empty() ? "" : "; not recommended: " + why);
}

/// What would make the next cheaper machines win; where an epoch on them costs less already, why they do not.
std::string next_cheaper_text(const Plan& plan) {
  const scenarios::SwitchCondition& condition = *plan.next_cheaper;
  const std::string why = why_not(plan, condition.rival);
  std::string text = fmt::format("Next cheaper machines: {}", values_text(condition.rival));
  if (condition.needed_step_s >= condition.rival.step_time_s.mean)
    return text + fmt::format(", {} per epoch with the inputs as stated{}.",
                              humane(condition.rival.cost_usd.mean, "USD"),
                              why.empty() ? "" : "; not recommended: " + why);
  text += fmt::format(". They would win with a step time of {} instead of {}", humane(condition.needed_step_s, "s"),
                      humane(condition.rival.step_time_s.mean, "s"));
  if (condition.gpu_hour_usd)
    text += fmt::format(", or with GPU hours below {}", humane(*condition.gpu_hour_usd, "USD"));
  return text + ".";
}

std::string rivals_text(const Plan& plan, const Style& style) {
  std::string text;
  if (plan.runner_up) text += "  " + wrapped(runner_up_text(plan), style.width, 2) + "\n";
  if (plan.next_cheaper) text += "  " + wrapped(next_cheaper_text(plan), style.width, 2) + "\n";
  for (const scenarios::ForbiddenPoint& one : plan.forbidden)
    text += "  " +
            wrapped(fmt::format("Better by its bound ({}), but forbidden: {}. {}.", goal_value_text(plan, one.bound),
                                one.values, one.reason),
                    style.width, 2) +
            "\n";
  return text.empty() ? "" : style.bold("Alternatives") + "\n" + text + "\n";
}

std::string explain_text(const Plan& plan, const Style& style) {
  std::string text = style.bold("The search") + "\n";
  for (std::size_t i = 0; i < plan.trace.size(); ++i) {
    const scenarios::SearchStep& step = plan.trace[i];
    text += fmt::format("{:>5}  {}; bound {:.6g}{}\n", i + 1, step.level, step.bound,
                        step.mean ? fmt::format(", is {:.6g}", *step.mean) : "");
    const std::string what = step.fate.empty() ? step.values : step.values + ": " + step.fate;
    text += "       " + wrapped(what, style.width, 7) + "\n";
  }
  const auto add = [&](const std::string& line) { text += "  " + wrapped(line, style.width, 4) + "\n"; };
  if (!plan.search.surrogate.empty()) add("then: " + plan.search.surrogate);
  for (const scenarios::Obstacle& one : plan.obstacles)
    add(fmt::format("infeasible by {}: {} configurations; nearest: {}", one.name, one.points, one.text));
  return text + "\n";
}

}  // namespace

std::string plan_text(const Plan& plan, const std::string& title, PlanDetail detail, const Style& style) {
  std::string text = wrapped(title, style.width, 0) + "\n\n";
  const bool explain = detail == PlanDetail::search;
  const bool interrupted = plan.stopped_by == scenarios::StoppedBy::interrupted;
  if (const std::string stopped = stopped_text(plan); !stopped.empty())
    text +=
        style.unsure(wrapped(stopped + (interrupted ? "" : " Undecided (exit status 3)."), style.width, 0)) + "\n\n";
  text += axes_text(plan, style);
  if (!plan.recommended) {
    text += obstacles_text(plan, style) + "\n" + warnings_text(plan, style);
    return text + (explain ? explain_text(plan, style) : "");
  }
  text += configuration_text(plan, style) + confidence_text(plan, style) + warnings_text(plan, style);
  text += figures_text(plan, style) + plan_ranges_text(plan, style) + plan_steps_text(plan, style);
  text += limits_text(plan, style) + events_text(plan, style);
  text += front_text(plan, style) + plan_options_text(plan, style);
  text += changes_text(plan, style) + rivals_text(plan, style);
  text += proof_line(plan, style);
  if (detail == PlanDetail::answer)
    return text + style.faint("--verbose adds the effect of more of each resource, closed forms, the runs.") + "\n";
  text += counts_line(plan, style) + "\n" + elasticities_text(plan, style);
  text += closed_forms_text(plan, style) + runs_text(plan, style);
  if (explain) text += explain_text(plan, style);
  text.pop_back();
  return text;
}

}  // namespace headrace::reports
