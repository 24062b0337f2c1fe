// What only the files of a scenario tell about the confidence in its outcome.
#pragma once

#include "cli/load.hpp"
#include "models/outcome/outcome.hpp"

namespace headrace::cli {

/// Adds layers that were verified on their machine (headrace verify), and the assumed figure that limits the outcome.
void add_known_evidence(models::Outcome& outcome, const LoadedScenario& loaded);

}  // namespace headrace::cli
