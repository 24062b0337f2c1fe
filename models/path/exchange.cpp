#include "models/path/exchange.hpp"

#include <algorithm>
#include <cmath>  // std::ceil only

#include "models/base/slowest_of.hpp"

namespace headrace::models {

namespace {

double per_byte_s(double bytes_per_s) { return bytes_per_s > 0.0 ? 1.0 / bytes_per_s : 0.0; }

double ring_s(double bytes, double ranks, double byte_s, double latency_s) {
  if (ranks <= 1.0) return 0.0;
  return 2.0 * (ranks - 1.0) / ranks * bytes * byte_s + 2.0 * (ranks - 1.0) * latency_s;
}

/// Where the ranks lie and what links them.
struct Links {
  double gpus_per_node = 1.0;
  double node_bytes_per_s = 0.0;
  double gpu_nic_bytes_per_s = 0.0;
  double inside_bytes_per_s = 0.0;
};

Links links_of(const IngestPath& path, const Pool& pool, const Collective& collective) {
  Links links;
  links.gpus_per_node = static_cast<double>(path.gpus) / path.nodes;
  links.node_bytes_per_s =
      collective.outside_bytes_per_s > 0.0 ? collective.outside_bytes_per_s : pool.nic_bytes_per_s();
  links.gpu_nic_bytes_per_s = links.node_bytes_per_s / links.gpus_per_node;
  links.inside_bytes_per_s =
      collective.inside_bytes_per_s > 0.0 ? collective.inside_bytes_per_s : links.gpu_nic_bytes_per_s;
  return links;
}

AllReduceShape shape_of(const Links& links, const Collective& collective, double bytes, double ranks, double members) {
  AllReduceShape shape;
  shape.bytes = bytes;
  shape.members = std::max(1.0, std::min(ranks, members));
  shape.nodes = std::max(1.0, std::ceil(ranks / shape.members));
  shape.inside_bytes_per_s = links.inside_bytes_per_s;
  shape.nic_bytes_per_s = links.gpu_nic_bytes_per_s;
  shape.inside_latency_s = collective.inside_latency_s;
  shape.outside_latency_s = collective.outside_latency_s;
  return shape;
}

/// Forward and backward pass sum the hidden state over the tensor-parallel ranks twice each, layer by layer.
double tensor_parallel_s(const Links& links, const Collective& collective, const Job& job) {
  const double tp = static_cast<double>(job.parallelism.tp);
  if (!job.model || job.model->layers == 0 || !(job.model->hidden > 0.0) || tp <= 1.0) return 0.0;
  const double micro_batches = static_cast<double>(job.step.micro_batches);
  const double samples = static_cast<double>(job.step.batch) / micro_batches;
  const double bytes = samples * job.model->hidden_bytes_per_sample() / static_cast<double>(job.parallelism.cp);
  const double layers = static_cast<double>(job.model->layers) / static_cast<double>(job.parallelism.pp);
  const AllReduceShape shape = shape_of(links, collective, bytes, tp, links.gpus_per_node);
  return 4.0 * layers * micro_batches * all_reduce_s(ExchangeAlgorithm::hierarchical, shape, 1.0);
}

void add_gradients(Exchange& exchange, const IngestPath& path, const Links& links, const Collective& collective,
                   const Job& job) {
  const Parallelism& p = job.parallelism;
  const double micro_batches = static_cast<double>(job.step.micro_batches);
  double bytes = collective.bytes;
  double passes = 1.0;  // in all-reduces
  if (job.model) {
    if (!(bytes > 0.0)) bytes = job.model->parameters * job.model->value_bytes() / static_cast<double>(p.tp * p.pp);
    // Stage 3 gathers the parameters for the forward and the backward pass of each micro-batch, and reduces once.
    if (job.model->zero_stage == 3) passes = micro_batches + 0.5;
  }
  exchange.gradient_bytes = bytes;
  const double in_node = std::max(1.0, links.gpus_per_node / static_cast<double>(p.ranks_per_replica()));
  // Context-parallel ranks hold the same parameters: they take part in the sum.
  const double ranks = static_cast<double>(path.replicas) * static_cast<double>(p.cp);
  if (ranks <= 1.0) return;
  const double buckets = std::max(1.0, std::ceil(bytes / collective.bucket_bytes));
  const AllReduceShape shape = shape_of(links, collective, bytes / buckets, ranks, in_node * static_cast<double>(p.cp));
  const double bucket_s = passes * all_reduce_s(collective.algorithm, shape, static_cast<double>(collective.servers));
  const double compute_s = path.compute_s.mean();
  const bool all_along = job.model && job.model->zero_stage == 3;
  const double window_s = collective.overlap * (all_along ? compute_s : compute_s / micro_batches);
  exchange.gradients_s = buckets * bucket_s;
  exchange.exposed_s = exposed_time_s(buckets, bucket_s, window_s);
}

/// Each rank sends the gradients of its share of the optimizer states down and takes the new weights up.
double offload_s(const IngestPath& path, const Pool& pool, const Job& job) {
  if (!job.model || !job.model->offload || !pool.gpu.pcie_bytes_per_s) return 0.0;
  const double ranks =
      static_cast<double>(job.parallelism.tp * job.parallelism.pp) * (job.model->zero_stage > 0 ? path.replicas : 1.0);
  return 2.0 * job.model->parameters * job.model->value_bytes() / ranks / *pool.gpu.pcie_bytes_per_s;
}

}  // namespace

double all_reduce_s(ExchangeAlgorithm algorithm, const AllReduceShape& shape, double servers) {
  const double ranks = shape.ranks();
  if (ranks <= 1.0) return 0.0;
  const double inside_byte_s = per_byte_s(shape.inside_bytes_per_s);
  const bool one_node = shape.nodes <= 1.0;
  // The members of a node share its network.
  const double node_byte_s = per_byte_s(shape.nic_bytes_per_s * shape.members);
  const double latency_s = one_node ? shape.inside_latency_s : shape.outside_latency_s;
  const double byte_s = one_node ? inside_byte_s : std::max(node_byte_s, inside_byte_s);
  switch (algorithm) {
    case ExchangeAlgorithm::hierarchical:
      return ring_s(shape.bytes, shape.members, inside_byte_s, shape.inside_latency_s) +
             ring_s(shape.bytes / shape.members, shape.nodes, per_byte_s(shape.nic_bytes_per_s),
                    shape.outside_latency_s);
    case ExchangeAlgorithm::ring:
      return ring_s(shape.bytes, ranks, byte_s, latency_s);
    case ExchangeAlgorithm::tree:
      return 2.0 * doublings(ranks) * (latency_s + shape.bytes * byte_s);
    case ExchangeAlgorithm::parameter_server: {
      // Every rank sends all and reads all: what a member's share of its node takes, and what the servers take.
      const double server_byte_s = ranks / servers * node_byte_s;
      return 2.0 * (shape.outside_latency_s + shape.bytes * std::max(per_byte_s(shape.nic_bytes_per_s), server_byte_s));
    }
  }
  return 0.0;
}

double exposed_time_s(double buckets, double bucket_s, double window_s) {
  return std::max(bucket_s, buckets * bucket_s - window_s * (buckets - 1.0) / buckets);
}

Exchange exchange_of(const IngestPath& path, const Pool& pool, const Job& job) {
  Exchange exchange;
  exchange.offload_s = offload_s(path, pool, job);
  if (!job.collective) return exchange;
  const Collective& collective = *job.collective;
  const Links links = links_of(path, pool, collective);
  add_gradients(exchange, path, links, collective, job);
  exchange.tensor_s = tensor_parallel_s(links, collective, job);
  const double ranks = static_cast<double>(path.replicas) * static_cast<double>(job.parallelism.ranks_per_replica());
  exchange.barrier_s = collective.barrier_s * doublings(ranks);
  exchange.straggler_s = path.compute_s.mean() * (slowest_over_mean(ranks, collective.gpu_speed_cv) - 1.0);
  return exchange;
}

void resolve_collective(IngestPath& path, const Pool& pool, const Job& job) {
  if (!job.collective && !job.model) return;
  const Exchange exchange = exchange_of(path, pool, job);
  path.collective_s += exchange.total_s();
  path.h2d_s += exchange.offload_s;
}

}  // namespace headrace::models
