#include "reports/plan_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/confidence_text.hpp"
#include "reports/humane.hpp"
#include "reports/known_parameters.hpp"
#include "reports/plan_words.hpp"

namespace headrace::reports {
namespace {

/// "; uses 128 cores of 96": rooms that the recommendation does not fit; empty where it fits.
std::string exceeded_rooms(const Document& plan) {
  std::string text;
  for (const Document& room : at(plan, "rooms"))
    if (number_at(room, "needed") > number_at(room, "available") * (1.0 + 1e-9))
      text += fmt::format("; uses {} {} of {}", humane(number_at(room, "needed"), text_at(room, "unit")),
                          text_at(room, "name"), humane(number_at(room, "available"), text_at(room, "unit")));
  return text;
}

std::string value_text(const Document& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

std::string figure_text(const Document& point, const char* metric, const char* unit) {
  const Document& figure = at(at(point, "metrics"), metric);
  if (!at(figure, "mean").is_number()) return "-";
  const auto ends = interval_ends_at(figure, "ci95");
  const std::string mean = humane(number_at(figure, "mean"), unit);
  if (!ends) return mean;
  const std::string span = span_text(humane(ends->low, unit), humane(ends->high, unit));
  return span == mean ? mean : fmt::format("{} ({})", mean, span);
}

GateTable values_table(const Document& plan) {
  GateTable table{"Recommended configuration", {"parameter", "take", "today", "place"}, {}};
  const Document& today = at(at(plan, "today"), "configuration");
  for (const auto& [pointer, value] : at(at(plan, "recommended"), "configuration").items()) {
    const Document& was = at(today, pointer.c_str());
    table.rows.push_back(
        {words(decision_name(plan, pointer)), value_text(value), was.is_null() ? "-" : value_text(was), pointer});
  }
  return table;
}

GateTable figures_table(const Document& plan) {
  GateTable table{"Its figures (95 % interval of simulation noise)", {"figure", "recommended", "today"}, {}};
  for (const auto& [name, unit] : plan_figures(plan))
    table.rows.push_back({spoken_name(name), figure_text(at(plan, "recommended"), name, unit),
                          figure_text(at(plan, "today"), name, unit)});
  return table;
}

GateTable others_table(const Document& plan) {
  GateTable table{"Other configurations", {"configuration", "cost", "epoch", "GPUs wait for data"}, {}};
  for (const Document& point : at(plan, "alternatives"))
    table.rows.push_back({configuration_text(plan, point), figure_text(point, cost_figure(plan), "USD"),
                          figure_text(point, "epoch_time_s", "s"), figure_text(point, "gpu_idle_fraction", "1")});
  return table;
}

}  // namespace

bool is_priced(const Document& plan) {
  return number_at(at(at(at(plan, "recommended"), "metrics"), cost_figure(plan)), "mean") > 0.0;
}

const char* goal_metric(const Document& plan) {
  const std::string objective = text_at(plan, "objective");
  return objective == "epoch time"  ? "epoch_time_s"
         : objective == "idle GPUs" ? "gpu_idle_fraction"
                                    : cost_figure(plan);
}

std::vector<std::pair<const char*, const char*>> plan_figures(const Document& plan) {
  std::vector<std::pair<const char*, const char*>> figures{{"epoch_time_s", "s"}};
  const bool several = at(at(plan, "recommended"), "jobs").is_array();
  if (!several) figures.emplace_back("step_time_s", "s");  // a mean over different steps says nothing
  figures.emplace_back("gpu_idle_fraction", "1");
  if (at(at(at(at(plan, "recommended"), "metrics"), "goodput_fraction"), "mean").is_number())
    figures.emplace_back("goodput_fraction", "1");
  if (is_priced(plan)) figures.insert(figures.begin(), {cost_figure(plan), "USD"});
  return figures;
}

std::string decision_name(const Document& plan, const std::string& pointer) {
  for (const Document& decision : at(plan, "decisions"))
    if (text_at(decision, "parameter") == pointer) return text_at(decision, "name");
  return spoken_parameter(at(plan, "scenario"), pointer);
}

std::string configuration_text(const Document& plan, const Document& point) {
  std::string text;
  for (const auto& [pointer, value] : at(point, "configuration").items())
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", words(decision_name(plan, pointer)), value_text(value));
  return text;
}

PlanFinding plan_finding(const Document& plan) {
  const Document& best = at(plan, "recommended");
  const Document& search = at(plan, "search");
  const std::string sure = text_at(search, "explanation");
  const std::string stopped = text_at(plan, "stopped");
  if (!best.is_object()) {
    if (!stopped.empty()) return {"unsure", "No configuration was found in time", stopped};
    std::string line = "No configuration meets every limit";
    if (!at(plan, "obstacles").empty()) line += ": " + text_at(at(plan, "obstacles").front(), "name");
    return {"bad", line, sure};
  }
  const bool unmet = at(at(plan, "ranges"), "reached") == false;
  const bool proved = text_at(search, "proof") != "none" && stopped.empty();
  const std::string exceeded = exceeded_rooms(plan);
  PlanFinding found;
  const bool sure_of_it = proved && exceeded.empty() && !may_change_verdict(at(plan, "confidence"));
  found.tone = unmet ? "bad" : sure_of_it ? "good" : "unsure";
  found.line = (unmet ? "Not fed often enough; the best found: " : "Take ") + configuration_text(plan, best) + exceeded;
  const std::string why = text_at(at(plan, "ranges"), "why_not_today");
  const bool robust = at(at(plan, "ranges"), "nominal_is_recommended") == false;
  const std::string ranged = !why.empty() ? why : robust ? text_at(at(plan, "ranges"), "explanation") : std::string();
  const std::string points = at(search, "points").dump() + " configurations";
  found.meaning =
      (ranged.empty() ? fmt::format("Looked for: the least {} of {}; {}.", text_at(plan, "objective"), points, sure)
                      : fmt::format("{} {} were compared; {}.", ranged, points, sure)) +
      (stopped.empty() ? "" : " " + stopped);
  return found;
}

GateReport plan_report(const Document& plan) {
  const PlanFinding found = plan_finding(plan);
  GateReport report;
  report.verb = "plan";
  report.title = text_at(at(plan, "scenario"), "title");
  report.decision = models::Ruling::pass;
  report.headline = found.line + ". " + found.meaning;
  if (at(plan, "recommended").is_object()) {
    if (const std::string ranges = text_at(at(plan, "ranges"), "explanation");
        !ranges.empty() && at(at(plan, "ranges"), "nominal_is_recommended") != false)
      report.notes.push_back(ranges);
    if (std::string line = confidence_line(at(plan, "confidence"), "the recommended configuration"); !line.empty())
      report.notes.push_back(std::move(line));
    if (const std::string sets = text_at(at(plan, "recommended"), "sets"); !sets.empty())
      report.notes.push_back("Options that set it: " + sets);
    report.tables = {values_table(plan), figures_table(plan)};
    if (GateTable others = others_table(plan); !others.rows.empty()) report.tables.push_back(std::move(others));
  }
  for (const Document& one : at(plan, "obstacles"))
    report.notes.push_back(fmt::format("{}; nearest: {}", text_at(one, "name"), text_at(one, "text")));
  for (const Document& warning : at(plan, "warnings"))
    report.notes.push_back(
        fmt::format("{} ({}): {}", text_at(warning, "seen"), text_at(warning, "cause"), text_at(warning, "fix")));
  report.properties = {{"seed", at(plan, "seed").dump()},
                       {"model_version", text_at(plan, "model_version")},
                       {"scenario_sha256", text_at(plan, "scenario_sha256")}};
  return report;
}

}  // namespace headrace::reports
