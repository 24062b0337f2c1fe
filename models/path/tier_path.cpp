#include "models/path/tier_path.hpp"

#include <algorithm>
#include <cmath>  // std::ceil only

#include "models/base/limits.hpp"
#include "models/describe/to_distribution.hpp"
#include "models/hops/hop.hpp"
#include "models/hops/host_part.hpp"
#include "models/path/drive_writes.hpp"
#include "models/path/host_costs.hpp"

namespace headrace::models {

namespace {

bool in_sequence(const Dataset& dataset) { return dataset.order != SampleOrder::random; }

/// Direct reads: whole blocks. A sample inside a file begins anywhere, and touches one block more.
double direct_bytes_factor(const FileAccess& access, const Dataset& dataset, double sample_bytes) {
  if (in_sequence(dataset) || !(sample_bytes > 0.0)) return 1.0;
  const double blocks = std::ceil(sample_bytes / access.block_bytes);
  if (dataset.samples_per_file == 1 || blocks * access.block_bytes == sample_bytes)
    return blocks * access.block_bytes / sample_bytes;
  return (sample_bytes + access.block_bytes) / sample_bytes;
}

/// Windows behind one sample and the bytes that they drag in, which end with the file.
void add_windows(const FileAccess& access, const Dataset& dataset, double sample_bytes, ReadEffect& effect) {
  const double window = access.read_ahead_bytes;
  if (in_sequence(dataset)) {
    effect.requests_per_sample = sample_bytes / window;
    return;
  }
  effect.requests_per_sample = std::max(1.0, std::ceil(sample_bytes / window));
  const double unit = dataset.samples_per_file > 1 ? window : access.page_bytes;
  if (sample_bytes > 0.0) effect.bytes_factor = std::ceil(sample_bytes / unit) * unit / sample_bytes;
}

}  // namespace

ReadEffect read_effect(const Loader& loader, const Dataset& dataset, const Store& store) {
  ReadEffect effect;
  if (!loader.access) return effect;
  const FileAccess& access = *loader.access;
  const double sample_bytes = mean_of(dataset.sample_bytes) * way_factor(dataset, loader) * store.returned_fraction;
  if (access.mode == ReadMode::direct) {
    effect.through_pages = false;
    effect.bytes_factor = direct_bytes_factor(access, dataset, sample_bytes);
    return effect;
  }
  add_windows(access, dataset, sample_bytes, effect);
  const double latency_s = mean_of(store.latency_s);
  if (access.asynchronous && latency_s > 0.0) {
    const double stream = as_written(tightest({store.stream_bytes_per_s, stated_limit(store.bandwidth_bytes_per_s)}));
    effect.latency_factor = std::max(0.0, 0.5 * (1.0 - access.read_ahead_bytes / stream / latency_s));
  }
  if (access.mode == ReadMode::mmap) {
    const double mapped = std::max(access.page_bytes, access.fault_around_bytes);
    const double faults =
        in_sequence(dataset) ? sample_bytes / mapped : std::max(1.0, std::ceil(sample_bytes / mapped));
    effect.fault_s_per_sample = faults * access.fault_s;
    effect.cpu_slowdown = access.tlb_slowdown;
  }
  return effect;
}

std::optional<double> drive_requests_per_s(const Store& store, double request_bytes) {
  if (!store.drives && store.kind != StoreKind::hdd) return std::nullopt;
  const StoreDrives drives = store.drives.value_or(StoreDrives{});
  const double count = static_cast<double>(drives.count);
  const double share =
      drives.bandwidth_bytes_per_s > 0.0 ? drives.bandwidth_bytes_per_s : store.bandwidth_bytes_per_s / count;
  const double positioning_s =
      drives.positioning_s > 0.0 ? drives.positioning_s : (store.kind == StoreKind::hdd ? kDiskPositioningS : 0.0);
  if (!(positioning_s > 0.0)) return std::nullopt;
  return stated_limit(count / (positioning_s + request_bytes / share));
}

Store as_built(const Store& store, const Dataset& dataset, const Loader& loader) {
  Store built = store;
  if (store.drives || store.kind == StoreKind::hdd) {
    const StoreDrives drives = store.drives.value_or(StoreDrives{});
    const double count = static_cast<double>(drives.count);
    built.bandwidth_bytes_per_s = as_written(
        tightest({stated_limit(store.bandwidth_bytes_per_s), stated_limit(count * drives.bandwidth_bytes_per_s)}));
    const ReadEffect effect = read_effect(loader, dataset, store);
    constexpr double kSequentialRequestBytes = 4.0 * 1024 * 1024;
    const double sample_bytes = mean_of(dataset.sample_bytes) * way_factor(dataset, loader);
    double request_bytes = in_sequence(dataset) ? kSequentialRequestBytes : sample_bytes;
    if (dataset.request_bytes > 0.0) request_bytes = std::min(dataset.request_bytes, request_bytes);
    if (effect.requests_per_sample > 0.0)
      request_bytes = sample_bytes * effect.bytes_factor / effect.requests_per_sample;
    const std::optional<double> requests = drive_requests_per_s(store, request_bytes);
    built.requests_per_s = tightest({store.requests_per_s, requests});
    if (requests && !(mean_of(store.latency_s) > 0.0))
      built.latency_s =
          DistributionSpec::constant(drives.positioning_s > 0.0 ? drives.positioning_s : kDiskPositioningS);
  }
  if (store.redundancy) {
    const double left = store.redundancy->left_for_reads();
    built.bandwidth_bytes_per_s *= left;
    built.requests_per_s = times(built.requests_per_s, left);
  }
  if (store.returned_fraction < 1.0) {  // from here on bytes are those that leave the device
    built.bandwidth_bytes_per_s *= store.returned_fraction;
  }
  if (store.cache && store.cache->tiering) {  // what moves between flash and the store goes on whoever reads
    const double flash_bytes = store.cache->bytes;
    const double weight =
        store.write_bandwidth_bytes_per_s > 0.0 ? built.bandwidth_bytes_per_s / store.write_bandwidth_bytes_per_s : 1.0;
    const double moved = store.cache->tiering->promoted_bytes_per_s(flash_bytes) +
                         store.cache->tiering->demoted_bytes_per_s(flash_bytes) * weight;
    built.bandwidth_bytes_per_s = std::max(0.01 * built.bandwidth_bytes_per_s, built.bandwidth_bytes_per_s - moved);
  }
  const ReadEffect effect = read_effect(loader, dataset, built);
  if (effect.latency_factor < 1.0) built.latency_s = scaled(built.latency_s, effect.latency_factor);
  return built;
}

namespace {

/// Flash gives away what it demotes and takes in as much.
std::optional<double> left_of_flash(const StoreCache& cache) {
  if (!cache.tiering || !cache.bandwidth_bytes_per_s) return cache.bandwidth_bytes_per_s;
  const double moved = 2.0 * cache.tiering->demoted_bytes_per_s(cache.bytes);
  return std::max(0.01 * *cache.bandwidth_bytes_per_s, *cache.bandwidth_bytes_per_s - moved);
}

}  // namespace

double reading_nodes(const Pool& pool, const Job& job) {
  const std::uint64_t nodes = job.nodes > 0 ? job.nodes : pool.nodes;
  const std::uint64_t gpus_per_node = job.gpus_per_node > 0 ? job.gpus_per_node : pool.gpus_per_node;
  const std::uint64_t per_replica = job.parallelism.ranks_per_replica();
  const std::uint64_t fitting = std::max<std::uint64_t>(1, nodes * gpus_per_node / per_replica);
  const std::uint64_t ranks = (job.parallelism.dp > 0 ? job.parallelism.dp : fitting) * per_replica;
  return static_cast<double>(std::min(nodes, (ranks + gpus_per_node - 1) / gpus_per_node));
}

void resolve_tiers(IngestPath& path, const Pool& pool, const Store& store, const Dataset& dataset, const Job& job) {
  const NodeCache& cache = pool.cache;
  TierPath& tiers = path.tiers;
  tiers.page_bytes_per_s = pool.host.page_cache.bandwidth_bytes_per_s;
  tiers.linux_pages = pool.host.page_cache.eviction == PageEviction::linux_lists;
  if (cache.policy != CachePolicy::none) {
    path.holds_tensors = cache.holds == CacheContent::tensors;
    tiers.cached_bytes = path.holds_tensors ? path.memory_bytes_per_sample : path.mean_sample_bytes();
    // The description refuses either without a bandwidth.
    if (cache.write_bandwidth_bytes_per_s)
      tiers.fill_weight = as_written(cache.bandwidth_bytes_per_s) / *cache.write_bandwidth_bytes_per_s;
    if (cache.write_cache)
      tiers.burst_fill_weight = as_written(cache.bandwidth_bytes_per_s) / cache.write_cache->bandwidth_bytes_per_s;
  }
  tiers.peer_latency_s = to_distribution(cache.peer_latency_s);
  tiers.peer_bytes_per_s = path.nic_bytes_per_s;
  if (path.nodes > 1) tiers.across_leaves = 1.0 - (path.nodes_per_leaf - 1.0) / (path.nodes - 1.0);
  if (store.cache) {
    tiers.shared_latency_s = to_distribution(store.cache->latency_s);
    tiers.shared_capacity_bytes_per_s = left_of_flash(*store.cache);
    tiers.shared_bytes_per_s = tightest({path.nic_bytes_per_s, times(store.cache->stream_bytes_per_s, path.lanes)});
  }
  const ReadEffect effect = read_effect(job.loader, dataset, store);
  path.miss_bytes_factor = effect.bytes_factor;
  path.fault_s_per_sample =
      effect.fault_s_per_sample * path.samples_packed + effect.cpu_slowdown * path.cpu_s_per_sample.mean();
  if (effect.requests_per_sample > 0.0) path.requests_per_sample = effect.requests_per_sample * path.samples_packed;
}

namespace {

IngestPath with_tiers(IngestPath path, const EpochWindow& window) {
  path.hit_ratio = window.hit_ratio;
  path.tiers.shares = window.tiers;
  path.tiers.leaf_scale = 1.0;
  path.tiers.one_network_bytes_per_s.reset();
  const double peer = window.tiers.peer * path.tiers.cached_bytes;
  const double shared = window.tiers.shared * path.mean_sample_bytes();
  if (path.local_store || !(peer + shared > 0.0)) return path;
  const double missed = path.miss_ratio() * path.mean_sample_bytes() * path.miss_bytes_factor;
  const double all = missed + peer + shared;
  const double across = missed + shared + peer * path.tiers.across_leaves;
  const double on_links =
      std::max({time_at(all, times(path.nic_bytes_per_s, path.nodes)),
                time_at(across, times(path.leaf_bytes_per_s, path.leaves)), time_at(across, path.spine_bytes_per_s)});
  const double given = missed * path.host.store_share;
  const double at_sources =
      std::max({time_at(given, path.store_bytes_per_s), time_at(given, path.front_end_bytes_per_s),
                time_at(shared, path.tiers.shared_capacity_bytes_per_s)});
  if (!(on_links > at_sources)) return path;
  const auto share_of = [&](std::optional<double> limit, double bytes) {
    return limit && bytes > 0.0 ? std::optional(*limit * all / bytes) : std::nullopt;
  };
  path.tiers.one_network_bytes_per_s = or_no_limit(
      tightest({share_of(path.store_bytes_per_s, given), share_of(path.front_end_bytes_per_s, given),
                share_of(path.spine_bytes_per_s, across), share_of(path.tiers.shared_capacity_bytes_per_s, shared)}));
  path.tiers.leaf_scale = across > 0.0 ? all / across : 1e6;
  return path;
}

}  // namespace

IngestPath in_window(IngestPath path, const EpochWindow& window) {
  path = with_tiers(std::move(path), window);
  slow_host_part(path);
  return path;
}

IngestPath with_mean_host_part(IngestPath path, const std::vector<EpochWindow>& windows) {
  if (!path.host_load.is_slowed()) return path;
  double slowdown = 0.0;
  double weights = 0.0;
  for (const EpochWindow& window : windows) {
    slowdown += window.weight * in_window(path, window).host_load.slowdown;
    weights += window.weight;
  }
  set_host_slowdown(path, slowdown / weights);
  return path;
}

double staged_bytes(const Scenario& scenario, std::size_t job_index) {
  const Job& job = scenario.jobs.at(job_index);
  if (!job.staging || job.staging->mode == StagingMode::warm) return 0.0;
  const double bytes = corpus_of(scenario, job).bytes;
  if (job.staging->mode == StagingMode::prestage_store) return bytes;
  const CacheStack stack = cache_stack(scenario, job_index);
  return bytes * (stack.node_copies() + stack.shared_fraction);
}

double staging_kept_s(const Scenario& scenario, std::size_t job_index) {
  const std::optional<Staging>& staging = scenario.jobs.at(job_index).staging;
  return staging && staging->mode == StagingMode::prestage_store ? staging_time_s(scenario, job_index) : 0.0;
}

double staging_time_s(const Scenario& scenario, std::size_t job_index) {
  const double bytes = staged_bytes(scenario, job_index);
  if (!(bytes > 0.0)) return 0.0;
  const Job& job = scenario.jobs.at(job_index);
  const Staging& staging = *job.staging;
  const IngestPath path = resolve_path(scenario, job_index, {});
  const Store& target = store_of(scenario, dataset_of(scenario, job));
  if (staging.mode == StagingMode::prestage_caches) {
    const NodeCache& cache = pool_of(scenario, job).cache;
    const double nodes = path.nodes;
    const std::optional<double> brought =
        tightest({staging.bandwidth_bytes_per_s, path.pool_bytes_per_s, times(path.nic_bytes_per_s, nodes)});
    if (cache.write_cache)
      return write_time_s({as_written(cache.write_bandwidth_bytes_per_s), *cache.write_cache}, bytes / nodes,
                          or_no_limit(divided(brought, nodes)), cache.write_cache->bytes);
    return time_at(bytes, tightest({brought, times(cache.write_bandwidth_bytes_per_s, nodes)}));
  }
  std::optional<double> from;
  for (const Store& store : scenario.stores)
    if (store.name == staging.from)
      from = tightest({stated_limit(store.bandwidth_bytes_per_s), store.front_end_bytes_per_s});
  const double write =
      target.write_bandwidth_bytes_per_s > 0.0 ? target.write_bandwidth_bytes_per_s : target.bandwidth_bytes_per_s;
  const double targets = is_local(target.kind) ? path.nodes : 1.0;  // each node takes its own copy of a local store
  return time_at(bytes * targets,
                 tightest({staging.bandwidth_bytes_per_s, from, write * targets, target.front_end_bytes_per_s}));
}

}  // namespace headrace::models
