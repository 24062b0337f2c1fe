#include "models/cluster/like_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "models/base/limits.hpp"

namespace headrace::models {

namespace {

constexpr std::uint32_t kLeastLeaves = 2;
constexpr std::uint32_t kLeastRatio = 4;  ///< of all nodes to those that are simulated
/// Workers that a sample's part of a shared capacity serves at their full pace: with fewer, each of them would wait for
/// others more often than in the whole job.
constexpr double kLeastServed = 16.0;

/// The part of a sample.
struct Share {
  double of_job = 1.0;
  double of_leaf = 1.0;
};

Share share_of(const IngestPath& path, NodeSample sample) {
  return {static_cast<double>(sample.nodes()) / path.nodes,
          static_cast<double>(sample.nodes_per_leaf) / std::min(path.nodes_per_leaf, path.nodes)};
}

void lower(std::optional<double>& per_s, double share) {
  if (per_s) *per_s *= share;
}

bool serves_few(std::optional<double> capacity, std::optional<double> each, double share) {
  return capacity && each && *capacity * share < kLeastServed * *each;
}

}  // namespace

NodeSample node_sample(const IngestPath& path, std::uint32_t least) {
  const std::uint32_t under_leaf = std::min(path.nodes_per_leaf, path.nodes);
  if (under_leaf >= least) {
    const std::uint32_t leaves = std::min(path.leaves, kLeastLeaves);
    return {leaves, least / leaves};
  }
  const std::uint32_t leaves = std::max(kLeastLeaves, (least + under_leaf - 1) / under_leaf);
  return {std::min(leaves, path.leaves), under_leaf};
}

std::string unlike_reason(const ClusterPlan& plan, std::uint32_t least) {
  if (plan.jobs.size() != 1 || !plan.background.empty()) return "other load shares the resources of the job";
  const IngestPath& path = plan.jobs.front().path;
  if (path.order != DeliveryOrder::in_order) return "batches come in any order";
  if (path.granularity.kind != Granularity::Kind::batch) return "batches are simulated in pieces";
  if (path.loaders < path.nodes || path.loaders % path.nodes != 0) return "nodes have different numbers of loaders";
  if (path.tiers.shares.peer > 0.0 || path.tiers.shares.shared > 0.0 || path.tiers.one_network_bytes_per_s)
    return "nodes share what they have cached";
  if (path.host.remote.capacity_per_s) return "preprocessing machines are shared";
  const NodeSample sample = node_sample(path, least);
  if (sample.nodes() * kLeastRatio > path.nodes)
    return fmt::format("{} nodes are fewer than {} times the {} of a sample", path.nodes, kLeastRatio,
                       std::max(least, sample.nodes()));
  const Share share = share_of(path, sample);
  if (path.metadata.contended && serves_few(path.metadata.capacity_per_s, path.metadata.per_worker_per_s, share.of_job))
    return "the metadata service has too few servers to give a sample its part";
  if (path.local_store) return {};
  if (path.requests.contended && serves_few(path.requests.capacity_per_s, path.requests.per_worker_per_s, share.of_job))
    return "the store serves too few requests at a time to give a sample its part";
  const bool fills_leaf =  // of which a part is simulated
      share.of_leaf < 1.0 && serves_few(path.leaf_bytes_per_s, path.flow_cap_bytes_per_s, share.of_leaf);
  if (fills_leaf || serves_few(path.pool_bytes_per_s, path.flow_cap_bytes_per_s, share.of_job))
    return "few transfers fill what the nodes share";
  return {};
}

namespace {

/// The sample's part of a path.
IngestPath of_sample(const IngestPath& whole, NodeSample sample) {
  const Share share = share_of(whole, sample);
  IngestPath path = whole;
  path.loaders = whole.loaders / whole.nodes * sample.nodes();
  path.nodes = sample.nodes();
  path.nodes_per_leaf = sample.nodes_per_leaf;
  path.leaves = sample.leaves;
  lower(path.metadata.capacity_per_s, share.of_job);
  if (!path.local_store) lower(path.requests.capacity_per_s, share.of_job);
  lower(path.limit_requests_per_s, share.of_job);
  lower(path.pool_bytes_per_s, share.of_job);
  lower(path.store_bytes_per_s, share.of_job);
  lower(path.front_end_bytes_per_s, share.of_job);
  lower(path.spine_bytes_per_s, share.of_job);
  lower(path.leaf_bytes_per_s, share.of_leaf);
  return path;
}

}  // namespace

ClusterPlan sample_nodes(const ClusterPlan& plan, NodeSample sample) {
  const IngestPath& whole = plan.jobs.front().path;
  ClusterPlan sampled = plan_alone(of_sample(whole, sample));
  sampled.jobs.front().whole = std::make_shared<const IngestPath>(whole);
  return sampled;
}

}  // namespace headrace::models
