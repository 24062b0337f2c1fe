// What to change first in a scenario whose GPUs wait for data.
#pragma once

#include "cli/load.hpp"
#include "models/outcome/outcome.hpp"

namespace headrace::cli {

/// Adds the first remedy to an outcome that is ingest-bound; nothing where no change helps.
void add_first_remedy(models::Outcome& outcome, const LoadedScenario& loaded);

}  // namespace headrace::cli
