// The cache that each node keeps of the dataset, in its DRAM or on its local NVMe drives.
#pragma once

#include <cstdint>

#include "models/describe/describe.hpp"
#include "models/describe/distribution_spec.hpp"

namespace headrace::models {

enum class CachePolicy : std::uint8_t { none, lru, pinned };
inline constexpr ChoiceName<CachePolicy> kCachePolicyNames[] = {
    {CachePolicy::none, "none"}, {CachePolicy::lru, "lru"}, {CachePolicy::pinned, "pinned"}};

enum class CacheMedium : std::uint8_t { dram, nvme };
inline constexpr ChoiceName<CacheMedium> kCacheMediumNames[] = {{CacheMedium::dram, "dram"},
                                                                {CacheMedium::nvme, "nvme"}};

enum class CacheFidelity : std::uint8_t { automatic, per_item, statistical };
inline constexpr ChoiceName<CacheFidelity> kCacheFidelityNames[] = {{CacheFidelity::automatic, "auto"},
                                                                    {CacheFidelity::per_item, "per_item"},
                                                                    {CacheFidelity::statistical, "statistical"}};

struct NodeCache {
  CachePolicy policy = CachePolicy::none;
  CacheMedium medium = CacheMedium::nvme;
  double bytes = 0.0;
  double bandwidth_bytes_per_s = 0.0;
  DistributionSpec latency_s = DistributionSpec::constant(0.0);
  CacheFidelity fidelity = CacheFidelity::automatic;
};

template <class V>
void describe(NodeCache& c, V& v) {
  v.choice(
      "policy", c.policy, kCachePolicyNames,
      {.evidence = Evidence::assumed,
       .meaning = "none; lru: the least recently used sample leaves; pinned: the first samples stay, nothing leaves"});
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
}

}  // namespace headrace::models
