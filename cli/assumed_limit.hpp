// The figure that nobody stated and that decides an ingest-bound verdict: a request limit, latency or bandwidth of a
// store that is a default or an assumption of the catalogue.
#pragma once

#include <string>

#include "cli/load.hpp"
#include "models/outcome/outcome.hpp"

namespace headrace::cli {

/// "limited by an assumed 5,500 requests/s on one prefix; set /stores/0/limit"; empty where the user stated it.
std::string assumed_limit(const models::Outcome& outcome, const LoadedScenario& loaded);

}  // namespace headrace::cli
