#include "models/path/ingest_path.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "models/base/limits.hpp"
#include "models/describe/to_distribution.hpp"
#include "models/hops/host_part.hpp"
#include "models/path/checkpoint_times.hpp"
#include "models/path/exchange.hpp"
#include "models/path/goodput.hpp"
#include "models/path/gpu_landing.hpp"
#include "models/path/host_contention.hpp"
#include "models/path/host_costs.hpp"
#include "models/path/packed_sequences.hpp"
#include "models/path/tier_path.hpp"
#include "sim/iid_sum.hpp"
#include "sim/portable_math.hpp"

namespace headrace::models {

namespace {

template <class T>
const T& find_named(const std::vector<T>& values, const std::string& name, const char* what) {
  for (const T& value : values)
    if (value.name == name) return value;
  throw std::out_of_range(std::string("no ") + what + " named '" + name + "'");
}

std::uint32_t to_u32(std::uint64_t value) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(value, UINT32_MAX));
}

void resolve_readers(IngestPath& path, const Pool& pool, const Job& job) {
  path.nodes = to_u32(job.nodes > 0 ? job.nodes : pool.nodes);
  const std::uint64_t gpus_per_node = job.gpus_per_node > 0 ? job.gpus_per_node : pool.gpus_per_node;
  const std::uint64_t per_replica = job.parallelism.ranks_per_replica();
  const std::uint64_t fitting = std::max<std::uint64_t>(1, path.nodes * gpus_per_node / per_replica);
  path.replicas = to_u32(job.parallelism.dp > 0 ? job.parallelism.dp : fitting);
  // A job that states fewer replicas than fit runs on, reads from and pays for only as many nodes as these need.
  const std::uint64_t needed = (path.replicas * per_replica + gpus_per_node - 1) / gpus_per_node;
  path.nodes = to_u32(std::min<std::uint64_t>(path.nodes, needed));
  path.gpus = to_u32(path.nodes * gpus_per_node);
  switch (job.readers) {
    case Readers::every_rank:
      path.loaders = to_u32(path.replicas * per_replica);
      path.batch_samples = to_u32(job.step.batch);
      break;
    case Readers::one_per_replica:
      path.loaders = path.replicas;
      path.batch_samples = to_u32(job.step.batch);
      break;
    case Readers::one_per_node: {
      path.loaders = path.nodes;
      const std::uint64_t replicas_per_node = std::max<std::uint64_t>(1, (path.replicas + path.nodes - 1) / path.nodes);
      path.batch_samples = to_u32(job.step.batch * replicas_per_node);
      break;
    }
  }
  path.samples_per_step = static_cast<double>(path.replicas) * static_cast<double>(job.step.batch);
  path.nodes_per_leaf =
      pool.nodes_per_leaf > 0 ? to_u32(std::min<std::uint64_t>(pool.nodes_per_leaf, path.nodes)) : path.nodes;
  if (job.placement == Placement::spread && pool.nodes_per_leaf > 0) {
    const std::uint64_t all = (pool.nodes + pool.nodes_per_leaf - 1) / pool.nodes_per_leaf;
    path.nodes_per_leaf = to_u32((path.nodes + all - 1) / all);
  }
  path.leaves = (path.nodes + path.nodes_per_leaf - 1) / path.nodes_per_leaf;
}

/// Workers that get no shard stand idle: shards are dealt out to loaders and workers.
void resolve_loader(IngestPath& path, const Dataset& dataset, const Loader& loader) {
  path.lanes = to_u32(loader.lanes);
  path.order = loader.order;
  path.workers = to_u32(loader.workers);
  path.outstanding = to_u32(loader.batches_outstanding());
  if (loader.synchronous) {
    path.synchronous = true;
    path.order = DeliveryOrder::in_order;
    path.workers = 1;
    path.outstanding = 1;
  } else if (dataset.order == SampleOrder::shard_sequential) {
    const std::uint32_t busy = to_u32(std::max<std::uint64_t>(1, dataset.files / path.loaders));
    if (busy >= path.workers) return;
    path.outstanding = std::max(1U, path.outstanding / path.workers) * busy;
    path.workers = busy;
  }
}

void resolve_dataset(IngestPath& path, const Dataset& dataset, const Store& store, const Loader& loader) {
  constexpr double kSequentialRequestBytes = 4.0 * 1024 * 1024;
  path.sample_bytes = to_distribution(
      store.returned_fraction < 1.0 ? scaled(dataset.sample_bytes, store.returned_fraction) : dataset.sample_bytes);
  const double factor = way_factor(dataset, loader);
  if (factor != 1.0) path.sample_bytes = path.sample_bytes.scaled(factor);
  path.samples_per_epoch = dataset.samples();
  path.opens_per_sample = dataset.opens_per_sample();
  path.memory_bytes_per_sample = dataset.memory_bytes_per_sample();
  const double mean = path.mean_sample_bytes();
  if (dataset.order == SampleOrder::random) {
    path.requests_per_sample =
        dataset.request_bytes > 0.0 ? std::max(1.0, std::ceil(mean / dataset.request_bytes)) : 1.0;
  } else {
    const double request = dataset.request_bytes > 0.0 ? dataset.request_bytes : kSequentialRequestBytes;
    path.requests_per_sample = mean / request;
  }
}

/// A mix draws each sample from one of the datasets, in proportion to their weights.
void resolve_datasets(IngestPath& path, const Scenario& scenario, const Store& store, const Job& job) {
  resolve_dataset(path, dataset_of(scenario, job), store, job.loader);
  if (job.datasets.size() < 2) return;
  double all = 0.0;
  for (const DatasetShare& share : job.datasets) all += share.weight;
  std::vector<double> weights;
  std::vector<sim::Distribution> sizes;
  double opens = 0.0;
  double requests = 0.0;
  double memory_bytes = 0.0;
  for (const DatasetShare& share : job.datasets) {
    IngestPath part;
    resolve_dataset(part, find_named(scenario.datasets, share.dataset, "dataset"), store, job.loader);
    weights.push_back(share.weight);
    sizes.push_back(part.sample_bytes);
    opens += share.weight / all * part.opens_per_sample;
    requests += share.weight / all * part.requests_per_sample;
    memory_bytes += share.weight / all * part.memory_bytes_per_sample;
  }
  path.sample_bytes = sim::Distribution::mixture(std::move(weights), std::move(sizes));
  path.opens_per_sample = opens;
  path.requests_per_sample = requests;
  path.memory_bytes_per_sample = memory_bytes;
  path.samples_per_epoch = corpus_of(scenario, job).samples;
}

/// CPU time of a sample of the mix.
sim::Distribution cpu_of(const Job& job) {
  std::vector<double> weights;
  std::vector<sim::Distribution> laws;
  bool own = false;
  for (const DatasetShare& share : job.datasets) {
    const bool stated = mean_of(share.cpu_s_per_sample) > 0.0;
    own = own || stated;
    weights.push_back(share.weight);
    laws.push_back(to_distribution(stated ? share.cpu_s_per_sample : job.loader.cpu_s_per_sample));
  }
  if (!own) return to_distribution(job.loader.cpu_s_per_sample);
  return laws.size() == 1 ? laws.front() : sim::Distribution::mixture(std::move(weights), std::move(laws));
}

/// Compute that follows the bytes of a batch: a step takes as long as the largest batch of the replicas, whose bytes
/// have the quantile Q(u^(1/n)), Q that of one batch (David and Nagaraja, Order Statistics, 2003).
void follow_sample_size(IngestPath& path, const Job& job) {
  const double share = job.step.follows_sample_size;
  if (!(share > 0.0) || path.sample_bytes.is_constant()) return;
  const sim::IidSum bytes(path.sample_bytes, to_u32(job.step.batch));
  const double mean_bytes = path.mean_sample_bytes() * static_cast<double>(job.step.batch);
  const double compute_s = path.compute_s.mean();
  constexpr int kPoints = 256;
  std::vector<sim::QuantilePoint> points;
  for (int i = 0; i <= kPoints; ++i) {
    const double p = static_cast<double>(i) / kPoints;
    const double inside = std::clamp(p, 0.125 / kPoints, 1.0 - 0.125 / kPoints);
    const double largest = bytes.quantile(sim::ppow(inside, 1.0 / path.replicas));
    points.push_back({p, compute_s * (1.0 - share + share * largest / mean_bytes)});
  }
  path.compute_s = sim::Distribution::empirical(std::move(points));
  path.largest_batch_wait_s = std::max(0.0, path.compute_s.mean() - compute_s);
}

/// Dropped samples are not read.
void resolve_last_batch(IngestPath& path) {
  if (path.stated_loader.last_batch != LastBatch::drop) return;
  const double steps = path.steps_per_epoch();
  const auto whole = [](double number) { return std::to_string(static_cast<std::uint64_t>(number)); };
  if (steps < 1.0)
    throw UnusableRequest("the dataset has " + whole(path.samples_per_epoch) + " samples, fewer than the " +
                              whole(path.samples_per_step) +
                              " of one step of all ranks, and loader/last_batch drops what fills no step",
                          "give the dataset more files, lower step/batch, or set loader/last_batch to keep");
  const auto full = static_cast<double>(static_cast<std::uint64_t>(steps));
  path.share_read = full / steps;
  path.samples_per_epoch = path.samples_per_step * full;
}

void resolve_network(IngestPath& path, const Scenario& scenario, const Pool& pool, const Store& store) {
  const double efficiency = scenario.fabric.efficiency;
  // A capacity of which others leave nothing is one that the job does not ask for (models/cluster/fair_share.hpp).
  path.nic_bytes_per_s = stated_limit(pool.nic_bytes_per_s() * scenario.fabric.transport.efficiency);
  // Uplinks and spine are those of the whole pool, also for a job that takes only a part of it.
  const std::uint64_t under_leaf = pool.nodes_per_leaf > 0 ? std::min(pool.nodes_per_leaf, pool.nodes) : pool.nodes;
  const auto uplinks_of = [&](std::uint64_t nodes) {
    return divided(times(path.nic_bytes_per_s, static_cast<double>(nodes)), scenario.fabric.leaf_oversubscription);
  };
  path.leaf_bytes_per_s = times(uplinks_of(under_leaf), efficiency);
  path.spine_bytes_per_s = times(divided(uplinks_of(pool.nodes), scenario.fabric.spine_oversubscription), efficiency);
  path.store_bytes_per_s = stated_limit(store.bandwidth_bytes_per_s);
  path.front_end_bytes_per_s = store.front_end_bytes_per_s;
  std::optional<double> stream = times(store.stream_bytes_per_s, path.store_lanes);
  if (scenario.fabric.wan && !path.local_store)
    stream = tightest({stream, wide_area_bytes_per_s(*scenario.fabric.wan) * path.store_lanes});
  if (path.local_store) {
    path.flow_cap_bytes_per_s = tightest({path.store_bytes_per_s, stream});
    path.device = {path.store_bytes_per_s, path.flow_cap_bytes_per_s, true};
  } else {
    path.flow_cap_bytes_per_s = tightest({path.nic_bytes_per_s, stream});
  }
}

std::uint64_t ranks_per_node(const IngestPath& path, const Job& job) {
  return (path.replicas * job.parallelism.ranks_per_replica() + path.nodes - 1) / path.nodes;
}

double background_cores(const Pool& pool) { return pool.host.core_sharing.value_or(CoreSharing{}).background_cores; }

/// Cores of a node that the job's training processes keep busy.
double training_cores(const IngestPath& path, const Job& job) {
  return job.step.host_part ? static_cast<double>(ranks_per_node(path, job)) * job.step.host_part->busy_cores : 0.0;
}

/// Training processes that load by themselves are the workers.
double cores_busy_beside_workers(const IngestPath& path, const Pool& pool, const Job& job) {
  return background_cores(pool) + (path.synchronous ? 0.0 : training_cores(path, job));
}

/// Cores for the workers of a node. Where there are more busy threads than cores, all have the same share (processor
/// sharing: L. Kleinrock, Queueing Systems II, 1976, section 4.4).
SharedResource cores_for(double workers, std::optional<double> cores, double busy_beside) {
  const bool contended = cores && workers + busy_beside > *cores;
  if (contended && busy_beside > 0.0) *cores = *cores * workers / (workers + busy_beside);
  return {cores, 1.0, contended};
}

/// Stations: what they serve in all and what one worker can ask of them. A station that can never fill is folded away.
void resolve_stations(IngestPath& path, const Pool& pool, const Store& store, double busy_beside) {
  const double all_workers = static_cast<double>(path.loaders) * path.workers;
  const double node_workers = std::ceil(static_cast<double>(path.loaders) / path.nodes) * path.workers;
  const double lanes = path.store_lanes;
  path.metadata_latency_s = to_distribution(store.metadata.latency_s);
  const std::optional<double> servers = store.metadata.servers;
  path.metadata = {servers, lanes, servers && all_workers * lanes > *servers};
  path.request_latency_s = to_distribution(store.latency_s);
  const double latency = path.request_latency_s.mean();
  const std::optional<double> per_worker = latency > 0.0 ? std::optional(lanes / latency) : std::nullopt;
  const double asking = path.local_store ? node_workers : all_workers;
  path.requests = {store.requests_per_s, per_worker,
                   store.requests_per_s && (!per_worker || asking * *per_worker > *store.requests_per_s)};
  const NodeCache& cache = pool.cache;
  path.cache_latency_s = to_distribution(cache.latency_s);
  path.cache = {cache.bandwidth_bytes_per_s, cache.bandwidth_bytes_per_s, cache.bandwidth_bytes_per_s.has_value()};
  path.cpu = cores_for(node_workers, pool.host.cores, busy_beside);
  path.copy_bytes_per_s = pool.host.copy_bytes_per_s;
  path.speed_cv = pool.host.speed_cv;
  path.limit = store.limit;
  path.limit_requests_per_s = store.limit.requests_per_s();
}

/// Compute time of the step over that of the measured micro-batch.
double measured_batches(const TrainingStep& step) {
  const double batch = static_cast<double>(step.batch);
  const double micro_batch = batch / static_cast<double>(step.micro_batches);
  return batch / step.efficiency->measured_at * step.efficiency->time_factor(micro_batch);
}

void resolve_step(IngestPath& path, const Pool& pool, const Job& job) {
  const TrainingStep& step = job.step;
  if (step.arithmetic && !(mean_of(step.step_time_s) > 0.0)) {
    const double peak = pool.gpu.peak_flops_per_s * static_cast<double>(job.parallelism.ranks_per_replica());
    const double stated = step.arithmetic->flops_per_sample;
    const double flops = stated > 0.0 || !job.model ? stated : job.model->flops_per_sample();
    const double compute_s = flops * static_cast<double>(step.batch) / (peak * step.arithmetic->mfu);
    const double micro_batch = static_cast<double>(step.batch) / static_cast<double>(step.micro_batches);
    const double factor = step.efficiency ? step.efficiency->time_factor(micro_batch) : 1.0;
    path.compute_s = sim::Distribution::constant(compute_s * factor);
  } else {
    path.compute_s = to_distribution(step.step_time_s);
    if (step.efficiency) path.compute_s = path.compute_s.scaled(measured_batches(step));
  }
  path.overhead_s = to_distribution(step.overhead_s);
  path.collective_s = step.collective_exposed_s;
  if (step.barrier)
    path.barrier = barrier_times(
        *step.barrier, static_cast<double>(path.replicas) * static_cast<double>(job.parallelism.ranks_per_replica()));
  if (pool.gpu.pcie_bytes_per_s) {
    const double bytes = static_cast<double>(step.batch) * path.memory_bytes_per_sample;
    path.h2d_s = bytes * static_cast<double>(pool.gpu.pcie_shared_by) / *pool.gpu.pcie_bytes_per_s;
    if (job.checkpoint) path.h2d_s /= job.checkpoint->pcie_left;
  }
  // Beside compute, only what it does not hide delays a step.
  if (step.h2d_overlapped) path.h2d_s = std::max(0.0, path.h2d_s - path.compute_s.mean());
}

/// A training process that loads by itself receives nothing.
void resolve_receiving(IngestPath& path, const BatchReceiving& receive) {
  if (path.synchronous) return;
  (receive.pin_thread ? path.pin_s : path.receive_s) =
      receive.time_s(static_cast<double>(path.batch_samples) * path.memory_bytes_per_sample);
}

/// Its own thread is not in the way of a training process.
void resolve_host_part(IngestPath& path, const Pool& pool, const Job& job) {
  if (!job.step.host_part) return;
  HostLoad& load = path.host_load;
  load.time_s = job.step.host_part->time_s;
  load.cores = pool.host.cores;
  load.cores_searched = pool.host.core_sharing.value_or(CoreSharing{}).cores_searched;
  load.busy_beside = background_cores(pool) + training_cores(path, job) - std::min(1.0, job.step.host_part->busy_cores);
  load.receive_alone_s = path.receive_s;
  load.pin_alone_s = path.pin_s;
}

/// Starting is CPU work: what a node has more workers than cores, starts in turns.
void resolve_worker_start(IngestPath& path, const Pool& pool, const Loader& loader) {
  if (path.synchronous || !loader.epoch_start) return;
  const double workers = std::ceil(static_cast<double>(path.loaders) / path.nodes) * path.workers;
  const double turns = pool.host.cores ? std::max(1.0, workers / static_cast<double>(*pool.host.cores)) : 1.0;
  path.worker_start_s = loader.epoch_start->worker_start_s * turns;
}

void resolve_pool_limit(IngestPath& path) {
  if (path.local_store) return;
  const double share = path.host.store_share;
  path.pool_bytes_per_s = tightest(
      {divided(path.store_bytes_per_s, share), divided(path.front_end_bytes_per_s, share), path.spine_bytes_per_s});
}

}  // namespace

std::uint32_t Granularity::pieces(std::uint32_t samples) const {
  if (kind == Kind::batch) return 1;
  if (kind == Kind::sample) return std::max(1U, samples);
  return std::clamp(chunks, 1U, std::max(1U, samples));
}

const Pool& pool_of(const Scenario& scenario, const Job& job) {
  return find_named(scenario.cluster.pools, job.pool, "pool");
}

const Dataset& dataset_of(const Scenario& scenario, const Job& job) {
  if (job.datasets.empty()) throw std::out_of_range("job '" + job.name + "' reads no dataset");
  return find_named(scenario.datasets, job.datasets.front().dataset, "dataset");
}

Corpus corpus_of(const Scenario& scenario, const Job& job) {
  Corpus corpus;
  for (const DatasetShare& share : job.datasets) {
    const Dataset& dataset = find_named(scenario.datasets, share.dataset, "dataset");
    corpus.files += static_cast<double>(dataset.files);
    corpus.samples += dataset.samples();
    corpus.bytes += dataset.bytes();
    corpus.memory_bytes += dataset.samples() * dataset.memory_bytes_per_sample();
  }
  return corpus;
}

Dataset dealt_dataset(const Scenario& scenario, const Job& job) {
  Dataset dealt = dataset_of(scenario, job);
  for (std::size_t i = 1; i < job.datasets.size(); ++i) {
    const Dataset& other = find_named(scenario.datasets, job.datasets[i].dataset, "dataset");
    dealt.files += other.files;
    if (other.order != SampleOrder::shard_sequential) dealt.order = other.order;
  }
  return dealt;
}

const Store& store_of(const Scenario& scenario, const Dataset& dataset) {
  return find_named(scenario.stores, dataset.store, "store");
}

IngestPath resolve_path(const Scenario& scenario, std::size_t job_index, Granularity granularity) {
  const Job& job = scenario.jobs.at(job_index);
  const Pool& pool = pool_of(scenario, job);
  const Dataset& dataset = dataset_of(scenario, job);
  const Store store = as_built(store_of(scenario, dataset), dataset, job.loader);
  IngestPath path;
  path.granularity = granularity;
  path.stated_loader = job.loader;
  if (granularity.kind == Granularity::Kind::sample && job.loader.lanes > 1)
    throw UnusableRequest(
        "sample granularity serves one request of a worker at a time, and the loader has several lanes",
        "use --granularity 'chunk(8)', or set lanes to 1");
  path.local_store = is_local(store.kind);
  resolve_readers(path, pool, job);
  resolve_loader(path, dealt_dataset(scenario, job), job.loader);
  path.store_lanes = path.lanes;
  if (pool.cache.policy != CachePolicy::none && pool.cache.prefetch > 0) path.store_lanes = to_u32(pool.cache.prefetch);
  resolve_datasets(path, scenario, store, job);
  if (job.step.packing)
    pack_samples(path, *job.step.packing, 1.0 / (way_factor(dataset, job.loader) * store.returned_fraction));
  resolve_last_batch(path);
  resolve_network(path, scenario, pool, store);
  resolve_landing(path, pool);
  resolve_goodput(path, scenario.fabric.transport);
  resolve_stations(path, pool, store, cores_busy_beside_workers(path, pool, job));
  path.cpu_s_per_sample = cpu_of(job);
  pack_cpu(path);
  resolve_host_costs(path, scenario, job);
  resolve_tiers(path, pool, store, dataset, job);
  resolve_step(path, pool, job);
  follow_sample_size(path, job);
  resolve_collective(path, pool, job);
  resolve_shared_links(path, scenario, job);
  resolve_pool_limit(path);
  path.lock_s =
      job.loader.lock.single_worker_s * sim::ppow(static_cast<double>(path.workers), job.loader.lock.exponent);
  path.lock_contended = path.lock_s > 0.0 && path.workers > 1;
  resolve_receiving(path, job.loader.receive);
  resolve_worker_start(path, pool, job.loader);
  resolve_contention(path, pool);
  resolve_host_part(path, pool, job);
  slow_host_part(path);
  if (job.model) path.model_state_bytes = job.model->state_bytes();
  if (job.checkpoint) {
    path.node_flows = job.checkpoint->node_flows;
    path.replica_holds_state = replica_holds_state(pool, job, checkpoint_bytes(*job.checkpoint, path));
  }
  return path;
}

}  // namespace headrace::models
