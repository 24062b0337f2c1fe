// What a cluster is made of, small enough to be drawn in a picture: stores, network, pools of nodes, and which job
// reads what where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/spec/scenario.hpp"

namespace headrace::gui {

struct TopologyStore {
  std::string name;
  bool shared = true;   ///< false: drives in each node
  bool cached = false;  ///< a cache before it
};

struct TopologyPool {
  std::string name;
  std::uint64_t nodes = 1;
  std::uint64_t gpus_per_node = 1;
  std::uint64_t leaves = 1;
  bool cached = false;  ///< a cache in each node
};

struct TopologyJob {
  std::string name;
  std::size_t pool = 0;
  std::vector<std::size_t> stores;
};

struct Topology {
  std::vector<TopologyStore> stores;
  std::vector<TopologyPool> pools;
  std::vector<TopologyJob> jobs;

  bool has_network() const;
  /// "1 store, 4 nodes of 8 GPUs, 1 job".
  std::string words() const;
};

Topology topology_of(const models::Scenario& scenario);

}  // namespace headrace::gui
