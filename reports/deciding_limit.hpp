// The figure of a store that decides an ingest-bound verdict although nobody stated it: a request limit, latency or
// bandwidth that is a default, an assumption of the catalogue, or published long ago.
#pragma once

#include <optional>
#include <string>

#include "models/outcome/outcome.hpp"
#include "scenarios/document/scenario_file.hpp"

namespace headrace::reports {

/// Of an outcome of the queueing estimate both ask the estimate whether the figure decides: whether twice as good a
/// figure changes the verdict, the bottleneck or a tenth of the wait.

/// "limited by an assumed 5,500 requests/s on one prefix; set /stores/0/limit"; empty where the user stated it.
std::string assumed_limit(const models::Outcome& outcome, const scenarios::LoadedScenario& loaded);

/// A warning where a figure of the catalogue decides that is more than three years older than the catalogue.
std::optional<models::Warning> old_limit_warning(const models::Outcome& outcome,
                                                 const scenarios::LoadedScenario& loaded);

}  // namespace headrace::reports
