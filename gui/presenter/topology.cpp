#include "gui/presenter/topology.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/humane.hpp"

namespace headrace::gui {
namespace {

template <class T>
std::size_t named_in(const std::vector<T>& list, const std::string& name) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const T& one) { return one.name == name; });
  return static_cast<std::size_t>(found - list.begin());
}

TopologyPool pool_in(const models::Pool& pool) {
  TopologyPool drawn{pool.name, pool.nodes, pool.gpus_per_node, 1, pool.cache.bytes > 0.0};
  if (pool.nodes_per_leaf > 0) drawn.leaves = (pool.nodes + pool.nodes_per_leaf - 1) / pool.nodes_per_leaf;
  return drawn;
}

}  // namespace

Topology topology_of(const models::Scenario& scenario) {
  Topology topology;
  for (const models::Store& store : scenario.stores)
    topology.stores.push_back({store.name, store.is_shared(), store.cache.has_value()});
  for (const models::Pool& pool : scenario.cluster.pools) topology.pools.push_back(pool_in(pool));
  for (const models::Job& job : scenario.jobs) {
    TopologyJob drawn{job.name, named_in(scenario.cluster.pools, job.pool), {}};
    if (drawn.pool == scenario.cluster.pools.size()) continue;
    for (const models::DatasetShare& share : job.datasets) {
      const std::size_t data = named_in(scenario.datasets, share.dataset);
      if (data == scenario.datasets.size()) continue;
      const std::size_t store = named_in(scenario.stores, scenario.datasets[data].store);
      const bool known = std::find(drawn.stores.begin(), drawn.stores.end(), store) != drawn.stores.end();
      if (store < scenario.stores.size() && !known) drawn.stores.push_back(store);
    }
    topology.jobs.push_back(std::move(drawn));
  }
  return topology;
}

bool Topology::has_network() const {
  return std::any_of(stores.begin(), stores.end(), [](const TopologyStore& store) { return store.shared; });
}

std::string Topology::words() const {
  std::string text = reports::counted(stores.size(), "store");
  for (const TopologyPool& pool : pools)
    text +=
        fmt::format(", {} of {}", reports::counted(pool.nodes, "node"), reports::counted(pool.gpus_per_node, "GPU"));
  return text + ", " + reports::counted(jobs.size(), "job");
}

}  // namespace headrace::gui
