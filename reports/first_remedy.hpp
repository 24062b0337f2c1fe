// What to change first in a scenario whose GPUs wait for data.
#pragma once

#include "models/outcome/outcome.hpp"
#include "scenarios/document/scenario_file.hpp"

namespace headrace::reports {

/// Adds the first remedy to an outcome that is ingest-bound; nothing where no change helps.
void add_first_remedy(models::Outcome& outcome, const scenarios::LoadedScenario& loaded);

}  // namespace headrace::reports
