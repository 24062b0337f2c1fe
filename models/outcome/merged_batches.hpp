// Where batches that travel as one piece make a loader look better than one whose samples travel one by one
// (docs/decisions/0090-granularity.md).
#pragma once

#include "models/outcome/outcome.hpp"
#include "models/path/ingest_path.hpp"

namespace headrace::models {

/// Warns if the outcome of a simulation with whole batches is likely to be 4 to 12 % optimistic: each worker holds one
/// batch at most, workers are just enough, their batches take nearly the same time, and they share something that is
/// nearly busy. Workers that begin evenly spaced then keep out of each other's way, as samples do not.
void warn_of_merged_batches(const IngestPath& path, Outcome& outcome);

}  // namespace headrace::models
