// The cache that each node keeps of the dataset, in its DRAM or on its local NVMe drives.
#pragma once

#include <cstdint>

#include "models/describe/describe.hpp"
#include "models/describe/distribution_spec.hpp"

namespace headrace::models {

enum class CachePolicy : std::uint8_t { none, lru, pinned, fifo, clock, random, clairvoyant };
inline constexpr ChoiceName<CachePolicy> kCachePolicyNames[] = {
    {CachePolicy::none, "none"},
    {CachePolicy::lru, "lru", "the least recently used sample leaves"},
    {CachePolicy::pinned, "pinned", "the first samples stay, nothing leaves"},
    {CachePolicy::fifo, "fifo", "the sample that came first leaves"},
    {CachePolicy::clock, "clock", "as fifo, but a sample that was read since it was last looked at gets another turn"},
    {CachePolicy::random, "random", "any sample leaves"},
    {CachePolicy::clairvoyant, "clairvoyant", "the sample that is needed last leaves (Belady), or never enters"}};

enum class CacheMedium : std::uint8_t { dram, nvme };
inline constexpr ChoiceName<CacheMedium> kCacheMediumNames[] = {{CacheMedium::dram, "dram"},
                                                                {CacheMedium::nvme, "nvme"}};

enum class CacheFidelity : std::uint8_t { automatic, per_item, statistical };
inline constexpr ChoiceName<CacheFidelity> kCacheFidelityNames[] = {{CacheFidelity::automatic, "auto"},
                                                                    {CacheFidelity::per_item, "per_item"},
                                                                    {CacheFidelity::statistical, "statistical"}};

enum class CacheScope : std::uint8_t { per_node, partitioned };
inline constexpr ChoiceName<CacheScope> kCacheScopeNames[] = {
    {CacheScope::per_node, "per_node", "each node caches what it reads itself"},
    {CacheScope::partitioned, "partitioned",
     "the caches of all nodes are one: a sample is kept once and read from a peer"}};

enum class CacheContent : std::uint8_t { samples, tensors };
inline constexpr ChoiceName<CacheContent> kCacheContentNames[] = {
    {CacheContent::samples, "samples", "as they are stored"},
    {CacheContent::tensors, "tensors", "decoded: larger, and without CPU work when they are read again"}};

struct NodeCache {
  CachePolicy policy = CachePolicy::none;
  CacheMedium medium = CacheMedium::nvme;
  double bytes = 0.0;
  double bandwidth_bytes_per_s = 0.0;
  DistributionSpec latency_s = DistributionSpec::constant(0.0);
  CacheFidelity fidelity = CacheFidelity::automatic;
  CacheScope scope = CacheScope::per_node;
  CacheContent holds = CacheContent::samples;
  double write_bandwidth_bytes_per_s = 0.0;                           ///< 0: filling the cache is free
  DistributionSpec peer_latency_s = DistributionSpec::constant(0.0);  ///< partitioned
  std::uint64_t prefetch = 0;  ///< requests for coming misses that a worker keeps in flight; 0: its lanes
};

template <class V>
void describe(NodeCache& c, V& v) {
  v.choice(
      "policy", c.policy, kCachePolicyNames,
      {.evidence = Evidence::assumed,
       .meaning =
           "none; lru: the least recently used sample leaves; pinned: the first samples stay, nothing leaves; fifo, "
           "clock (fifo with a second chance), random; clairvoyant: the sample that is needed last leaves"});
  v.choice("medium", c.medium, kCacheMediumNames,
           {.evidence = Evidence::assumed, .meaning = "Where the cache lives: host memory or the node's local drives"});
  v.quantity("bytes", c.bytes, Unit::bytes,
             {.low = 0,
              .high = 1e15,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Size of the cache on each node",
              .log_scale = true,
              .decided = true});
  v.quantity("bandwidth", c.bandwidth_bytes_per_s, Unit::bytes_per_second,
             {.low = 1e8,
              .high = 1e12,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Read bandwidth of the medium on each node; 0: not a limit",
              .log_scale = true});
  v.distribution("latency", c.latency_s, Unit::seconds,
                 {.low = 1e-7,
                  .high = 1e-2,
                  .min = 0,
                  .evidence = Evidence::assumed,
                  .meaning = "Time of one cached read when the medium is idle",
                  .log_scale = true});
  v.choice(
      "fidelity", c.fidelity, kCacheFidelityNames,
      {.evidence = Evidence::assumed,
       .meaning = "per_item follows every sample through the cache (up to 10 million per node), statistical draws hits "
                  "from the closed form; auto takes per_item where it fits"});
  v.choice(
      "scope", c.scope, kCacheScopeNames,
      {.evidence = Evidence::assumed,
       .meaning = "per_node: each node caches what it reads; partitioned: the nodes' caches hold disjoint shares, and "
                  "what a peer holds is read from it over the NIC"});
  v.choice(
      "holds", c.holds, kCacheContentNames,
      {.evidence = Evidence::assumed,
       .meaning = "samples as stored, or tensors: decoded samples, larger, that need no CPU when they are read again"});
  v.quantity(
      "write_bandwidth", c.write_bandwidth_bytes_per_s, Unit::bytes_per_second,
      {.low = 1e8,
       .high = 1e12,
       .min = 0,
       .evidence = Evidence::assumed,
       .meaning = "Write bandwidth of the medium: a sample that enters takes its share of the medium from the reads, "
                  "and its worker waits for it; 0: filling is free",
       .log_scale = true});
  v.distribution("peer_latency", c.peer_latency_s, Unit::seconds,
                 {.low = 1e-6,
                  .high = 1e-2,
                  .min = 0,
                  .evidence = Evidence::assumed,
                  .meaning = "Time from a request to a peer to its first byte, with scope partitioned",
                  .log_scale = true});
  v.count(
      "prefetch", c.prefetch,
      {.low = 1,
       .high = 256,
       .evidence = Evidence::assumed,
       .meaning = "Requests for coming misses that each worker keeps in flight, where the order of an epoch is known "
                  "ahead; 0: the loader's lanes",
       .log_scale = true,
       .decided = true});
  v.constraint("filling needs a bandwidth", c.write_bandwidth_bytes_per_s <= 0.0 || c.bandwidth_bytes_per_s > 0.0,
               "write_bandwidth takes its share of a medium whose read bandwidth is not stated: give cache/bandwidth",
               {"write_bandwidth"});
}

}  // namespace headrace::models
