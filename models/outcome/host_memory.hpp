// What a node's memory must hold for ingest: batches under way, worker processes, shuffle buffers and a cache in DRAM.
#pragma once

#include "models/outcome/feasibility.hpp"
#include "models/path/ingest_path.hpp"

namespace headrace::models {

/// With GPUDirect batches lie in GPU memory and count as nothing here. `index_bytes` is the sample index of a node.
Requirement host_memory(const Pool& pool, const Loader& loader, const IngestPath& path, double index_bytes = 0.0);

}  // namespace headrace::models
