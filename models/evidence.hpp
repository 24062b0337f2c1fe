// How far a scenario lies from the cases that the simulator has been held against.
#pragma once

#include "models/ingest_path.hpp"
#include "models/outcome.hpp"

namespace headrace::models {

/// The nearest group of validated cases and the dimensions in which the path lies outside all of them.
EvidenceReport evidence_for(const IngestPath& path);

}  // namespace headrace::models
