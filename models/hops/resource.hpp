// The resources that batches compete for. What people read is told by the traits; documents have the keys.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "models/hops/path.hpp"
#include "models/hops/stage.hpp"

namespace headrace::models {

/// In the order in which floors and stations list them.
enum class Resource : std::uint8_t {
  workers,
  cache,
  metadata,
  request_limit,
  store_requests,
  local_drive,
  store_bandwidth,
  store_front_end,
  shared_cache,
  spine,
  leaf_uplink,
  nic,
  cores,
  remote_pool,
  host_memory,
  hand_over_lock,
  pin_thread,
};

inline constexpr std::size_t kResourceCount = 17;
inline constexpr std::array<std::string_view, kResourceCount> kResourceKeys = {
    "workers",         "cache",           "metadata",     "request_limit",  "store_requests", "local_drive",
    "store_bandwidth", "store_front_end", "shared_cache", "spine",          "leaf_uplink",    "nic",
    "cores",           "remote_pool",     "host_memory",  "hand_over_lock", "pin_thread"};
constexpr std::size_t index(Resource resource) { return static_cast<std::size_t>(resource); }

/// Where people draw it.
enum class ResourceSide : std::uint8_t { store, network, node, loader };
/// Of what there is one each.
enum class Scope : std::uint8_t { loader, node, leaf, cluster };
/// Whose it is where several jobs run: only the job's, or shared by all jobs on its store or in its pool.
enum class Owner : std::uint8_t { job, store, pool };

struct ResourceTraits {
  Resource resource;
  std::string_view name;
  std::string_view unit;  ///< of the capacity, per second; cores and servers serve one second per second each
  ResourceSide side;
  Scope scope;
  Owner owner;
  std::optional<Stage> stage;  ///< that it limits; nullopt: the stage that asks most of it
};

const ResourceTraits& traits(Resource resource);
inline std::string_view name(Resource resource) { return traits(resource).name; }

/// Requests of a local store are served by each node.
Scope scope_of(const IngestPath& path, Resource resource);
/// Units per second of one of it; nullopt where it is no limit or the path does not pass it. Workers have none of
/// their own.
std::optional<double> capacity_per_s(const IngestPath& path, Resource resource);

}  // namespace headrace::models
