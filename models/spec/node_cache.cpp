#include "models/spec/node_cache.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(NodeCache& c, Visitor& v) {
  v.choice("policy", c.policy, kCachePolicyNames,
           {.evidence = Evidence::assumed,
            .meaning =
                "none; lru: evicts the least recently used sample; pinned: keeps the first samples, evicts nothing; "
                "fifo, clock (fifo with a second chance), random; clairvoyant: evicts the sample that is needed last"});
  v.choice("medium", c.medium, kCacheMediumNames,
           {.evidence = Evidence::assumed, .meaning = "Medium of the cache: host memory or the node's local drives"});
  v.quantity("bytes", c.bytes, Unit::bytes,
             {.low = 0,
              .high = 1e15,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Size of the cache on each node",
              .log_scale = true,
              .decided = true});
  v.limit("bandwidth", c.bandwidth_bytes_per_s, Unit::bytes_per_second,
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
  v.choice("fidelity", c.fidelity, kCacheFidelityNames,
           {.evidence = Evidence::assumed,
            .meaning = "per_item simulates every sample in the cache (up to 10 million per node), statistical draws "
                       "hits from the closed form; auto uses per_item where possible"});
  v.choice("scope", c.scope, kCacheScopeNames,
           {.evidence = Evidence::assumed,
            .meaning = "per_node: each node caches its own reads; partitioned: the nodes' caches have disjoint shares, "
                       "and a node reads the share of a peer over the NIC"});
  v.choice("holds", c.holds, kCacheContentNames,
           {.evidence = Evidence::assumed,
            .meaning = "samples as stored, or tensors: decoded samples, larger, that need no CPU on the next read"});
  v.limit("write_bandwidth", c.write_bandwidth_bytes_per_s, Unit::bytes_per_second,
          {.low = 1e8,
           .high = 1e12,
           .min = 0,
           .evidence = Evidence::assumed,
           .meaning = "Write bandwidth of the medium: a sample that is stored uses its share of the medium, and its "
                      "worker waits for the write; 0: filling is free",
           .log_scale = true});
  v.distribution("peer_latency", c.peer_latency_s, Unit::seconds,
                 {.low = 1e-6,
                  .high = 1e-2,
                  .min = 0,
                  .evidence = Evidence::assumed,
                  .meaning = "Time from a request to a peer to its first byte, with scope partitioned",
                  .log_scale = true});
  v.count("prefetch", c.prefetch,
          {.low = 1,
           .high = 256,
           .evidence = Evidence::assumed,
           .meaning = "Requests for later misses that each worker keeps in flight, if the order of an epoch is known "
                      "in advance; 0: the loader's lanes",
           .log_scale = true,
           .decided = true});
  v.optional_record("write_cache", c.write_cache,
                    {.meaning = "Fast area of the medium, which takes writes until it is full; absent: one rate"});
  v.constraint("a write cache is faster than what is behind it",
               !c.write_cache || (c.write_bandwidth_bytes_per_s &&
                                  c.write_cache->bandwidth_bytes_per_s >= *c.write_bandwidth_bytes_per_s),
               "write_cache needs write_bandwidth, the rate past it, which is not higher than write_cache/bandwidth",
               {"write_cache/bandwidth", "write_bandwidth"});
  v.constraint("filling needs a bandwidth", !c.write_bandwidth_bytes_per_s || c.bandwidth_bytes_per_s,
               "write_bandwidth needs the read bandwidth of the medium: give cache/bandwidth", {"write_bandwidth"});
}

}  // namespace headrace::models
