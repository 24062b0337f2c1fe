// Whole shards against the workers that read them, and the buffer that shuffles what comes out.
#pragma once

#include <optional>

#include "models/outcome/outcome.hpp"
#include "models/path/ingest_path.hpp"

namespace headrace::models {

/// Shards over the workers of all loaders.
double shards_per_worker(const Dataset& dataset, const IngestPath& path, const Loader& loader);

/// Share of the workers' time that is used when each takes whole shards: (s/w) / ceil(s/w) of s shards and w workers;
/// s/w where workers go without. 1 unless shards are read one after the other.
double shard_efficiency(const Dataset& dataset, const IngestPath& path, const Loader& loader);

/// Fewer than ten shards a worker: some end their epoch early, and below one they stand idle.
std::optional<Warning> shard_warning(const Dataset& dataset, const IngestPath& path, const Loader& loader);

/// Time before the first step in which the shuffle buffers fill, at the rate of the workers and of what they share.
double shuffle_fill_s(const Loader& loader, const IngestPath& path);

}  // namespace headrace::models
