// What to change first in a scenario whose GPUs wait for data.
#pragma once

#include "models/outcome/outcome.hpp"
#include "scenarios/document/scenario_file.hpp"

namespace headrace::reports {

/// Whether GPUs wait for data: also where starts lie on both sides of the limit, of which the mean is what a remedy
/// takes away.
bool has_waits_to_remedy(const models::Outcome& outcome);

/// Adds the first remedy to an outcome that is ingest-bound; nothing where no change helps.
void add_first_remedy(models::Outcome& outcome, const scenarios::LoadedScenario& loaded);

}  // namespace headrace::reports
