// Measured runs from a table: the columns of mlperf_storage_results.csv, or the few that a user's own history has
// (docs/how-to/backtest.md). Nothing is guessed silently: what a row lacks comes from the workload's figures, and a
// fact that neither has is named in MeasuredRun::missing.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/backtest/measured_run.hpp"
#include "scenarios/document/diagnostic.hpp"

namespace headrace::scenarios {

struct Measurements {
  std::vector<models::MeasuredRun> runs;
  std::vector<std::string> unused_columns;
};

/// `filter` picks the rows that calibrate: "column=value" conditions joined by commas (values regardless of case),
/// "smallest" for the smallest count of each series, "role" or "" for the column role (calibrate or predict; no such
/// column: none).
/// Errors: those of parse_csv, E0202 a column is missing, E0201 no number, E0208 unknown
/// role, E0211 a filter that names no column or picks no row.
tl::expected<Measurements, Diagnostics> read_measurements(const std::string& file_name, const std::string& text,
                                                          const std::string& filter,
                                                          const std::vector<models::WorkloadFigures>& figures);

}  // namespace headrace::scenarios
