#include "reports/gate_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "reports/document.hpp"
#include "reports/gate_cases.hpp"
#include "reports/humane.hpp"

namespace headrace::reports {
namespace {

using models::Ruling;

/// Value and interval of a change, relative or as it is.
void tell_change(const models::PairedDifference& difference, bool relative, GateCase& item) {
  item.value = relative && difference.relative ? relative_text(*difference.relative) : change_text(difference);
  if (relative && difference.relative_ci)
    item.interval = fmt::format("{} to {}", relative_text(difference.relative_ci->low),
                                relative_text(difference.relative_ci->high));
  else if (!relative && difference.ci)
    item.interval = interval_text(difference.metric, *difference.ci);
}

/// Of shares in points, whether the metric is one of 1 or of 100.
std::string allowed_text(const std::string& metric, double allowed, bool relative) {
  if (relative) return percent(allowed, 1);
  return fmt::format("{} points", humane_number(metric_unit(metric) == "%" ? allowed : 100.0 * allowed));
}

GateCase regression_case(const Regression& regression) {
  const models::PairedDifference& difference = regression.difference;
  const bool relative = regression.limit.relative;
  GateCase item;
  item.group = "baseline";
  item.name = fmt::format("{} no worse by {} than accepted", difference.metric,
                          allowed_text(difference.metric, std::abs(regression.limit.limit), relative));
  item.decision = regression.decision;
  tell_change(difference, relative, item);
  if (item.decision == Ruling::fail)
    item.reason = fmt::format("was {}, is {}", metric_text(difference.metric, difference.before),
                              metric_text(difference.metric, difference.after));
  if (item.decision == Ruling::undecided)
    item.reason = difference.ci ? "the interval of the change contains the allowed limit"
                                : "too little data for an interval of the change";
  return item;
}

GateCase inputs_case(const models::InputGate& inputs) {
  GateCase item;
  item.group = "inputs";
  item.name = fmt::format("{} of inputs pass", percent(inputs.required, 0));
  item.decision = inputs.decision;
  item.value = fmt::format("{} of {}", inputs.passed, inputs.draws);
  item.interval = fmt::format("{} to {} (99 %, by draws)", percent(inputs.share.low), percent(inputs.share.high));
  if (const std::uint64_t known = inputs.passed + inputs.failed; known < inputs.draws)
    item.reason = fmt::format("{} failed, {} are undecided", inputs.failed, inputs.draws - known);
  return item;
}

/// What every gate says in the same words. Versions that are not known are left out.
template <class Recorded>
GateReport gate_head_of(const Recorded& recorded, const char* verb,
                        std::initializer_list<std::pair<const char*, std::string>> properties) {
  GateReport report;
  report.verb = verb;
  report.headline = recorded.headline;
  report.decision = recorded.decision;
  report.notes = recorded.notes;
  for (const auto& [name, text] : properties)
    if (!text.empty()) report.properties.emplace_back(name, text);
  return report;
}

GateTable inputs_table(const std::vector<InputDifference>& inputs) {
  constexpr std::size_t kMostShown = 40;
  GateTable table{"Inputs that differ", {"value at", "A", "B", "B has it from"}, {}};
  for (const InputDifference& input : inputs) {
    if (table.rows.size() == kMostShown) {
      table.rows.push_back({fmt::format("and {} more in --json", inputs.size() - kMostShown), "", "", ""});
      break;
    }
    table.rows.push_back({input.pointer, input.before_text(), input.after_text(), input.origin_text()});
  }
  return table;
}

GateCase limit_case(const LimitedChange& limit, const std::vector<models::PairedDifference>& differences) {
  GateCase item;
  item.group = "fail-if";
  item.name = "not: " + limit.asked.text;
  item.decision = limit.decision;
  const auto found = std::find_if(differences.begin(), differences.end(),
                                  [&](const auto& d) { return d.metric == limit.asked.metric; });
  if (found == differences.end()) {
    item.reason = "one of the two has no such metric";
    return item;
  }
  tell_change(*found, limit.asked.relative, item);
  if (item.decision == Ruling::undecided)
    item.reason = (limit.asked.relative ? found->relative_ci : found->ci)
                      ? "the interval contains the limit: use more time (--max-wall)"
                      : "too little data for an interval: give it more time (--max-wall)";
  return item;
}

}  // namespace

GateReport check_report_of(const RecordedCheck& check) {
  GateReport report = gate_head_of(check, "check",
                                   {{"model_version", check.model_version},
                                    {"catalogue_version", check.catalogue_version},
                                    {"scenario_sha256", check.scenario_sha256}});
  report.title = text_at(at(check.outcome, "scenario"), "title");
  for (const models::Judgement& judgement : check.thresholds) report.cases.push_back(gate_case(judgement));
  if (check.inputs) report.cases.push_back(inputs_case(check.inputs->gate));
  if (check.baseline) {
    for (const Regression& regression : check.baseline->regressions)
      report.cases.push_back(regression_case(regression));
    GateTable change = difference_table(check.baseline->model_change);
    change.title = "Effect of the new models on the baseline scenario";
    if (!change.rows.empty()) report.tables.push_back(std::move(change));
  }
  if (at(check.outcome, "seed").is_number()) report.properties.emplace_back("seed", at(check.outcome, "seed").dump());
  if (const std::string grade = text_at(at(check.outcome, "confidence"), "grade"); !grade.empty())
    report.properties.emplace_back("confidence", grade);
  if (!check.open.empty()) report.caution = fmt::format("The pass is {}.", check.open);
  return report;
}

GateReport compare_report_of(const RecordedComparison& comparison) {
  GateReport report = gate_head_of(comparison, "compare", {{"model_version", comparison.model_version}});
  report.title = fmt::format("A: {}, B: {}", comparison.a.name, comparison.b.name);
  std::vector<std::string> asked;
  for (const LimitedChange& limit : comparison.limits) {
    report.cases.push_back(limit_case(limit, comparison.differences));
    asked.push_back(limit.asked.metric);
  }
  for (GateTable table : {inputs_table(comparison.inputs), difference_table(comparison.differences, asked)})
    if (!table.rows.empty()) report.tables.push_back(std::move(table));
  if (comparison.seed) report.properties.emplace_back("seed", std::to_string(*comparison.seed));
  return report;
}

}  // namespace headrace::reports
