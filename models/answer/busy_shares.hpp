// How much of each resource the jobs would take if none of them ever waited, by the floors of the flow bound: 1 is
// full. Jobs that share a resource are added up; background load takes its part of a store.
//
// Above 1 somebody waits. A resource of share u serves 1/u of what it is asked for (conservation of flow), with an
// equal part for each reader that waits and no job more than it asks for (max-min fairness; Bertsekas and Gallager,
// Data Networks, 1992, section 6.5.2): a job that is alone is idle for 1 - 1/u of the time. A job waits as long as at
// the resource that serves it the least. A store that is asked to hold u times its capacity lacks 1 - 1/u of its data,
// and as much of the work of its jobs cannot be done.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/hops/resource.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

enum class Layer : std::uint8_t { store, fabric, nic, workers, cache, capacity, gpus };
inline constexpr std::size_t kLayerCount = 7;
inline constexpr std::array<std::string_view, kLayerCount> kLayerNames = {"store", "fabric",   "nic", "workers",
                                                                          "cache", "capacity", "GPUs"};

struct BusyShare {
  Layer layer = Layer::store;
  std::optional<Resource> resource;  ///< nullopt: the capacity of a store, or the nodes of a pool
  std::string name;                  ///< "store bandwidth"
  std::string owner;                 ///< store, pool or job that it belongs to
  double share = 0.0;
};

/// Mean numbers of GPUs of a job, all copies.
struct JobWaits {
  double gpus = 0.0;
  double for_data = 0.0;
  double unserved = 0.0;  ///< those beside them whose data does not fit on its store
};

struct BusyShares {
  std::vector<BusyShare> shares;
  std::vector<JobWaits> jobs;  ///< in the order of the scenario

  /// The fullest of a layer; nothing where the path does not pass it.
  const BusyShare* fullest(Layer layer) const;
};

BusyShares busy_shares(const Scenario& scenario);

}  // namespace headrace::models
