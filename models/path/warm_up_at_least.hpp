// How many steps a run leaves out at least, in which the queues of its loaders fill.
#pragma once

#include <cstdint>

#include "models/path/ingest_path.hpp"

namespace headrace::models {

inline std::uint64_t warm_up_at_least_steps(const IngestPath& path) { return 5ULL * path.outstanding; }

}  // namespace headrace::models
