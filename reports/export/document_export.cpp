#include "reports/export/document_export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "models/outcome/largest_parts.hpp"
#include "reports/campaign_export.hpp"
#include "reports/confidence_text.hpp"
#include "reports/decision_report.hpp"
#include "reports/export/document_page.hpp"
#include "reports/gate_cases.hpp"
#include "reports/gate_json.hpp"
#include "reports/gate_reader.hpp"
#include "reports/growth_json.hpp"
#include "reports/humane.hpp"
#include "reports/outcome_json.hpp"
#include "reports/outcome_reader.hpp"
#include "reports/plan_report.hpp"
#include "reports/tender/tender.hpp"
#include "reports/verdict_text.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::reports {
namespace {

using Row = std::vector<std::string>;

/// RFC 4180, as the tables of sweeps.
std::string csv(const std::vector<Row>& rows) {
  std::string text;
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      text += i > 0 ? "," : "";
      if (row[i].find_first_of(",\"\r\n") == std::string::npos) {
        text += row[i];
        continue;
      }
      text += '"';
      for (const char c : row[i]) text += c == '"' ? std::string("\"\"") : std::string(1, c);
      text += '"';
    }
    text += "\r\n";
  }
  return text;
}

std::string cell(const Document& value) {
  if (value.is_number_float()) return scenarios::print_number(value.get<double>());
  if (value.is_string()) return value.get<std::string>();
  return value.is_null() ? "" : value.dump();
}

std::string end_cell(const Document& object, const char* key, std::size_t end) {
  const Document& ends = at(object, key);
  return ends.is_array() && ends.size() == 2 ? cell(ends[end]) : "";
}

std::vector<Row> metric_rows(const Document& outcome) {
  std::vector<Row> rows{
      {"metric", "unit", "mean", "ci95 low", "ci95 high", "input range low", "input range high", "kind"}};
  for (const auto& [name, metric] : at(outcome, "metrics").items())
    rows.push_back({name, text_at(metric, "unit"), cell(at(metric, "mean")), end_cell(metric, "ci95", 0),
                    end_cell(metric, "ci95", 1), end_cell(metric, "input_range", 0), end_cell(metric, "input_range", 1),
                    text_at(metric, "kind")});
  return rows;
}

std::string number_cell(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? scenarios::print_number(*value) : "";
}

/// Values of a row, and the ends of an interval after them.
void add_numbers(Row& row, std::initializer_list<std::optional<double>> values,
                 const std::optional<models::Interval>& interval) {
  for (const std::optional<double>& value : values) row.push_back(number_cell(value));
  row.push_back(interval ? number_cell(interval->low) : "");
  row.push_back(interval ? number_cell(interval->high) : "");
}

std::vector<Row> threshold_rows(const RecordedCheck& check) {
  std::vector<Row> rows{{"metric", "condition", "unit", "limit", "value", "low", "high", "decision", "reason"}};
  for (const models::Judgement& item : check.thresholds) {
    const models::Threshold& threshold = item.threshold;
    Row& row =
        rows.emplace_back(Row{threshold.metric, threshold.condition, std::string(metric_unit(threshold.metric))});
    add_numbers(row, {threshold.limit, item.value}, item.interval);
    row.emplace_back(models::kRulingNames[static_cast<std::size_t>(item.decision)]);
    row.push_back(item.reason);
  }
  return rows;
}

std::vector<Row> difference_rows(const RecordedComparison& comparison) {
  std::vector<Row> rows{{"metric", "unit", "a", "b", "difference", "low", "high", "relative"}};
  for (const models::PairedDifference& item : comparison.differences) {
    Row& row = rows.emplace_back(Row{item.metric, std::string(metric_unit(item.metric))});
    add_numbers(row, {item.before, item.after, item.mean}, item.ci);
    row.push_back(number_cell(item.relative));
  }
  return rows;
}

std::vector<Row*> rows_with_header(GateTable& table) {
  std::vector<Row*> rows{&table.header};
  for (Row& row : table.rows) rows.push_back(&row);
  return rows;
}

/// Which stages the GPUs wait for, and what an instant stage would gain where that was simulated.
GateTable waits_table(const models::Outcome& spoken) {
  constexpr double kShown = 5e-5;  // what rounds to 0.01 %
  const bool has_gains = !spoken.relief.empty();
  GateTable waits{"Waits of the GPUs", {"stage", "share of GPU time"}, {}};
  if (has_gains) waits.header.push_back("gain if removed");
  for (std::size_t i = 0; i < models::kStageNames.size(); ++i) {
    const auto stage = static_cast<models::Stage>(i);
    const double waited = models::share_of(spoken.blame, stage);
    const models::StageShare* gain = models::find_share(spoken.relief, stage);
    if (waited < kShown && (gain == nullptr || gain->mean < kShown)) continue;
    waits.rows.push_back({std::string(models::name(stage)), percent(waited, 2)});
    if (has_gains) waits.rows.back().push_back(gain == nullptr ? "-" : percent(gain->mean, 2));
  }
  return waits;
}

/// An outcome as a gate without limits: verdict, key figures, what the GPUs wait for.
GateReport outcome_report(const Document& outcome) {
  const models::Outcome spoken = outcome_of(outcome);
  GateReport report;
  report.verb = "outcome";
  report.title = text_at(at(outcome, "scenario"), "title");
  report.decision = spoken.verdict == models::Verdict::inconclusive ? models::Ruling::undecided : models::Ruling::pass;
  report.headline = verdict_line(spoken) + ". " + verdict_meaning(spoken);
  GateTable figures{"Figures", {"metric", "mean", std::string(kNoiseInterval), "over input ranges"}, {}};
  for (const auto& [name, metric] : at(outcome, "metrics").items()) {
    const std::string unit = text_at(metric, "unit");
    const auto range = [&metric = metric, &unit](const char* key) {
      const auto ends = interval_ends_at(metric, key);
      return ends ? span_text(humane(ends->low, unit), humane(ends->high, unit)) : std::string("-");
    };
    figures.rows.push_back(
        {spoken_name(name), humane(number_at(metric, "mean"), unit), range("ci95"), range("input_range")});
  }
  // Without ranges there is nothing to say of them.
  if (std::all_of(figures.rows.begin(), figures.rows.end(), [](const Row& row) { return row.back() == "-"; }))
    for (Row* row : rows_with_header(figures)) row->pop_back();
  GateTable waits = waits_table(spoken);
  for (GateTable* table : {&figures, &waits})
    if (!table->rows.empty()) report.tables.push_back(std::move(*table));
  if (spoken.remedy) report.notes.push_back(remedy_note(spoken));
  if (std::string line = confidence_line(at(outcome, "confidence")); !line.empty())
    report.notes.push_back(std::move(line));
  for (const models::Warning& warning : spoken.warnings) report.notes.push_back(warning.seen + ": " + warning.fix);
  for (const char* property : {"model_version", "catalogue_version", "scenario_sha256"})
    if (const std::string text = text_at(outcome, property); !text.empty())
      report.properties.emplace_back(property, text);
  return report;
}

/// The words of a gate's head are those of a verdict.
std::string outcome_markdown(const Document& outcome) {
  const std::string text = gate_markdown(outcome_report(outcome));
  const models::Outcome spoken = outcome_of(outcome);
  return "## " + spoken_verdict(spoken.verdict) + text.substr(text.find('\n'));
}

std::string formats_of(DocumentKind kind) {
  switch (kind) {
    case DocumentKind::outcome:
      return "html, json, csv, markdown or openmetrics";
    case DocumentKind::check:
      return "html, json, csv, markdown, junit or openmetrics";
    case DocumentKind::compare:
      return "html, json, csv, markdown or junit";
    case DocumentKind::requirements:
      return "html, json or markdown";
    case DocumentKind::most_fed:
      return "json";
    case DocumentKind::campaign:
    case DocumentKind::fleet:
    case DocumentKind::bakeoff:
    case DocumentKind::total_cost:
      return "html, json, csv or markdown";
    case DocumentKind::plan:
      return "html, json or markdown";
    case DocumentKind::growth:
      return "html, json or csv";
    default:
      return "html or json";
  }
}

/// A bakeoff or a total cost; nothing where it has no such form, or is not whole.
std::optional<std::string> decision_export(const Document& document, DocumentKind kind, std::string_view format) {
  const bool table = format == "csv";
  if (!table && format != "markdown") return std::nullopt;
  if (kind == DocumentKind::bakeoff)
    if (const auto bakeoff = scenarios::read_bakeoff("document", document.dump()))
      return table ? bakeoff_csv(*bakeoff) : gate_markdown(bakeoff_report(*bakeoff));
  if (kind == DocumentKind::total_cost)
    if (const auto cost = scenarios::read_total_cost("document", document.dump()))
      return table ? scenarios::cash_flow_csv(cost->answer.cash_flow) : gate_markdown(total_cost_report(*cost));
  return std::nullopt;
}

}  // namespace

tl::expected<std::string, ExportError> document_export(const Document& document, std::string_view format) {
  const DocumentKind kind = kind_of(document);
  if (kind != DocumentKind::unknown && format == "json") return json_text(document);
  if (kind == DocumentKind::growth && format == "csv") return growth_csv(document);
  if (kind == DocumentKind::outcome && format == "csv") return csv(metric_rows(document));
  if (kind == DocumentKind::outcome && format == "markdown") return outcome_markdown(document);
  if (kind == DocumentKind::check && format == "csv") return csv(threshold_rows(read_check(document)));
  if (kind == DocumentKind::check && format == "markdown") return gate_markdown(check_report_of(read_check(document)));
  if (kind == DocumentKind::check && format == "junit") return junit_xml(check_report_of(read_check(document)));
  if (kind == DocumentKind::compare && format == "csv") return csv(difference_rows(read_comparison(document)));
  if (kind == DocumentKind::compare && format == "markdown")
    return gate_markdown(compare_report_of(read_comparison(document)));
  if (kind == DocumentKind::compare && format == "junit")
    return junit_xml(compare_report_of(read_comparison(document)));
  if (kind == DocumentKind::requirements && format == "markdown") return tender_markdown(tender_of(document, {}));
  if (kind == DocumentKind::campaign && format == "csv") return csv(campaign_rows(document));
  if (kind == DocumentKind::campaign && format == "markdown") return campaign_markdown(document);
  if (kind == DocumentKind::fleet && format == "csv") return csv(fleet_rows(document));
  if (kind == DocumentKind::fleet && format == "markdown") return fleet_markdown(document);
  if (kind == DocumentKind::plan && format == "markdown") return gate_markdown(plan_report(document));
  if (auto text = decision_export(document, kind, format)) return std::move(*text);
  if (kind == DocumentKind::unknown)
    return tl::unexpected(ExportError{"it is no document of this program", "give a document of --json"});
  return tl::unexpected(ExportError{
      fmt::format("this document has no form as {}", format),
      fmt::format("--format {}{}", formats_of(kind), kind == DocumentKind::plan ? ", or --memo for one page" : "")});
}

}  // namespace headrace::reports
