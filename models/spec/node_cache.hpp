// The cache that each node keeps of the dataset, in its DRAM or on its local NVMe drives.
#pragma once

#include <cstdint>
#include <optional>

#include "models/describe/declarations.hpp"
#include "models/describe/distribution_spec.hpp"
#include "models/spec/write_cache.hpp"

namespace headrace::models {

enum class CachePolicy : std::uint8_t { none, lru, pinned, fifo, clock, random, clairvoyant };
inline constexpr ChoiceName<CachePolicy> kCachePolicyNames[] = {
    {CachePolicy::none, "none"},
    {CachePolicy::lru, "lru", "evicts the least recently used sample"},
    {CachePolicy::pinned, "pinned", "keeps the first samples, evicts nothing"},
    {CachePolicy::fifo, "fifo", "evicts the oldest sample"},
    {CachePolicy::clock, "clock", "as fifo, but a sample that was read since the last check is kept once more"},
    {CachePolicy::random, "random", "evicts a random sample"},
    {CachePolicy::clairvoyant, "clairvoyant", "evicts the sample that is needed last (Belady), or does not store it"}};

enum class CacheMedium : std::uint8_t { dram, nvme };
inline constexpr ChoiceName<CacheMedium> kCacheMediumNames[] = {{CacheMedium::dram, "dram"},
                                                                {CacheMedium::nvme, "nvme"}};

enum class CacheFidelity : std::uint8_t { automatic, per_item, statistical };
inline constexpr ChoiceName<CacheFidelity> kCacheFidelityNames[] = {{CacheFidelity::automatic, "auto"},
                                                                    {CacheFidelity::per_item, "per_item"},
                                                                    {CacheFidelity::statistical, "statistical"}};

enum class CacheScope : std::uint8_t { per_node, partitioned };
inline constexpr ChoiceName<CacheScope> kCacheScopeNames[] = {
    {CacheScope::per_node, "per_node", "each node caches its own reads"},
    {CacheScope::partitioned, "partitioned",
     "the caches of all nodes form one cache: each sample is kept once and read from its peer"}};

enum class CacheContent : std::uint8_t { samples, tensors };
inline constexpr ChoiceName<CacheContent> kCacheContentNames[] = {
    {CacheContent::samples, "samples", "as stored"},
    {CacheContent::tensors, "tensors", "decoded: larger, without CPU work on the next read"}};

struct NodeCache {
  CachePolicy policy = CachePolicy::none;
  CacheMedium medium = CacheMedium::nvme;
  double bytes = 0.0;
  std::optional<double> bandwidth_bytes_per_s;
  DistributionSpec latency_s = DistributionSpec::constant(0.0);
  CacheFidelity fidelity = CacheFidelity::automatic;
  CacheScope scope = CacheScope::per_node;
  CacheContent holds = CacheContent::samples;
  std::optional<double> write_bandwidth_bytes_per_s;                  ///< none: filling the cache is free
  DistributionSpec peer_latency_s = DistributionSpec::constant(0.0);  ///< partitioned
  std::optional<WriteCache> write_cache;                              ///< of the medium
  std::uint64_t prefetch = 0;  ///< requests for coming misses that a worker keeps in flight; 0: its lanes
};

void describe(NodeCache& c, Visitor& v);

}  // namespace headrace::models
