// Training rows of MLPerf Storage and what `headrace backtest` and the plain rules say of them, for the tests of the
// aims and for docs/accuracy.md.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/backtest/backtest.hpp"

namespace headrace::testing {

using Observable = std::optional<double> models::Observables::*;
using RowFilter = std::function<bool(const models::BacktestRow&)>;

/// Rows of v1.0 (85) or v3.0 (29); `filter` picks those that calibrate, as in `headrace backtest --from`.
std::vector<models::MeasuredRun> training_runs(const std::string& version, const std::string& filter);

/// On rows of that basis.
RowFilter on(models::Basis basis);
/// On larger rows of a series, from its smallest.
RowFilter on_larger_rows();

/// Errors with their sign: AU in points, the others in per cent of the measurement.
struct RowError {
  std::size_t run = 0;
  double model = 0.0;
  double plain = 0.0;  ///< of the guess
};
std::vector<RowError> row_errors(const std::vector<models::MeasuredRun>& runs, Observable observable,
                                 const RowFilter& counts);

/// Mean sizes over the rows of one system.
struct SystemErrors {
  std::string submitter;
  std::string system;
  std::size_t count = 0;
  double model = 0.0;
  double plain = 0.0;
};
std::vector<SystemErrors> errors_by_system(const std::vector<models::MeasuredRun>& runs,
                                           const std::vector<RowError>& errors);

}  // namespace headrace::testing
