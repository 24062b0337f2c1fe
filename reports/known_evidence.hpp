// What only the files of a scenario tell about the confidence in its outcome.
#pragma once

#include "models/outcome/outcome.hpp"
#include "scenarios/document/scenario_file.hpp"

namespace headrace::reports {

/// Adds layers that were verified on their machine (headrace verify), and the assumed figure that limits the outcome.
void add_known_evidence(models::Outcome& outcome, const scenarios::LoadedScenario& loaded);

}  // namespace headrace::reports
