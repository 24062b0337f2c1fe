// The part of docs/accuracy.md on training rows of MLPerf Storage v1.0 (85) and v3.0 (29), by `headrace backtest`.
#include <fmt/format.h>

#include <algorithm>
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
    R"(## MLPerf Storage v1.0 and v3.0, training

Sources: mlcommons/storage_results_v1.0 at 64c2ce48, 85 rows, `tests/validation/data/mlperf_storage_results.csv`;
mlcommons/storage_results_v3.0 at 068d91f6, 29 rows, `tests/validation/data/mlperf_storage_v3_training.csv`; both
Apache-2.0. Split: `headrace backtest --from`, as named in the table; a system predicts only itself.

Rules: a published row met its threshold, and the owner of the largest row of a series went no further. With nothing else
known, AU is in the middle between the threshold and the ceiling: what the loop alone leaves, or what the smallest row of
the series shows. Rows with fewer accelerators are nearer to the ceiling, on a straight line. The largest row of a series
is at the limit of its capacity, which carries over to another accelerator. None of these rules has a fitted constant.
Three constants remain, of the loop: 0.75 ms a step, 150 GB/s for the copy of a batch (not in v3.0), and 0.15 ms per unit
of ln(accelerators). They were chosen on rows of v1.0; v3.0 had no part in it. [Validation](validation.md) says which other
forms of the rules were compared on these tables.

Until model version 2026.5 four more constants, chosen on v1.0, read a capacity from the first step of a row and charged
what was left to every step. On 12 pairs of rows of other systems these rules were 40 % off in the largest number of H100
(median; the plain rule 10.5 %), with counts of 6 for 102 and 10 for 130. The present rules have the same errors on v1.0,
cannot give such counts, and were not tried on those 12 pairs.

Plain rules: AU and demand of an accelerator do not change; or the median AU of the same workload in the rows of the other
submitters, which a system without any row of its own would take.

Worst rows: six H100 counts are more than 20 % off. Five of these are resnet50, where something other than bandwidth
limits the A100 row; the table does not state the core time of a rank. From H100 to A100 the plain rule is better.

AU of series: v1.0 has a mean error of 1.7 points, above the aim of 1.5. Four of its 33 rows are nearly half of the sum (YanRongTech
F9000X cosmoflow with 60 and 120 ranks, F8000X resnet50 with 32 and 106); without them the mean is 1.1. They have many ranks on
one client, and the core time of a rank is missing. Series whose storage grew with the job (v3.0) follow another rule: next section.

)";

using Observable = std::optional<double> models::Observables::*;

constexpr const char* kUnchanged = "AU and demand of an accelerator do not change";
constexpr const char* kOthersMedian = "median AU of the workload, other submitters";

struct TrainingCase {
  const char* version;
  const char* quantity;
  const char* split;
  const char* filter;
  const char* unit;
  Observable observable;
  std::function<bool(const models::BacktestRow&)> counts;
  const char* plain = kUnchanged;
};

std::vector<models::MeasuredRun> runs_of(const std::string& version, const std::string& filter) {
  const std::string file = version == "v1.0" ? "mlperf_storage_results.csv" : "mlperf_storage_v3_training.csv";
  const std::string text = file_text(std::string(HEADRACE_SOURCE_DIR) + "/tests/validation/data/" + file);
  const auto read = scenarios::read_measurements("results", text, filter, scenarios::shipped_workload_figures());
  if (!read) FAIL(scenarios::print_text(read.error()));
  return read->runs;
}

std::optional<double> others_median_au(const std::vector<models::MeasuredRun>& runs,
                                       const models::MeasuredRun& target) {
  std::vector<double> values;
  for (const models::MeasuredRun& run : runs)
    if (run.submitter != target.submitter && run.figures.workload == target.figures.workload && run.published)
      values.push_back(run.au_percent.value());
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

AccuracyRow training_row(const TrainingCase& training) {
  const std::vector<models::MeasuredRun> runs = runs_of(training.version, training.filter);
  std::vector<double> errors;
  std::vector<double> plain;
  for (const models::BacktestRow& row : models::run_backtest(runs).rows) {
    if (row.status != models::RowStatus::predicted || !training.counts(row)) continue;
    const auto measured = row.measured.*training.observable;
    const auto predicted = row.prediction.predicted.*training.observable;
    const auto guess = training.plain == kOthersMedian ? others_median_au(runs, runs[row.run])
                                                       : row.prediction.guess.*training.observable;
    if (!measured || !predicted || !guess) continue;
    const double scale = std::string(training.unit) == "points" ? 1.0 : 100.0 / *measured;
    errors.push_back((*predicted - *measured) * scale);
    plain.push_back((*guess - *measured) * scale);
  }
  return accuracy_row(fmt::format("MLPerf Storage {} training", training.version), training.quantity, training.split,
                      training.unit, errors, training.plain, plain);
}

bool any_row(const models::BacktestRow&) { return true; }

std::function<bool(const models::BacktestRow&)> on(models::Basis basis) {
  return [basis](const models::BacktestRow& row) { return row.prediction.basis == basis; };
}

}  // namespace

AccuracyPart training_accuracy() {
  using models::Observables;
  const auto of_series = [](const models::BacktestRow& row) {
    return row.prediction.basis <= models::Basis::same_kind;
  };
  const TrainingCase cases[] = {
      {"v1.0", "largest number of H100", "A100 rows of the system; its H100 rows", "accelerator=a100", "%",
       &Observables::max_accelerators, on(models::Basis::same_workload)},
      {"v1.0", "largest number of A100", "H100 rows of the system; its A100 rows", "accelerator=h100", "%",
       &Observables::max_accelerators, on(models::Basis::same_workload)},
      {"v1.0", "AU", "smallest row of a series; its larger ones", "smallest", "points", &Observables::au_percent,
       of_series},
      {"v3.0", "AU", "smallest row of a series; its larger ones", "smallest", "points", &Observables::au_percent,
       of_series},
      {"v1.0", "AU", "nothing; all rows", "", "points", &Observables::au_percent, any_row, kOthersMedian},
      {"v3.0", "AU", "nothing; all rows", "", "points", &Observables::au_percent, any_row, kOthersMedian},
      {"v1.0", "samples/s", "unet3d rows of the system; its other workloads", "workload=unet3d", "%",
       &Observables::samples_per_s, on(models::Basis::other_workload)},
      {"v1.0", "samples/s", "nothing; rows that the declared drives limit", "", "%", &Observables::samples_per_s,
       [](const models::BacktestRow& row) { return row.prediction.drive_bound; }},
  };
  AccuracyPart part;
  for (const TrainingCase& training : cases) part.rows.push_back(training_row(training));
  part.section = kTrainingSection;
  return part;
}

}  // namespace headrace::testing
