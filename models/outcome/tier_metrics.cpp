#include "models/outcome/tier_metrics.hpp"

#include "models/hops/resource_floors.hpp"
#include "models/path/cache_stack.hpp"
#include "models/path/tier_path.hpp"

namespace headrace::models {

namespace {

constexpr double kDaysPerYear = 365.25;
constexpr double kSecondsPerDay = 86400.0;

}  // namespace

double drive_life_s(const LocalDrives& drives, double bytes_per_s) {
  const double rated_bytes = drives.writes_per_day * drives.capacity_bytes * drives.rated_years * kDaysPerYear;
  return bytes_per_s > 0.0 ? rated_bytes / bytes_per_s : 0.0;
}

double rebuild_time_s(const Redundancy& redundancy, double bytes, double store_bytes_per_s) {
  const double lost = bytes * redundancy.overhead() * redundancy.degraded;
  const double reads = redundancy.scheme == RedundancyScheme::erasure ? static_cast<double>(redundancy.data) : 1.0;
  const double rate = store_bytes_per_s * (1.0 - redundancy.degraded) * redundancy.rebuild_share;
  return rate > 0.0 ? lost * reads / rate : 0.0;
}

std::vector<std::pair<std::string_view, double>> tier_metrics(const Scenario& scenario, const EpochWindow& mean,
                                                              double step_time_s) {
  std::vector<std::pair<std::string_view, double>> metrics;
  const Job& job = scenario.jobs.front();
  const Pool& pool = pool_of(scenario, job);
  const Dataset& dataset = dataset_of(scenario, job);
  const Store& store = store_of(scenario, dataset);
  const CacheStack stack = cache_stack(scenario, 0);
  if (stack.page_fraction > 0.0) metrics.emplace_back("page_cache_hit_ratio", mean.tiers.page);
  if (stack.partitioned) metrics.emplace_back("peer_hit_ratio", mean.tiers.peer);
  if (stack.shared_fraction > 0.0) metrics.emplace_back("shared_cache_hit_ratio", mean.tiers.shared);
  const IngestPath path = in_window(resolve_path(scenario, 0, {}), mean);
  if (!stack.empty()) {
    const std::array<double, kStageCount> stage_s = mean_stage_times_s(path);
    double fetch_s = 0.0;
    for (const Stage stage :
         {Stage::cache, Stage::peer, Stage::shared_cache, Stage::metadata, Stage::request, Stage::transfer})
      fetch_s += stage_s[index(stage)];
    metrics.emplace_back("fetch_time_s", fetch_s / path.batch_samples);
  }
  if (stack.node_fraction > 0.0) {
    const double samples_per_s = static_cast<double>(path.loaders) * path.batch_samples / path.nodes / step_time_s;
    const double written = samples_per_s * mean.tiers.fill * path.tiers.cached_bytes;
    metrics.emplace_back("cache_fill_bytes_per_s", written);
    if (pool.cache.medium == CacheMedium::nvme && pool.drives.writes_per_day > 0.0 && written > 0.0 && stack.evicts())
      metrics.emplace_back("drive_life_s", drive_life_s(pool.drives, written));
  }
  if (const double staging_s = staging_time_s(scenario, 0); staging_s > 0.0)
    metrics.emplace_back("staging_time_s", staging_s);
  if (store.cache && store.cache->tiering) {
    const Tiering& tiering = *store.cache->tiering;
    metrics.emplace_back("migration_bytes_per_day",
                         kSecondsPerDay * (tiering.demoted_bytes_per_s(store.cache->bytes) +
                                           tiering.promoted_bytes_per_s(store.cache->bytes)));
  }
  if (store.redundancy) {
    metrics.emplace_back("store_overhead", store.redundancy->overhead());
    if (store.redundancy->degraded > 0.0)
      metrics.emplace_back("store_rebuild_s", rebuild_time_s(*store.redundancy, corpus_of(scenario, job).bytes,
                                                             store.bandwidth_bytes_per_s));
  }
  return metrics;
}

}  // namespace headrace::models
