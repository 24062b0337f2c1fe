// The part of docs/accuracy.md on 85 training rows of MLPerf Storage v1.0, predicted by `headrace backtest`.
#include <cmath>
#include <functional>

#include "models/backtest/backtest.hpp"
#include "scenarios/importers/measurements.hpp"
#include "scenarios/importers/workload_figures.hpp"
#include "tests/catch.hpp"
#include "tests/golden.hpp"
#include "tests/validation/accuracy.hpp"

namespace headrace::testing {

namespace {

constexpr const char* kTrainingSection =
    "## MLPerf Storage v1.0, training\n"
    "\n"
    "Source: mlcommons/storage_results_v1.0 at 64c2ce48, Apache-2.0, "
    "`tests/validation/data/mlperf_storage_results.csv`, 85\n"
    "rows. Split: `headrace backtest --from`, as named in the table; a system predicts only itself. The seven "
    "constants of the\n"
    "predictor were chosen on these rows; with one submitter left out the median error of the counts stays 1.7 %\n"
    "([validation](validation.md)). Plain rule: AU does not change, counts scale with the demand of an accelerator.\n"
    "\n"
    "Do not expect these errors of another system: on 12 pairs of rows of systems that were unknown when the constants "
    "were\n"
    "chosen, the largest number of H100 was 40 % off (median; the plain rule 10.5 %). Two calibrating rows whose "
    "overhead\n"
    "already fails the threshold gave counts of 6 for 102 and 10 for 130.\n"
    "\n"
    "Worst rows: six H100 counts are more than 20 % off. Five of these are resnet50, where something other than "
    "bandwidth\n"
    "limits the A100 row; the table does not state the core time of a rank.\n"
    "\n";

using Observable = std::optional<double> models::Observables::*;

struct TrainingCase {
  const char* quantity;
  const char* split;
  const char* filter;
  const char* unit;
  Observable observable;
  std::function<bool(const models::BacktestRow&)> counts;
};

models::Backtest training_backtest(const std::string& filter) {
  const std::string text =
      file_text(std::string(HEADRACE_SOURCE_DIR) + "/tests/validation/data/mlperf_storage_results.csv");
  const auto read = scenarios::read_measurements("results", text, filter, scenarios::shipped_workload_figures());
  if (!read) FAIL(scenarios::print_text(read.error()));
  return models::run_backtest(read->runs);
}

AccuracyRow training_row(const TrainingCase& training) {
  std::vector<double> errors;
  std::vector<double> plain;
  for (const models::BacktestRow& row : training_backtest(training.filter).rows) {
    if (row.status != models::RowStatus::predicted || !training.counts(row)) continue;
    const auto measured = row.measured.*training.observable;
    const auto predicted = row.prediction.predicted.*training.observable;
    const auto guess = row.prediction.guess.*training.observable;
    if (!measured || !predicted || !guess) continue;
    const double scale = std::string(training.unit) == "points" ? 1.0 : 100.0 / *measured;
    errors.push_back((*predicted - *measured) * scale);
    plain.push_back((*guess - *measured) * scale);
  }
  return accuracy_row("MLPerf Storage v1.0 training", training.quantity, training.split, training.unit, errors,
                      "AU and demand of an accelerator do not change", plain);
}

std::function<bool(const models::BacktestRow&)> on(models::Basis basis) {
  return [basis](const models::BacktestRow& row) { return row.prediction.basis == basis; };
}

}  // namespace

AccuracyPart training_accuracy() {
  const TrainingCase cases[] = {
      {"largest number of H100", "A100 rows of the system; its H100 rows", "accelerator=a100", "%",
       &models::Observables::max_accelerators, on(models::Basis::same_workload)},
      {"AU", "smallest row of a series; its larger ones", "smallest", "points", &models::Observables::au_percent,
       on(models::Basis::same_series)},
      {"samples/s", "unet3d rows of the system; its other workloads", "workload=unet3d", "%",
       &models::Observables::samples_per_s, on(models::Basis::other_workload)},
      {"samples/s", "nothing; rows that the declared drives limit", "", "%", &models::Observables::samples_per_s,
       [](const models::BacktestRow& row) { return row.prediction.drive_bound; }},
  };
  AccuracyPart part;
  for (const TrainingCase& training : cases) part.rows.push_back(training_row(training));
  part.section = kTrainingSection;
  return part;
}

}  // namespace headrace::testing
