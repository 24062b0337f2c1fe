// What the exchange of gradients adds to a step: alpha-beta costs of the collectives, the part that the backward pass
// hides, tensor-parallel traffic, barrier and the slowest of the GPUs.
//
// Sources: R. Thakur, R. Rabenseifner, W. Gropp, IJHPCA 19(1), 2005 (alpha-beta costs); S. Li et al., PyTorch
// Distributed, VLDB 2020 (buckets beside the backward pass); M. Shoeybi et al., Megatron-LM, 2019 (four all-reduces of
// the hidden state per layer and micro-batch); S. Rajbhandari et al., ZeRO, 2020, section 7 (traffic by stage); H. A.
// David, H. N. Nagaraja, Order Statistics, 2003 (slowest of n).
// Deviations: a tree over n ranks is ceil(log2 n) deep; all arithmetic is portable, since it enters simulated paths.
#pragma once

#include "models/path/ingest_path.hpp"

namespace headrace::models {

/// Seconds per step. The exposed part is what a step takes longer than its compute.
struct Exchange {
  double gradient_bytes = 0.0;  ///< of one rank
  double gradients_s = 0.0;     ///< whole exchange
  double exposed_s = 0.0;       ///< of it, behind the compute
  double tensor_s = 0.0;        ///< tensor-parallel all-reduces, never hidden
  double barrier_s = 0.0;
  double straggler_s = 0.0;  ///< wait for the slowest GPU
  double offload_s = 0.0;    ///< gradients to the host and weights back, over PCIe

  /// Without the offload, which counts as copies to the GPU.
  double total_s() const { return exposed_s + tensor_s + barrier_s + straggler_s; }
};

/// One all-reduce: `bytes` of each of `members` ranks in each of `nodes` nodes.
struct AllReduceShape {
  double bytes = 0.0;
  double members = 1.0;             ///< of the group in one node
  double nodes = 1.0;               ///< over which the group spreads
  double inside_bytes_per_s = 0.0;  ///< of one GPU
  double nic_bytes_per_s = 0.0;     ///< of one member's share of its node
  double inside_latency_s = 0.0;
  double outside_latency_s = 0.0;

  double ranks() const { return members * nodes; }
};
double all_reduce_s(ExchangeAlgorithm algorithm, const AllReduceShape& shape, double servers);

/// Time behind the backward pass, of `buckets` equal buckets of `bucket_s` each that become ready evenly over
/// `window_s` and travel one after the other: max(t, n t - W (n-1)/n).
double exposed_time_s(double buckets, double bucket_s, double window_s);

/// `path` knows readers and compute.
Exchange exchange_of(const IngestPath& path, const Pool& pool, const Job& job);

/// Adds the exchange to the step of `path`.
void resolve_collective(IngestPath& path, const Pool& pool, const Job& job);

}  // namespace headrace::models
