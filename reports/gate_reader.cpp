#include "reports/gate_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/document.hpp"
#include "reports/gate_cases.hpp"
#include "reports/humane.hpp"

namespace headrace::reports {
namespace {

using models::Ruling;

Ruling ruling_of(const Document& item) {
  const std::string word = text_at(item, "decision");
  for (std::size_t i = 0; i < std::size(models::kRulingNames); ++i)
    if (models::kRulingNames[i] == word) return static_cast<Ruling>(i);
  return Ruling::undecided;
}

std::optional<models::Interval> interval_of(const Document& object, const char* key) {
  const auto ends = interval_ends_at(object, key);
  return ends ? std::optional<models::Interval>({ends->low, ends->high}) : std::nullopt;
}

std::optional<double> known(const Document& object, const char* key) {
  const double value = number_at(object, key);
  return std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
}

models::PairedDifference difference_of(const Document& item) {
  models::PairedDifference difference;
  difference.metric = text_at(item, "metric");
  difference.before = number_at(item, "a");
  difference.after = number_at(item, "b");
  difference.mean = number_at(at(item, "difference"), "mean");
  difference.ci = interval_of(at(item, "difference"), "ci");
  difference.relative = known(at(item, "relative"), "mean");
  difference.relative_ci = interval_of(at(item, "relative"), "ci");
  return difference;
}

GateCase threshold_case(const Document& item) {
  models::Judgement judgement;
  judgement.threshold.metric = text_at(item, "metric");
  judgement.threshold.condition = text_at(item, "condition");
  judgement.value = known(item, "value");
  judgement.interval = interval_of(item, "interval");
  judgement.decision = ruling_of(item);
  judgement.reason = text_at(item, "reason");
  return gate_case(judgement);
}

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

GateCase regression_case(const Document& entry) {
  const models::PairedDifference difference = difference_of(entry);
  const bool relative = entry.value("relative_limit", false);
  GateCase item;
  item.group = "baseline";
  item.name = fmt::format("{} no worse by {} than accepted", difference.metric,
                          allowed_text(difference.metric, std::abs(number_at(entry, "allowed")), relative));
  item.decision = ruling_of(entry);
  tell_change(difference, relative, item);
  if (item.decision == Ruling::fail)
    item.reason = fmt::format("was {}, is {}", metric_text(difference.metric, difference.before),
                              metric_text(difference.metric, difference.after));
  if (item.decision == Ruling::undecided)
    item.reason = difference.ci ? "the interval of the change contains the allowed limit"
                                : "too little data for an interval of the change";
  return item;
}

GateCase inputs_case(const Document& inputs) {
  GateCase item;
  item.group = "inputs";
  item.name = fmt::format("{} of inputs pass", percent(number_at(inputs, "required"), 0));
  item.decision = ruling_of(inputs);
  item.value = fmt::format("{} of {}", at(inputs, "passed").dump(), at(inputs, "draws").dump());
  if (const auto share = interval_of(inputs, "share"))
    item.interval = fmt::format("{} to {}", percent(share->low), percent(share->high));
  const double open = number_at(inputs, "draws") - number_at(inputs, "passed") - number_at(inputs, "failed");
  if (open > 0.0) item.reason = fmt::format("{} failed, {:.0f} are undecided", at(inputs, "failed").dump(), open);
  return item;
}

/// What every gate's document says in the same words.
GateReport report_of(const Document& document, const char* verb) {
  GateReport report;
  report.verb = verb;
  report.headline = text_at(document, "headline");
  report.decision = ruling_of(document);
  for (const Document& note : at(document, "notes"))
    if (note.is_string()) report.notes.push_back(note.get<std::string>());
  for (const char* property : {"model_version", "catalogue_version", "scenario_sha256"})
    if (const std::string text = text_at(document, property); !text.empty())
      report.properties.emplace_back(property, text);
  return report;
}

std::vector<models::PairedDifference> differences_of(const Document& list) {
  std::vector<models::PairedDifference> differences;
  for (const Document& item : list) differences.push_back(difference_of(item));
  return differences;
}

GateTable inputs_table(const Document& inputs) {
  constexpr std::size_t kMostShown = 40;
  GateTable table{"Inputs that differ", {"value at", "A", "B", "B has it from"}, {}};
  for (const Document& input : inputs) {
    if (table.rows.size() == kMostShown) {
      table.rows.push_back({fmt::format("and {} more in --json", inputs.size() - kMostShown), "", "", ""});
      break;
    }
    const auto side = [&](const char* key) {
      const std::string text = text_at(input, key);
      return text.empty() ? std::string("-") : text;
    };
    table.rows.push_back({text_at(input, "pointer"), side("a"), side("b"), text_at(input, "origin")});
  }
  return table;
}

GateCase limit_case(const Document& limit, const std::vector<models::PairedDifference>& differences) {
  GateCase item;
  item.group = "fail-if";
  item.name = "not: " + text_at(limit, "fail_if");
  item.decision = ruling_of(limit);
  const std::string metric = text_at(limit, "metric");
  const auto found =
      std::find_if(differences.begin(), differences.end(), [&](const auto& d) { return d.metric == metric; });
  if (found == differences.end()) {
    item.reason = "one of the two has no such metric";
    return item;
  }
  const bool relative = limit.value("relative", false);
  tell_change(*found, relative, item);
  if (item.decision == Ruling::undecided)
    item.reason = (relative ? found->relative_ci : found->ci)
                      ? "the interval contains the limit: use more time (--max-wall)"
                      : "too little data for an interval: give it more time (--max-wall)";
  return item;
}

}  // namespace

GateReport check_report_of(const Document& document) {
  GateReport report = report_of(document, "check");
  const Document& outcome = at(document, "outcome");
  report.title = text_at(at(outcome, "scenario"), "title");
  for (const Document& item : at(document, "thresholds")) report.cases.push_back(threshold_case(item));
  if (at(document, "inputs").is_object()) report.cases.push_back(inputs_case(at(document, "inputs")));
  for (const Document& item : at(at(document, "baseline"), "regressions"))
    report.cases.push_back(regression_case(item));
  GateTable change = difference_table(differences_of(at(at(document, "baseline"), "model_change")));
  change.title = "Effect of the new models on the baseline scenario";
  if (!change.rows.empty()) report.tables.push_back(std::move(change));
  if (at(outcome, "seed").is_number()) report.properties.emplace_back("seed", at(outcome, "seed").dump());
  const Document& confidence = at(outcome, "confidence");
  if (const std::string grade = text_at(confidence, "grade"); !grade.empty())
    report.properties.emplace_back("confidence", grade);
  if (const std::string open = text_at(document, "open"); !open.empty())
    report.caution = fmt::format("The pass is {}.", open);
  return report;
}

GateReport compare_report_of(const Document& document) {
  GateReport report = report_of(document, "compare");
  report.title = fmt::format("A: {}, B: {}", text_at(at(document, "a"), "name"), text_at(at(document, "b"), "name"));
  const std::vector<models::PairedDifference> differences = differences_of(at(document, "differences"));
  std::vector<std::string> asked;
  for (const Document& limit : at(document, "limits")) {
    report.cases.push_back(limit_case(limit, differences));
    asked.push_back(text_at(limit, "metric"));
  }
  for (GateTable table : {inputs_table(at(document, "inputs")), difference_table(differences, asked)})
    if (!table.rows.empty()) report.tables.push_back(std::move(table));
  if (at(document, "seed").is_number()) report.properties.emplace_back("seed", at(document, "seed").dump());
  return report;
}

}  // namespace headrace::reports
