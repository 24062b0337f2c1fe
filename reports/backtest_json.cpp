#include "reports/backtest_json.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "reports/document_reader.hpp"
#include "reports/document_schema.hpp"
#include "reports/document_writer.hpp"

namespace headrace::models {

template <class V>
void describe(Observables& values, V& v) {
  v.number("au_percent", values.au_percent, "accelerator utilization, %");
  v.number("samples_per_s", values.samples_per_s, "of the whole run");
  v.number("max_accelerators", values.max_accelerators, "largest count that meets the threshold of the workload");
}

template <class V>
void describe(Bar& bar, V& v) {
  v.text("id", bar.id, "name of the aim");
  v.text("meaning", bar.meaning, "the rows that it speaks of");
  v.text("statistic", bar.statistic, "median, mean or largest of their absolute errors");
  v.text("unit", bar.unit, "of limit, value and guess: points, or % of the measurement");
  v.number("limit", bar.limit, "that the error must not exceed");
  v.count("count", bar.count, "rows that it speaks of");
  v.number("value", bar.value, "the error of the predictions");
  v.number("guess", bar.guess, "the error of the guess");
  v.flag("met", bar.met, "value is no more than limit");
}

}  // namespace headrace::models

namespace headrace::reports {
namespace {

using models::BacktestRow;
using models::RowStatus;

constexpr std::array<std::string_view, 2> kRoles = {"predict", "calibrate"};

/// Without rows nothing is known of their errors.
template <class V>
void describe_errors(const char* key, const char* unit, models::ErrorSummary& summary, V& v) {
  v.group(key, [&](auto& entry) {
    const auto error = [&](const char* name, double& value, std::string_view meaning) {
      std::optional<double> known;
      if (summary.count > 0) known = value;
      entry.number(name, known, meaning);
      if constexpr (V::kReads) value = known.value_or(value);
    };
    entry.derived("unit", "of the errors: points, or % of the measurement", [&] { return std::string(unit); });
    entry.count("count", summary.count, "rows with a prediction, a guess and a measurement");
    error("mean_abs_error", summary.mean_abs_error, "mean of the absolute errors, in unit");
    error("median_abs_error", summary.median_abs_error, "median of the absolute errors, in unit");
    error("p90_abs_error", summary.p90_abs_error, "90th percentile of the absolute errors, in unit");
    error("largest_abs_error", summary.largest_abs_error, "largest absolute error, in unit");
    error("mean_error", summary.mean_error, "mean of predicted less measured, in unit");
    error("baseline_mean_abs_error", summary.baseline_mean_abs_error, "mean absolute error of the guess, in unit");
    error("baseline_median_abs_error", summary.baseline_median_abs_error,
          "median absolute error of the guess, in unit");
    entry.number("skill", summary.skill,
                 "1 - mean error / mean error of the guess: 0 is no better than the guess, 1 is exact");
  });
}

template <class V>
void describe_row(BacktestRow& row, models::MeasuredRun& run, V& v) {
  auto role = static_cast<std::size_t>(run.calibrates);
  v.count("line", run.line, "in the table");
  v.text("submitter", run.submitter, "who published the row");
  v.text("system", run.system, "name of the system");
  v.text("workload", run.figures.workload, "name of the workload");
  v.text("accelerator", run.figures.accelerator, "model of the accelerators");
  v.count("hosts", run.hosts, "of the run");
  v.count("accelerators", run.accelerators, "of the run");
  v.choice("role", role, kRoles, "what the filter makes of the row");
  v.choice("status", row.status, models::kRowStatusNames, "what became of it");
  v.text_or_null("reason", row.reason, "why it is not used; null: it is");
  v.record("predicted", row.prediction.predicted, "without the row's own figures");
  v.record("measured", row.measured, "as published; the largest count at the largest row of a series");
  v.record("guess", row.prediction.guess, "from the calibrating rows, as a person would");
  std::optional<models::Basis> basis;
  std::optional<models::SystemFigures> capacity;
  std::string no_max_reason;
  if (row.status == RowStatus::predicted) {
    basis = row.prediction.basis;
    capacity = row.prediction.system;
    no_max_reason = row.prediction.no_max_reason;
  }
  v.choice("basis", basis, models::kBasisNames, "how near the calibrating rows are; null: it is not predicted");
  v.optional_of("capacity", capacity, "that the accelerators share; null: it is not predicted",
                [](models::SystemFigures& system, auto& entry) {
                  std::optional<double> known;
                  if (system.capacity_bytes_per_s > 0.0) known = system.capacity_bytes_per_s;
                  entry.number("bytes_per_s", known, "B/s; null: nothing is known of it");
                  if constexpr (V::kReads) system.capacity_bytes_per_s = known.value_or(0.0);
                  entry.choice("known", system.known, models::kCapacityKnownNames, "what the figure is");
                });
  v.text_or_null("max_accelerators_reason", no_max_reason, "why no largest count is predicted; null: one is");
  if constexpr (!V::kReads) return;
  run.calibrates = role == 1;
  row.prediction.basis = basis.value_or(row.prediction.basis);
  row.prediction.system = capacity.value_or(row.prediction.system);
  row.prediction.no_max_reason = no_max_reason;
}

}  // namespace

template <class V>
void describe(RecordedBacktest& recorded, V& v) {
  models::Backtest& backtest = recorded.backtest;
  v.constant("format_version", "1.0");
  v.text("model_version", recorded.model_version, "changes whenever predicted numbers change");
  v.list_of("rows", backtest.rows, "in the order of the table", [&](BacktestRow& row, auto& entry) {
    if constexpr (V::kReads) row.run = recorded.runs.size();
    if (row.run >= recorded.runs.size()) recorded.runs.resize(row.run + 1);
    describe_row(row, recorded.runs[row.run], entry);
  });
  v.group("summary", [&](auto& summary) {
    describe_errors("au", "points", backtest.au, summary);
    describe_errors("samples_per_s", "%", backtest.samples_per_s, summary);
    describe_errors("max_accelerators", "%", backtest.max_accelerators, summary);
    summary.count("calibrated", backtest.calibrated, "rows that describe their systems");
    summary.count("predicted", backtest.predicted, "rows that are predicted");
    summary.count("not_predicted", backtest.not_predicted, "rows that cannot be predicted");
  });
  v.list("bars", backtest.bars, "stated aims that some row speaks of");
}

nlohmann::ordered_json backtest_json(const RecordedBacktest& recorded) { return described_json(recorded); }

RecordedBacktest read_backtest(const nlohmann::ordered_json& document) {
  return read_described<RecordedBacktest>(document);
}

nlohmann::ordered_json backtest_schema() {
  return described_schema<RecordedBacktest>("Headrace backtest",
                                            "What headrace backtest answers. Generated by: headrace schema backtest",
                                            "[low, high]; null: not known");
}

}  // namespace headrace::reports
