#include "tests/validation/training_rows.hpp"

#include <algorithm>
#include <cmath>

#include "scenarios/importers/workload_figures.hpp"
#include "scenarios/measured_runs/measurements.hpp"
#include "tests/catch.hpp"
#include "tests/golden.hpp"

namespace headrace::testing {

std::vector<models::MeasuredRun> training_runs(const std::string& version, const std::string& filter) {
  const std::string file = version == "v1.0" ? "mlperf_storage_results.csv" : "mlperf_storage_v3_training.csv";
  const std::string text = file_text(std::string(HEADRACE_SOURCE_DIR) + "/tests/validation/data/" + file);
  const auto read = scenarios::read_measurements("results", text, filter, scenarios::shipped_workload_figures());
  if (!read) FAIL(scenarios::print_text(read.error()));
  return read->runs;
}

RowFilter on(models::Basis basis) {
  return [basis](const models::BacktestRow& row) { return row.prediction.basis == basis; };
}

RowFilter on_larger_rows() {
  return [](const models::BacktestRow& row) { return row.prediction.basis <= models::Basis::same_kind; };
}

std::vector<RowError> row_errors(const std::vector<models::MeasuredRun>& runs, Observable observable,
                                 const RowFilter& counts) {
  std::vector<RowError> errors;
  for (const models::BacktestRow& row : models::run_backtest(runs).rows) {
    if (row.status != models::RowStatus::predicted || !counts(row)) continue;
    const auto measured = row.measured.*observable;
    const auto predicted = row.prediction.predicted.*observable;
    const auto guess = row.prediction.guess.*observable;
    if (!measured || !predicted || !guess) continue;
    const double scale = observable == &models::Observables::au_percent ? 1.0 : 100.0 / *measured;
    errors.push_back({row.run, (*predicted - *measured) * scale, (*guess - *measured) * scale});
  }
  return errors;
}

std::vector<SystemErrors> errors_by_system(const std::vector<models::MeasuredRun>& runs,
                                           const std::vector<RowError>& errors) {
  std::vector<SystemErrors> systems;
  for (const RowError& error : errors) {
    const models::MeasuredRun& run = runs[error.run];
    const auto found = std::find_if(systems.begin(), systems.end(), [&](const SystemErrors& of) {
      return of.submitter == run.submitter && of.system == run.system;
    });
    SystemErrors& system =
        found != systems.end() ? *found : systems.emplace_back(SystemErrors{run.submitter, run.system, 0, 0.0, 0.0});
    ++system.count;
    system.model += std::fabs(error.model);
    system.plain += std::fabs(error.plain);
  }
  for (SystemErrors& system : systems) {
    system.model /= static_cast<double>(system.count);
    system.plain /= static_cast<double>(system.count);
  }
  return systems;
}

}  // namespace headrace::testing
