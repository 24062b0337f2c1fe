// One job's data path from store to GPU as hops and engines read it: counts, rates and distributions, with everything
// that does not change during a run computed once. models/path/ resolves a scenario into it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/hops/barrier.hpp"
#include "models/hops/stage.hpp"
#include "models/hops/tiers.hpp"
#include "models/spec/scenario.hpp"
#include "sim/distribution.hpp"

namespace headrace::models {

/// How finely a batch is cut: one piece, m sequential chunks, or one piece per sample.
struct Granularity {
  enum class Kind : std::uint8_t { batch, chunk, sample } kind = Kind::batch;
  std::uint32_t chunks = 1;

  /// Pieces of a batch of `samples`.
  std::uint32_t pieces(std::uint32_t samples) const;
};

/// A resource that requests share: `capacity` units per second in all, at most `per_worker` for one batch.
struct SharedResource {
  std::optional<double> capacity_per_s;
  std::optional<double> per_worker_per_s;
  bool contended = false;  ///< more workers can ask than it serves without sharing
};

/// What a batch costs the host beside preprocessing and copies: see models/path/host_costs.hpp. All zero by default.
struct HostCosts {
  bool protocol_delays = false;
  bool protocol_works = false;
  double delay_per_open_s = 0.0;
  double delay_per_request_s = 0.0;
  double protocol_s_per_byte = 0.0;  ///< core time, as the following
  double protocol_s_per_request = 0.0;
  double decode_s_per_byte = 0.0;  ///< of bytes on the way
  double decode_s_per_sample = 0.0;
  SharedResource memory;  ///< bytes per second over each node's memory
  double receive_passes = 0.0;
  double batch_passes = 0.0;
  SharedResource remote;     ///< samples per second of the preprocessing machines; no capacity: there are none
  double store_share = 1.0;  ///< bytes that the store gives per byte that reaches a node
};

/// Training processes as customers of the node's cores: see models/hops/host_part.hpp.
struct HostLoad {
  double time_s = 0.0;           ///< of a step, on a node without other load; 0: nothing slows the step
  std::optional<double> cores;   ///< of a node; none: they never fill
  double cores_searched = 1.0;   ///< for an idle one
  double busy_beside = 0.0;      ///< cores busy with what is neither a loader worker nor this training process
  double receive_alone_s = 0.0;  ///< of a batch, without other load
  double pin_alone_s = 0.0;
  double slowdown = 1.0;  ///< of the host part, of receiving and of the pin thread
  double wait_s = 0.0;    ///< by which the host part is longer; counts as overhead

  bool is_slowed() const { return time_s > 0.0 && cores.has_value(); }
};

struct IngestPath {
  // Who reads, where.
  std::uint32_t nodes = 1;
  std::uint32_t loaders = 1;
  std::uint32_t gpus = 1;
  std::uint32_t replicas = 1;
  std::uint32_t nodes_per_leaf = 1;
  std::uint32_t leaves = 1;
  std::uint32_t batch_samples = 1;  ///< per loader
  double samples_per_step = 1.0;    ///< trained by the whole job
  double samples_per_epoch = 1.0;
  double share_read = 1.0;  ///< of the samples of the data: the others are dropped

  // The loader.
  Loader stated_loader;  ///< as the job states it
  std::uint32_t workers = 1;
  std::uint32_t outstanding = 1;
  std::uint32_t lanes = 1;
  std::uint32_t store_lanes = 1;  ///< for reads from the store: the cache may prefetch with more
  DeliveryOrder order = DeliveryOrder::in_order;
  bool synchronous = false;  ///< loading begins when the step has ended
  Granularity granularity;

  // What a sample asks for.
  sim::Distribution sample_bytes = sim::Distribution::constant(0.0);
  double opens_per_sample = 1.0;
  double requests_per_sample = 1.0;
  double memory_bytes_per_sample = 0.0;
  double samples_packed = 1.0;      ///< of the dataset, in what is a sample here (models/path/packed_sequences.hpp)
  double packed_fill = 1.0;         ///< share of a sequence's tokens that is no padding
  double packed_cut = 0.0;          ///< share of the samples' tokens that is cut off
  double hit_ratio = 0.0;           ///< of the window that is simulated
  double miss_bytes_factor = 1.0;   ///< bytes that come from the store over those of the sample
  double fault_s_per_sample = 0.0;  ///< CPU time of page faults
  bool holds_tensors = false;       ///< what the node's cache has needs no decoding
  TierPath tiers;

  // Stages.
  sim::Distribution metadata_latency_s = sim::Distribution::constant(0.0);
  sim::Distribution request_latency_s = sim::Distribution::constant(0.0);
  sim::Distribution cache_latency_s = sim::Distribution::constant(0.0);
  sim::Distribution cpu_s_per_sample = sim::Distribution::constant(0.0);
  SharedResource metadata;  ///< servers; work in server-seconds
  SharedResource requests;  ///< requests per second of the store (per node for local kinds)
  SharedResource cache;     ///< bytes per second of each node's cache medium
  SharedResource cpu;       ///< cores of each node; work in core-seconds
  SharedResource device;    ///< bytes per second of each node's drive where the store is local
  bool local_store = false;
  std::optional<double> flow_cap_bytes_per_s;  ///< one worker's transfer: lanes * stream, never over the NIC
  std::optional<double> pool_bytes_per_s;  ///< the tightest of store, front end and spine; none before a local store
  std::optional<double> store_bytes_per_s;
  std::optional<double> front_end_bytes_per_s;
  std::optional<double> spine_bytes_per_s;
  std::optional<double> leaf_bytes_per_s;
  std::optional<double> nic_bytes_per_s;       ///< of ingest, whose requests may be too small to fill it
  std::optional<double> bulk_nic_bytes_per_s;  ///< of long transfers
  std::optional<double> copy_bytes_per_s;
  double lock_s = 0.0;
  bool lock_contended = false;
  double receive_s = 0.0;       ///< of a batch in the training process, before its step
  double pin_s = 0.0;           ///< of a batch in the pin thread, beside the step
  double worker_start_s = 0.0;  ///< until all workers have started
  double speed_cv = 0.0;
  double contending_workers = 0.0;  ///< of a node, where they slow each other by the exponent
  double scaling_workers = 0.0;     ///< of a node, where they slow each other by sigma and kappa
  double collate_slowdown = 1.0;    ///< time of collation beside them over that alone
  std::uint32_t landing_links = 0;  ///< GPUs' links that share the adapter's bursts; 0: not modelled
  HostCosts host;

  // Request limit of an object store.
  std::optional<double> limit_requests_per_s;
  RequestLimit limit;

  // The training step.
  sim::Distribution compute_s = sim::Distribution::constant(0.0);
  double largest_batch_wait_s = 0.0;  ///< of it, on average, for the replica whose batch has most bytes
  sim::Distribution overhead_s = sim::Distribution::constant(0.0);
  double h2d_s = 0.0;
  double collective_s = 0.0;
  double gpu_decode_s = 0.0;  ///< counts as overhead
  BarrierTimes barrier;       ///< counts as overhead
  HostLoad host_load;

  double model_state_bytes = 0.0;    ///< weights and optimizer of the job's model; 0: it has none
  bool replica_holds_state = true;   ///< a whole checkpoint fits on the GPUs of one replica; otherwise all share one
  std::vector<NodeFlow> node_flows;  ///< of its checkpoints, for which capacities are already lowered

  // Where the job lies beside others on the cluster; all 0 when it is alone.
  std::uint32_t draw_base = 0;         ///< added to the entity of every draw, so that jobs draw independently
  std::uint32_t first_node = 0;        ///< of the job, among the nodes of the network before its store
  std::uint32_t first_leaf = 0;        ///< leaf of the network that holds the job's first node
  std::uint32_t first_under_leaf = 0;  ///< nodes of others under that leaf before it
  std::uint32_t service_user = 0;      ///< its class of traffic, among those that the store's services tell apart

  WindowShares shares() const { return {hit_ratio, tiers.shares}; }
  /// Other tiers than the node's cache and the store take part, or writes into the cache.
  bool tiered() const { return tiers.shares.read() > 0.0 || (tiers.shares.fill > 0.0 && tiers.fill_weight > 0.0); }
  /// Share of the samples that come from the store.
  double miss_ratio() const {
    const double rest = 1.0 - hit_ratio - tiers.shares.read();
    return rest > kRoundedShare ? rest : 0.0;
  }
  double mean_sample_bytes() const { return sample_bytes.mean(); }
  double steps_per_epoch() const { return samples_per_epoch / samples_per_step; }
  /// Mean time of a step in which nothing is waited for.
  double mean_step_floor_s() const { return compute_s.mean() + mean_overhead_s() + h2d_s + collective_s; }
  /// The same where every batch is ready before its step: the training process still receives it.
  double mean_fed_step_s() const { return mean_step_floor_s() + receive_s; }
  /// Iterators are made anew with each epoch.
  bool epochs_start_anew() const { return stated_loader.epoch_start && !synchronous; }
  double mean_overhead_s() const { return overhead_s.mean() + gpu_decode_s + host_load.wait_s + barrier.mean_s(); }
  /// What the last step of an epoch takes beyond its share of a full one of `step_s`: smaller batches are loaded,
  /// copied and computed in less time, but loop, barrier and exchange take theirs, unless they hide behind the loading.
  double last_step_extra_s(double step_s) const;
  std::uint32_t node_of(std::uint32_t loader) const {
    return static_cast<std::uint32_t>(std::uint64_t{loader} * nodes / loaders);
  }
  /// Leaf of the network above a node of the job.
  std::uint32_t leaf_of(std::uint32_t node) const { return first_leaf + (first_under_leaf + node) / nodes_per_leaf; }
  /// Requests per second that one worker can ask of the store at most; without a latency only the store limits.
  std::optional<double> request_cap_per_s() const {
    return request_latency_s.mean() > 0.0 ? requests.per_worker_per_s : requests.capacity_per_s;
  }
  /// Steps in which the workers of a loader take their turns; 1 where they take none.
  std::uint32_t turn_steps() const { return order == DeliveryOrder::in_order ? std::min(workers, outstanding) : 1; }
  /// Batches of the job that may be under way at the same time: each worker has one.
  double hands() const { return static_cast<double>(loaders) * std::min(workers, outstanding); }
  std::uint32_t pieces() const { return granularity.pieces(batch_samples); }
};

}  // namespace headrace::models
