#include "models/outcome/shards.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "models/hops/resource_floors.hpp"

namespace headrace::models {

double shards_per_worker(const Dataset& dataset, const IngestPath& path, const Loader& loader) {
  const double workers = loader.synchronous ? 1.0 : static_cast<double>(loader.workers);
  return static_cast<double>(dataset.files) / (static_cast<double>(path.loaders) * workers);
}

double shard_efficiency(const Dataset& dataset, const IngestPath& path, const Loader& loader) {
  if (dataset.order != SampleOrder::shard_sequential) return 1.0;
  const double each = shards_per_worker(dataset, path, loader);
  return each / std::ceil(each);
}

std::optional<Warning> shard_warning(const Dataset& dataset, const IngestPath& path, const Loader& loader) {
  constexpr double kEnough = 10.0;
  if (dataset.order != SampleOrder::shard_sequential) return std::nullopt;
  const double each = shards_per_worker(dataset, path, loader);
  if (each >= kEnough) return std::nullopt;
  char seen[128];
  std::snprintf(seen, sizeof seen, "%.3g shards per worker: workers load for at most %.0f %% of an epoch on average",
                each, 100.0 * shard_efficiency(dataset, path, loader));
  const char* cause = each < 1.0 ? "workers without a shard are idle"
                                 : "workers with one shard less than others finish the epoch early";
  return Warning(seen, cause, "use more and smaller shards (ten per worker), or fewer workers");
}

double shuffle_fill_s(const Loader& loader, const IngestPath& path) {
  if (loader.shuffle_buffer == 0) return 0.0;
  const double batches = static_cast<double>(loader.shuffle_buffer) / path.batch_samples;
  double per_batch_s = 0.0;
  for (const ResourceFloor& floor : resource_floors(path)) per_batch_s = std::max(per_batch_s, floor.step_time_s);
  return batches * per_batch_s;
}

}  // namespace headrace::models
