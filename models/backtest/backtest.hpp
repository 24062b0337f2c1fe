// The whole table: some rows calibrate, the others are predicted and held against what was measured.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/backtest/prediction.hpp"

namespace headrace::models {

enum class RowStatus {
  calibrated,      ///< its figures describe its system
  not_calibrated,  ///< chosen to calibrate, but a fact is missing
  predicted,
  not_predicted,  ///< a fact is missing
};
inline constexpr std::array<std::string_view, 4> kRowStatusNames = {"calibrated", "not_calibrated", "predicted",
                                                                    "not_predicted"};

struct BacktestRow {
  std::size_t run = 0;  ///< index into the runs
  RowStatus status = RowStatus::not_predicted;
  std::string reason;    ///< of not_calibrated and not_predicted
  Observables measured;  ///< max_accelerators only at the largest row of a series
  Prediction prediction;
};

/// Errors of one observable and of its guess over the rows that have both and a measurement. AU in points, the others
/// in per cent of the measurement.
struct ErrorSummary {
  std::size_t count = 0;
  double mean_abs_error = 0.0;
  double median_abs_error = 0.0;
  double p90_abs_error = 0.0;
  double largest_abs_error = 0.0;
  double mean_error = 0.0;  ///< signed: predicted over measured
  double baseline_mean_abs_error = 0.0;
  double baseline_median_abs_error = 0.0;
  /// 1 - mean error / mean error of the guess; nothing where the guess has no error.
  std::optional<double> skill;
};

/// A stated aim, held against the rows that it speaks of.
struct Bar {
  std::string id;         ///< "V1"
  std::string meaning;    ///< one line
  std::string unit;       ///< "points" or "%"
  std::string statistic;  ///< "median", "mean" or "largest"
  double limit = 0.0;
  std::size_t count = 0;
  double value = 0.0;
  double guess = 0.0;
  bool met = false;
};

struct Backtest {
  std::vector<BacktestRow> rows;  ///< in the order of the runs
  ErrorSummary au;
  ErrorSummary samples_per_s;
  ErrorSummary max_accelerators;
  std::size_t calibrated = 0;
  std::size_t predicted = 0;
  std::size_t not_predicted = 0;
  std::vector<Bar> bars;  ///< those that some row speaks of
};

Backtest run_backtest(const std::vector<MeasuredRun>& runs);

}  // namespace headrace::models
