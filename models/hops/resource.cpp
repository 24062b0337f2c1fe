#include "models/hops/resource.hpp"

#include <array>

namespace headrace::models {

namespace {

constexpr std::array<ResourceTraits, kResourceCount> kTraits = {{
    {Resource::workers, "workers", "batches/s", ResourceSide::loader, Scope::loader, Owner::job, std::nullopt},
    {Resource::cache, "cache", "B/s", ResourceSide::node, Scope::node, Owner::job, Stage::cache},
    {Resource::metadata, "metadata", "servers", ResourceSide::store, Scope::cluster, Owner::store, Stage::metadata},
    {Resource::request_limit, "request limit", "requests/s", ResourceSide::store, Scope::cluster, Owner::store,
     Stage::throttle},
    {Resource::store_requests, "store requests", "requests/s", ResourceSide::store, Scope::cluster, Owner::store,
     Stage::request},
    {Resource::local_drive, "local drive", "B/s", ResourceSide::node, Scope::node, Owner::job, Stage::transfer},
    {Resource::store_bandwidth, "store bandwidth", "B/s", ResourceSide::store, Scope::cluster, Owner::store,
     Stage::transfer},
    {Resource::store_front_end, "store front end", "B/s", ResourceSide::store, Scope::cluster, Owner::store,
     Stage::transfer},
    {Resource::shared_cache, "shared cache", "B/s", ResourceSide::store, Scope::cluster, Owner::job,
     Stage::shared_cache},
    {Resource::spine, "spine", "B/s", ResourceSide::network, Scope::cluster, Owner::pool, Stage::transfer},
    {Resource::leaf_uplink, "leaf uplink", "B/s", ResourceSide::network, Scope::leaf, Owner::job, Stage::transfer},
    {Resource::nic, "nic", "B/s", ResourceSide::network, Scope::node, Owner::job, Stage::transfer},
    {Resource::cores, "cores", "cores", ResourceSide::node, Scope::node, Owner::job, std::nullopt},
    {Resource::remote_pool, "remote pool", "samples/s", ResourceSide::store, Scope::cluster, Owner::job, Stage::decode},
    {Resource::host_memory, "host memory", "B/s", ResourceSide::node, Scope::node, Owner::job, Stage::memory},
    {Resource::hand_over_lock, "hand-over lock", "batches/s", ResourceSide::loader, Scope::loader, Owner::job,
     Stage::lock},
    {Resource::pin_thread, "pin thread", "batches/s", ResourceSide::loader, Scope::loader, Owner::job, Stage::receive},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kTraits.size(); ++i)
    if (index(kTraits[i].resource) != i) return false;
  return true;
}
static_assert(in_order(), "traits stand in the order of the resources");

}  // namespace

const ResourceTraits& traits(Resource resource) { return kTraits[index(resource)]; }

Scope scope_of(const IngestPath& path, Resource resource) {
  if (resource == Resource::store_requests && path.local_store) return Scope::node;
  return traits(resource).scope;
}

std::optional<double> capacity_per_s(const IngestPath& path, Resource resource) {
  const auto of_network = [&](std::optional<double> per_s) { return path.local_store ? std::nullopt : per_s; };
  switch (resource) {
    case Resource::workers:
      return std::nullopt;
    case Resource::cache:
      return path.cache.capacity_per_s;
    case Resource::metadata:
      return path.metadata.capacity_per_s;
    case Resource::request_limit:
      return path.limit_requests_per_s;
    case Resource::store_requests:
      return path.requests.capacity_per_s;
    case Resource::local_drive:
      return path.local_store ? path.device.capacity_per_s : std::nullopt;
    case Resource::store_bandwidth:
      return of_network(path.store_bytes_per_s);
    case Resource::store_front_end:
      return of_network(path.front_end_bytes_per_s);
    case Resource::shared_cache:
      return of_network(path.tiers.shared_capacity_bytes_per_s);
    case Resource::spine:
      return of_network(path.spine_bytes_per_s);
    case Resource::leaf_uplink:
      return of_network(path.leaf_bytes_per_s);
    case Resource::nic:
      return of_network(path.nic_bytes_per_s);
    case Resource::cores:
      return path.cpu.capacity_per_s;
    case Resource::remote_pool:
      return path.host.remote.capacity_per_s;
    case Resource::host_memory:
      return path.host.memory.capacity_per_s;
    case Resource::hand_over_lock:
      return path.lock_s > 0.0 ? std::optional(1.0 / path.lock_s) : std::nullopt;
    case Resource::pin_thread:
      return path.pin_s > 0.0 ? std::optional(1.0 / path.pin_s) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace headrace::models
