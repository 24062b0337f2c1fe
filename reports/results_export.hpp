// The results of sweeps as CSV, NDJSON and JSON. Rows stand in the order of sweeps and points, so that the bytes do not
// depend on who computed what when.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "models/outcome/outcome.hpp"
#include "scenarios/results/results_store.hpp"

namespace headrace::reports {

enum class ResultsFormat : std::uint8_t { csv, ndjson, json };

struct ExportOptions {
  ResultsFormat format = ResultsFormat::csv;
  std::vector<std::string> metrics;  ///< empty: the usual ones in CSV, all in JSON; "all": all of them
  std::string best;                  ///< only the best point by this metric; empty: all
  std::string sweep;                 ///< only sweeps whose id begins so
};

/// What is wrong with the wish.
struct ExportError {
  std::string message;
  std::string help;
};

/// What a store keeps of an outcome: its document without the scenario, on one line.
std::string stored_outcome(const models::Outcome& outcome, const std::string& catalogue_version);

/// Gives the document to `write` piece by piece, so that a large store needs no large memory.
tl::expected<void, ExportError> export_results(const scenarios::ResultsStore& store, const ExportOptions& options,
                                               const std::function<void(std::string_view)>& write);

}  // namespace headrace::reports
