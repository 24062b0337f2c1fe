// Batches that are all alike and march in step: where nothing varies, all workers are at the same stage at the same
// time, and resources that would work side by side work in turn.
#pragma once

#include "models/outcome/outcome.hpp"
#include "models/path/ingest_path.hpp"

namespace headrace::models {

/// Warns if the simulated step is longer than any resource asks for, all batches take the same time, and they wait for
/// each other: the sum of the resources' times in the place of the longest. A few percent of variation dissolve it.
void warn_of_lockstep(const IngestPath& path, Outcome& outcome);

}  // namespace headrace::models
