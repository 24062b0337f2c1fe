// A job on many like nodes, of which the event engine simulates some: these share their part of what the whole job
// shares, and the ranks of the others take part in its barrier (models/engine/like_ranks.hpp).
#pragma once

#include <cstdint>
#include <string>

#include "models/cluster/cluster_plan.hpp"
#include "models/cluster/sampled_nodes.hpp"

namespace headrace::models {

/// Ranks from which on a run of all nodes takes long.
inline constexpr std::uint32_t kManyRanks = 4096;

/// Share of a step by which all nodes may differ from those that stand for them.
inline constexpr double kMostSampleDifference = 0.03;

/// Which nodes of a job are simulated: the first under its first leaves.
struct NodeSample {
  std::uint32_t leaves = 1;
  std::uint32_t nodes_per_leaf = 1;

  std::uint32_t nodes() const { return leaves * nodes_per_leaf; }
};

/// Some `least` nodes or more; whole leaves where they are small.
NodeSample node_sample(const IngestPath& path, std::uint32_t least = kSampledNodes);

/// Why a sample of so many nodes does not stand for the job of the plan; empty if it does.
std::string unlike_reason(const ClusterPlan& plan, std::uint32_t least = kSampledNodes);

/// The plan of a lone job with this sample of its nodes.
ClusterPlan sample_nodes(const ClusterPlan& plan, NodeSample sample);

}  // namespace headrace::models
