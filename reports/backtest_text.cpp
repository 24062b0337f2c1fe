#include "reports/backtest_text.hpp"

#include <fmt/format.h>

#include "reports/humane.hpp"
#include "reports/text_layout.hpp"

namespace headrace::reports {
namespace {

using models::Backtest;
using models::BacktestRow;
using models::MeasuredRun;
using models::RowStatus;

using Rows = std::vector<std::vector<std::string>>;

constexpr std::size_t kLongestSystem = 22;

std::string shown(const std::optional<double>& value, int decimals) {
  return value ? fmt::format("{:.{}f}", *value, decimals) : "-";
}

std::string shown_number(const std::optional<double>& value) { return value ? humane_number(*value, 4) : "-"; }

std::string unit_of(const std::string& unit) { return unit == "points" ? " points" : " %"; }

std::string bars_text(const Backtest& backtest, const Style& style) {
  if (backtest.bars.empty()) return "";
  Rows rows{{"", "", "rows", "error", "guess", "aim", ""}};
  for (const models::Bar& bar : backtest.bars)
    rows.push_back({bar.id, bar.meaning, std::to_string(bar.count),
                    fmt::format("{} {:.2f}{}", bar.statistic, bar.value, unit_of(bar.unit)),
                    fmt::format("{:.2f}", bar.guess), fmt::format("{:g}", bar.limit), bar.met ? "met" : "missed"});
  return style.bold("Aims") + "\n" +
         table({{false, 0}, {false, 0}, {true, 0}, {false, 0}, {true, 0}, {true, 0}, {false, 0}}, rows) + "\n";
}

std::vector<std::string> error_row(const char* name, const models::ErrorSummary& summary, const char* unit) {
  if (summary.count == 0) return {name, "0", "-", "-", "-", "-", "-", "-", "-"};
  const auto value = [](double number) { return fmt::format("{:.2f}", number); };
  return {fmt::format("{} ({})", name, unit),
          std::to_string(summary.count),
          value(summary.median_abs_error),
          value(summary.mean_abs_error),
          value(summary.p90_abs_error),
          value(summary.largest_abs_error),
          value(summary.baseline_median_abs_error),
          value(summary.baseline_mean_abs_error),
          summary.skill ? value(*summary.skill) : "-"};
}

std::string errors_text(const Backtest& backtest, const Style& style) {
  Rows rows{{"", "rows", "median", "mean", "p90", "largest", "guess p50", "mean", "skill"}};
  rows.push_back(error_row("AU", backtest.au, "points"));
  rows.push_back(error_row("samples/s", backtest.samples_per_s, "%"));
  rows.push_back(error_row("largest count", backtest.max_accelerators, "%"));
  std::vector<Column> columns(9, {true, 0});
  columns[0].right = false;
  return style.bold("Absolute errors") + "\n" + table(columns, rows) + "\n";
}

std::string system_of(const MeasuredRun& run) {
  const std::string name = run.submitter.empty() ? run.system : run.submitter + " " + run.system;
  return name.size() <= kLongestSystem ? name : name.substr(0, kLongestSystem - 2) + "..";
}

/// Two tables, so that each fits a terminal: utilization, and what follows from it.
std::string rows_text(const Backtest& backtest, const std::vector<MeasuredRun>& runs, const Style& style) {
  Rows use{{"line", "system", "workload", "on", "count", "AU %", "was", "guess"}};
  Rows rates{{"line", "samples/s", "was", "largest", "was", "guess", "from"}};
  for (const BacktestRow& row : backtest.rows) {
    if (row.status != RowStatus::predicted) continue;
    const MeasuredRun& run = runs[row.run];
    const models::Prediction& prediction = row.prediction;
    const std::string line = std::to_string(run.line);
    use.push_back({line, system_of(run), run.figures.workload, run.figures.accelerator,
                   std::to_string(run.accelerators), shown(prediction.predicted.au_percent, 1),
                   shown(row.measured.au_percent, 1), shown(prediction.guess.au_percent, 1)});
    rates.push_back({line, shown_number(prediction.predicted.samples_per_s), shown_number(row.measured.samples_per_s),
                     shown(prediction.predicted.max_accelerators, 0), shown(row.measured.max_accelerators, 0),
                     shown(prediction.guess.max_accelerators, 1),
                     std::string(models::kBasisNames[static_cast<std::size_t>(prediction.basis)])});
  }
  if (use.size() == 1) return "";
  std::vector<Column> columns(8, {true, 0});
  for (const std::size_t left : {1U, 2U, 3U}) columns[left].right = false;
  std::vector<Column> rate_columns(7, {true, 0});
  rate_columns.back().right = false;
  return style.bold("Predicted against measured") + "\n" + table(columns, use) + "\n" + table(rate_columns, rates) +
         "\n";
}

/// What stands open about a run: the reason on lines of its own.
std::string open_line(const MeasuredRun& run, std::string_view what, const std::string& reason, const Style& style) {
  return fmt::format("  line {}: {} {} {}, {}:\n    {}\n", run.line, system_of(run), run.figures.workload,
                     run.figures.accelerator, what, wrapped(reason, style.width, 4));
}

std::string open_text(const Backtest& backtest, const std::vector<MeasuredRun>& runs, const Style& style) {
  std::string text;
  for (const BacktestRow& row : backtest.rows)
    if (!row.reason.empty())
      text += open_line(runs[row.run], row.status == RowStatus::not_predicted ? "not predicted" : "unused", row.reason,
                        style);
  for (const BacktestRow& row : backtest.rows)
    if (row.status == RowStatus::predicted && !row.prediction.no_max_reason.empty() && row.measured.max_accelerators)
      text += open_line(runs[row.run], "no largest count", row.prediction.no_max_reason, style);
  return text.empty() ? "" : style.bold("Not predicted") + "\n" + text + "\n";
}

}  // namespace

std::string backtest_text(const Backtest& backtest, const std::vector<MeasuredRun>& runs, const std::string& title,
                          const Style& style) {
  std::string text = fmt::format("{}\n{}: {} calibrate, {} predicted, {} not predicted\n\n", title,
                                 counted(backtest.calibrated + backtest.predicted + backtest.not_predicted, "row"),
                                 backtest.calibrated, backtest.predicted, backtest.not_predicted);
  text += bars_text(backtest, style);
  text += errors_text(backtest, style);
  text += rows_text(backtest, runs, style);
  text += open_text(backtest, runs, style);
  text += wrapped(
      "Guess: the AU of the calibrating rows, and their count scaled by demand per accelerator. Skill: 1 - mean error "
      "/ "
      "mean error of the guess. A prediction is no result of the benchmark.",
      style.width, 0);
  return text + "\n";
}

}  // namespace headrace::reports
