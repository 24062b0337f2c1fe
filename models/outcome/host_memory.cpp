#include "models/outcome/host_memory.hpp"

#include <algorithm>
#include <cmath>

namespace headrace::models {

Requirement host_memory(const Pool& pool, const Loader& loader, const IngestPath& path, double index_bytes) {
  const double loaders = std::ceil(static_cast<double>(path.loaders) / path.nodes);
  const double sample = path.memory_bytes_per_sample;
  const double workers = loader.synchronous ? 0.0 : static_cast<double>(loader.workers);
  const bool in_dram = pool.cache.policy != CachePolicy::none && pool.cache.medium == CacheMedium::dram;
  Requirement room{"host memory of a node", pool.host.memory_bytes, {}, {}};
  room.needs = {
      {"batches", pool.host.gpudirect ? 0.0 : loaders * path.outstanding * path.batch_samples * sample},
      {"workers", loaders * workers * loader.worker_memory_bytes},
      {"shuffle buffers", loaders * static_cast<double>(loader.shuffle_buffer) * sample},
      {"cache", in_dram ? pool.cache.bytes : 0.0},
      {"page cache", pool.host.page_cache.bytes},
      {"sample index", index_bytes},
  };
  const auto largest = std::max_element(room.needs.begin(), room.needs.end(),
                                        [](const Need& a, const Need& b) { return a.bytes < b.bytes; });
  room.fix = largest->what == "batches"           ? "lower workers, prefetch or the batch"
             : largest->what == "workers"         ? "lower workers"
             : largest->what == "shuffle buffers" ? "lower shuffle_buffer"
             : largest->what == "page cache"      ? "lower page_cache/bytes"
             : largest->what == "sample index"    ? "pack samples into shards, or index by manifest"
                                                  : "lower cache/bytes";
  return room;
}

}  // namespace headrace::models
