#include "reports/html/backtest_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "reports/html/markup.hpp"
#include "reports/html/measured_section.hpp"
#include "reports/humane.hpp"

namespace headrace::reports {
namespace {

using models::BacktestRow;
using models::ErrorSummary;
using models::Observables;
using models::RowStatus;

struct Observable {
  const char* key;
  std::optional<double> Observables::*value;
  ErrorSummary models::Backtest::*errors;
  const char* title;
  const char* unit;
  bool in_points;
  bool log;
};

constexpr Observable kObservables[] = {
    {"au_percent", &Observables::au_percent, &models::Backtest::au, "Accelerator utilization (AU)", "%", true, false},
    {"samples_per_s", &Observables::samples_per_s, &models::Backtest::samples_per_s, "Samples per second", "1/s", false,
     true},
    {"max_accelerators", &Observables::max_accelerators, &models::Backtest::max_accelerators,
     "Largest count of accelerators", "", false, true}};

std::string row_name(const RecordedBacktest& recorded, const BacktestRow& row) {
  const models::MeasuredRun& run = recorded.runs[row.run];
  return fmt::format("{} {}, {} on {} {}", run.submitter, run.system, run.figures.workload, run.accelerators,
                     run.figures.accelerator);
}

Document known(const std::optional<double>& value) { return value ? Document(*value) : Document(); }

MeasuredComparison comparison_of(const RecordedBacktest& recorded, const Observable& observable) {
  MeasuredComparison comparison{
      observable.title, observable.unit, observable.in_points, observable.log, "guess from the calibrating rows", {}};
  for (const BacktestRow& row : recorded.backtest.rows) {
    if (row.status != RowStatus::predicted) continue;
    const models::Prediction& prediction = row.prediction;
    comparison.points.push_back({row_name(recorded, row), known(prediction.predicted.*observable.value),
                                 known(row.measured.*observable.value), known(prediction.guess.*observable.value),
                                 words(models::kBasisNames[static_cast<std::size_t>(prediction.basis)])});
  }
  return comparison;
}

std::string in_unit(double value, bool in_points) {
  return spelled_number(value, fmt::format("{:.2f}{}", value, in_points ? " points" : " %"));
}

std::string backtest_tiles(const models::Backtest& backtest) {
  std::string html;
  for (const Observable& observable : kObservables) {
    const ErrorSummary& errors = backtest.*observable.errors;
    if (errors.count == 0) continue;
    html += fmt::format(
        "<li><span>{}, mean error</span><b>{}</b><span>guess: {}</span><span>skill {} of {} rows</span></li>",
        escaped(observable.title), in_unit(errors.mean_abs_error, observable.in_points),
        in_unit(errors.baseline_mean_abs_error, observable.in_points), number(known(errors.skill), "", 3),
        count(errors.count));
  }
  return html.empty() ? html : "<ul class=\"tiles\">" + html + "</ul>";
}

std::string backtest_head(const models::Backtest& backtest) {
  const auto& bars = backtest.bars;
  const auto met =
      static_cast<std::size_t>(std::count_if(bars.begin(), bars.end(), [](const auto& b) { return b.met; }));
  const std::string line =
      bars.empty() ? "No aim speaks of these rows" : fmt::format("{} of {} aims met", met, bars.size());
  const std::string meaning = fmt::format(
      "{} rows calibrate their systems, {} are predicted without their own figures, {} cannot be predicted.",
      backtest.calibrated, backtest.predicted, backtest.not_predicted);
  return verdict_box(bars.empty()         ? "unsure"
                     : met == bars.size() ? "good"
                                          : "bad",
                     line, meaning) +
         backtest_tiles(backtest);
}

std::string aims_section(const models::Backtest& backtest) {
  std::vector<std::vector<std::string>> rows;
  for (const models::Bar& bar : backtest.bars) {
    const bool in_points = bar.unit == "points";
    rows.push_back({escaped(bar.id), escaped(bar.meaning), count(bar.count), escaped(bar.statistic),
                    in_unit(bar.value, in_points), in_unit(bar.limit, in_points), in_unit(bar.guess, in_points),
                    bar.met ? "met" : "missed"});
  }
  if (rows.empty()) return {};
  return html_table(
      "Errors are absolute",
      {{"aim"}, {"about"}, {"rows", true}, {"statistic"}, {"error", true}, {"aim", true}, {"guess", true}, {"result"}},
      rows);
}

std::string errors_section(const models::Backtest& backtest) {
  std::vector<std::vector<std::string>> rows;
  for (const Observable& observable : kObservables) {
    const ErrorSummary& errors = backtest.*observable.errors;
    if (errors.count == 0) continue;
    std::vector<std::string> row{escaped(observable.title), count(errors.count)};
    for (const double error :
         {errors.median_abs_error, errors.mean_abs_error, errors.p90_abs_error, errors.largest_abs_error,
          errors.mean_error, errors.baseline_median_abs_error, errors.baseline_mean_abs_error})
      row.push_back(in_unit(error, observable.in_points));
    row.push_back(errors.skill ? number(*errors.skill, "", 3) : "&ndash;");
    rows.push_back(std::move(row));
  }
  if (rows.empty()) return {};
  return "<p>Skill is 1 - mean error / mean error of the guess: 0 is no better than the guess, 1 is exact. The guess "
         "takes the utilization of the calibrating rows, and scales their count by the demand per accelerator.</p>" +
         html_table("Absolute errors, and the signed mean",
                    {{"figure"},
                     {"rows", true},
                     {"median", true},
                     {"mean", true},
                     {"p90", true},
                     {"largest", true},
                     {"signed mean", true},
                     {"guess, median", true},
                     {"guess, mean", true},
                     {"skill", true}},
                    rows);
}

std::string folded(const std::string& head, const std::string& table) {
  return "<details><summary>" + escaped(head) + "</summary>" + table + "</details>";
}

std::string calibrating_section(const RecordedBacktest& recorded) {
  std::vector<std::vector<std::string>> rows;
  const auto cell = [](const std::optional<double>& value, const char* unit) {
    return value ? number(*value, unit) : std::string("&ndash;");
  };
  for (const BacktestRow& row : recorded.backtest.rows)
    if (row.status == RowStatus::calibrated)
      rows.push_back({escaped(row_name(recorded, row)), count(recorded.runs[row.run].line),
                      cell(row.measured.au_percent, "%"), cell(row.measured.samples_per_s, "1/s")});
  if (rows.empty()) return {};
  return "<p>Their figures describe their systems; none of them is predicted.</p>" +
         folded(counted(rows.size(), "row"),
                html_table("Rows that calibrate", {{"row"}, {"line", true}, {"AU", true}, {"samples/s", true}}, rows));
}

std::string reasons(const std::string& head, const char* caption, const std::vector<std::vector<std::string>>& rows) {
  return rows.empty() ? "" : folded(head, html_table(caption, {{"row"}, {"line", true}, {"why"}}, rows));
}

/// Rows that cannot be predicted, apart from those that are and only lack a largest count to hold against the measured
/// one.
std::string open_section(const RecordedBacktest& recorded) {
  std::vector<std::vector<std::string>> open;
  std::vector<std::vector<std::string>> unused;
  std::vector<std::vector<std::string>> no_count;
  const auto cells = [&](const BacktestRow& row, const std::string& why) {
    return std::vector{escaped(row_name(recorded, row)), count(recorded.runs[row.run].line), escaped(why)};
  };
  for (const BacktestRow& row : recorded.backtest.rows) {
    if (row.status == RowStatus::not_predicted)
      open.push_back(cells(row, row.reason));
    else if (!row.reason.empty())
      unused.push_back(cells(row, row.reason));
    if (row.status == RowStatus::predicted && !row.prediction.no_max_reason.empty() && row.measured.max_accelerators)
      no_count.push_back(cells(row, row.prediction.no_max_reason));
  }
  return reasons(counted(open.size(), "row") + " not predicted", "Not predicted", open) +
         reasons(counted(unused.size(), "unused row"), "Unused", unused) +
         reasons(counted(no_count.size(), "predicted row") + " without a largest count", "No largest count", no_count);
}

}  // namespace

std::string backtest_page(const RecordedBacktest& recorded, const PageFacts& facts) {
  Page page;
  page.title = facts.title.empty() ? "Backtest" : facts.title;
  page.head = backtest_head(recorded.backtest);
  page.sections = {{"aims", "Aims", aims_section(recorded.backtest)}};
  for (const Observable& observable : kObservables)
    page.sections.push_back({observable.key, observable.title, measured_section(comparison_of(recorded, observable))});
  page.sections.push_back({"errors", "Errors and skill", errors_section(recorded.backtest)});
  page.sections.push_back({"open", "Left out", open_section(recorded)});
  page.sections.push_back({"calibrating", "Basis", calibrating_section(recorded)});
  page.sections.push_back({"repeat", "Repeat it",
                           command_block(facts.command) + "<p>Models " + escaped(recorded.model_version) +
                               ". A prediction is no result of the benchmark.</p>"});
  return html_page(page);
}

}  // namespace headrace::reports
