// Figures of benchmark workloads by name and accelerator: {"training": [{"workload", "accelerator",
// "computation_time_s", "batch_size", "record_length_bytes", ...}]}. A set of MLPerf Storage ships with the program.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/backtest/measured_run.hpp"
#include "scenarios/document/diagnostic.hpp"

namespace headrace::scenarios {

/// Entries without a computation time, batch size or record size are skipped: they describe no training step. Errors:
/// E0105 JSON syntax, E0201 wrong type, E0202 no list "training", E0207 a number outside its limits.
tl::expected<std::vector<models::WorkloadFigures>, Diagnostics> read_workload_figures(const std::string& file_name,
                                                                                      const std::string& text);

/// Those of scenarios/workloads/mlperf_storage.json.
const std::vector<models::WorkloadFigures>& shipped_workload_figures();

/// Lower case, ASCII.
std::string lower_case(std::string text);

}  // namespace headrace::scenarios
