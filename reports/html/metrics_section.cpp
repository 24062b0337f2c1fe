// Every figure with what simulation leaves open and what the inputs leave open, told apart.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/figure_table.hpp"
#include "reports/gate_cases.hpp"
#include "reports/html/bars.hpp"
#include "reports/html/figure_notes.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/outcome_sections.hpp"
#include "reports/html/prices.hpp"
#include "reports/humane.hpp"
#include "reports/outcome_reader.hpp"

namespace headrace::reports {
namespace {

/// A scale that shows both intervals with some room; at least 5 % of the mean on both sides, so that a narrow interval
/// looks narrow.
Ends scale_around(double mean, const std::optional<Ends>& noise, const std::optional<Ends>& inputs) {
  double arm = std::abs(mean) * 0.05;
  for (const auto& interval_ends : {noise, inputs})
    if (interval_ends) arm = std::max({arm, mean - interval_ends->low, interval_ends->high - mean});
  return {mean - arm * 1.1, mean + arm * 1.1};
}

std::string why(const std::string& label, const std::string& name) {
  const std::string note = figure_note(name);
  return note.empty() ? escaped(words(name)) : note_behind(escaped(label), note);
}

std::vector<std::string> metric_row(const std::string& label, const std::string& name, const Document& metric,
                                    bool input_ranges, bool no_prices) {
  const std::string unit = metric.value("unit", std::string("1"));
  const double mean = number_at(metric, "mean");
  const auto noise = interval_ends_at(metric, "ci95");
  const auto inputs = interval_ends_at(metric, "input_range");
  std::vector<std::string> row{why(label, name), mean_cell(metric, no_prices)};
  if (no_prices && unit == "USD") {
    row.insert(row.end(), input_ranges ? 3 : 2, "");
    return row;
  }
  row.push_back(noise || inputs ? interval_drawing(mean, noise, inputs, scale_around(mean, noise, inputs)) : "");
  const std::string kind = metric.value("kind", std::string());
  row.push_back(noise ? interval(at(metric, "ci95"), at(metric, "mean"), unit)
                      : escaped(kind == "simulated" ? "no interval" : kind_text(kind, name)));
  if (input_ranges) row.push_back(inputs ? interval(at(metric, "input_range"), at(metric, "mean"), unit) : "&ndash;");
  return row;
}

bool is_watched(std::string_view metric) {
  return std::find(kWatchedMetrics.begin(), kWatchedMetrics.end(), metric) != kWatchedMetrics.end();
}

const Document* drawn_input(const Document& inputs, const std::string& parameter) {
  for (const Document& drawn : at(inputs, "drawn"))
    if (text_at(drawn, "parameter") == parameter) return &drawn;
  return nullptr;
}

/// "420 ms at 20 GB/s"
std::string bar_end(const Document& value, std::string_view unit, const Document* drawn, const char* end) {
  std::string text = number(value, unit);
  if (drawn == nullptr) return text;
  const std::string input_unit = text_at(*drawn, "unit");
  return text + " at " + number(at(*drawn, end), input_unit == "1" ? "" : input_unit);
}

std::string tornado_table(const std::string& metric, const Document& tornado, const Document& inputs,
                          const Document& metrics) {
  const std::string unit = text_at(at(metrics, metric.c_str()), "unit");
  const double middle = number_at(tornado, "middle");
  Ends scale{middle, middle};
  for (const Document& bar : at(tornado, "bars"))
    for (const char* end : {"at_low", "at_high"})
      scale = {std::min(scale.low, number_at(bar, end)), std::max(scale.high, number_at(bar, end))};
  std::vector<std::vector<std::string>> rows;
  for (const Document& bar : at(tornado, "bars")) {
    const std::string parameter = text_at(bar, "parameter");
    const Document* drawn = drawn_input(inputs, parameter);
    rows.push_back({"<code>" + escaped(parameter) + "</code>",
                    tornado_drawing(number_at(bar, "at_low"), middle, number_at(bar, "at_high"), scale),
                    bar_end(at(bar, "at_low"), unit, drawn, "low"), bar_end(at(bar, "at_high"), unit, drawn, "high")});
  }
  return "<p>" + escaped(spoken_name(metric)) + " in the middle: <b>" + number(at(tornado, "middle"), unit) +
         "</b></p>" +
         html_table(fmt::format("{} at the ends of each range", spoken_name(metric)),
                    {{"input"}, {""}, {"at the low end of its range", true}, {"at the high end", true}}, rows);
}

/// How far each input alone moves a figure, and which way.
std::string tornado_text(const Document& outcome, const Document& inputs) {
  std::string tables;
  for (const auto& [metric, tornado] : at(inputs, "tornado").items())
    tables += tornado_table(metric, tornado, inputs, at(outcome, "metrics"));
  if (tables.empty()) return tables;
  const double steps = number_at(inputs, "steps");
  return "<h3>Tornado: each input at the ends of its range</h3><p>One input at the <span class=\"key five\"></span>low "
         "or the <span class=\"key six\"></span>high end of its range, all others as the scenario states them, " +
         std::string(steps > 0.0 ? "simulated for " + count(at(inputs, "steps")) +
                                       " steps with the same random draws. "
                                       "The middle is the scenario simulated for as long."
                                 : "answered at the level of this outcome.") +
         " The widest bars first.</p>" + part_note("tornado") + tables;
}

}  // namespace

std::string metrics_section(const Document& outcome) {
  const Document& metrics = at(outcome, "metrics");
  bool input_ranges = false;
  for (const auto& [name, metric] : metrics.items()) input_ranges = input_ranges || metric.contains("input_range");
  bool simulated = false;
  for (const auto& [name, metric] : metrics.items()) simulated = simulated || text_at(metric, "kind") == "simulated";
  std::vector<std::vector<std::string>> rows;
  const bool no_prices = has_no_prices(metrics);
  const models::Outcome spoken = outcome_of(outcome);
  for (const models::Metric& metric : spoken.metrics)
    if (const auto found = metrics.find(metric.name); found != metrics.end())
      rows.push_back(metric_row(figure_label(metric.name, spoken), metric.name, *found, input_ranges,
                                no_prices || has_no_price(metric, spoken)));
  std::vector<TableColumn> columns = {{"figure"}, {"mean", true}, {""}, {std::string(kNoiseInterval)}};
  if (input_ranges) columns.push_back({"over the input ranges, p10 to p90"});
  const std::string noise =
      simulated ? "<span class=\"key one\"></span>95 % interval of simulation noise" : "No figure has simulation noise";
  return "<p>" + noise +
         std::string(input_ranges ? "<span aria-hidden=\"true\">; </span><span class=\"key two\"></span>p10 to p90 of "
                                    "what the inputs leave open. "
                                  : "; all for the inputs as stated (" + command_html("--inputs ranges") +
                                        " shows what they leave open). ") +
         "The drawing spans at least 5 % around the mean. A bound holds always, an estimate has no interval. "
         "Open a figure for its meaning, formula, inputs and source.</p>" +
         (simulated ? part_note("ci95") : "") + (input_ranges ? part_note("input_range") : "") +
         html_table("Figures of the whole cluster", columns, rows);
}

std::string drivers_section(const Document& outcome) {
  const auto inputs = outcome.find("inputs");
  if (inputs == outcome.end()) return {};
  std::string others;
  std::string html = "<p>Share of each figure's variance over the input ranges that one input alone causes.</p>" +
                     part_note("drivers");
  const auto range_of = [&](const std::string& parameter) -> const Document* {
    for (const Document& drawn : at(*inputs, "drawn"))
      if (drawn.value("parameter", std::string()) == parameter) return &drawn;
    return nullptr;
  };
  for (const auto& [metric, effects] : at(*inputs, "drivers").items()) {
    std::vector<std::vector<std::string>> rows;
    for (const Document& effect : effects) {
      if (!(number_at(effect, "share") >= 0.005) || rows.size() == 6) continue;
      const std::string parameter = effect.value("parameter", std::string());
      const Document* drawn = range_of(parameter);
      const std::string unit = drawn != nullptr ? drawn->value("unit", std::string()) : "";
      const std::string shown_unit = unit == "1" ? "" : unit;
      rows.push_back({"<code>" + escaped(parameter) + "</code>",
                      bar_drawing(number_at(effect, "share"), 1.0, {}, "two"), share(at(effect, "share")),
                      drawn != nullptr
                          ? number(at(*drawn, "low"), shown_unit) + " to " + number(at(*drawn, "high"), shown_unit)
                          : "&ndash;",
                      drawn != nullptr ? escaped(drawn->value("evidence", std::string())) : "&ndash;"});
    }
    if (rows.empty()) continue;
    const std::string table =
        html_table(spoken_name(metric),
                   {{"input"}, {""}, {"share of variance", true}, {"range"}, {"evidence of the value"}}, rows);
    (is_watched(metric) ? html : others) += table;
  }
  html += tornado_text(outcome, *inputs);
  if (!others.empty()) html += "<details><summary>The other figures</summary>" + others + "</details>";
  std::string next;
  for (const Document& parameter : at(*inputs, "measure_next"))
    next += "<li><code>" + escaped(parameter.get<std::string>()) + "</code></li>";
  if (!next.empty()) html = "<p>Measure these next; they decide most:</p><ol>" + next + "</ol>" + html;
  return html;
}

}  // namespace headrace::reports
