#include "models/spec/store_media.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(StoreDrives& d, Visitor& v) {
  v.count("count", d.count,
          {.low = 1,
           .high = 1e5,
           .min = 1,
           .evidence = Evidence::assumed,
           .meaning = "Drives of the store, or of each node for local kinds",
           .log_scale = true});
  v.quantity("bandwidth", d.bandwidth_bytes_per_s, Unit::bytes_per_second,
             {.low = 1e8,
              .high = 2e10,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Sequential read rate of one drive; 0: its share of the store's bandwidth",
              .log_scale = true});
  v.quantity(
      "positioning", d.positioning_s, Unit::seconds,
      {.low = 4e-3,
       .high = 20e-3,
       .min = 0,
       .evidence = Evidence::assumed,
       .meaning = "Seek and half a rotation before each request; 0: none, or 12.7 ms for kind hdd (8.5 ms and half a "
                  "rotation at 7,200 per minute)"});
}

void describe(Redundancy& r, Visitor& v) {
  v.choice(
      "scheme", r.scheme, kRedundancyNames,
      {.evidence = Evidence::assumed,
       .meaning = "replication: whole copies; erasure: data and parity chunks, any `data` of which restore the rest"});
  v.count(
      "copies", r.copies,
      {.low = 1, .high = 5, .min = 1, .max = 100, .evidence = Evidence::assumed, .meaning = "Copies of everything"});
  v.count("data", r.data,
          {.low = 2,
           .high = 20,
           .min = 1,
           .max = 1000,
           .evidence = Evidence::assumed,
           .meaning = "Data chunks k of a stripe"});
  v.count("parity", r.parity,
          {.low = 1,
           .high = 6,
           .min = 1,
           .max = 1000,
           .evidence = Evidence::assumed,
           .meaning = "Parity chunks m of a stripe"});
  v.fraction("degraded", r.degraded,
             {.low = 0,
              .high = 0.2,
              .min = 0,
              .below = 1,
              .evidence = Evidence::assumed,
              .meaning = "Share of lost drives: a read of their data costs k reads, and the data is rebuilt",
              .decided = true});
  v.fraction("rebuild_share", r.rebuild_share,
             {.low = 0.05,
              .high = 0.5,
              .min = 0,
              .below = 1,
              .evidence = Evidence::assumed,
              .meaning = "Share of the store's bandwidth for rebuilding while degraded"});
}

void describe(StoreCache& c, Visitor& v) {
  v.choice("policy", c.policy, kCachePolicyNames,
           {.evidence = Evidence::assumed, .meaning = "Eviction policy, as for the cache of a node"});
  v.quantity("bytes", c.bytes, Unit::bytes,
             {.low = 1e9,
              .high = 1e16,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Size of the cache, all its servers together",
              .log_scale = true,
              .decided = true});
  v.limit("bandwidth", c.bandwidth_bytes_per_s, Unit::bytes_per_second,
          {.low = 1e8,
           .high = 1e14,
           .min = 0,
           .evidence = Evidence::assumed,
           .meaning = "Read bandwidth of all its servers together; 0: not a limit",
           .log_scale = true});
  v.limit("stream", c.stream_bytes_per_s, Unit::bytes_per_second,
          {.low = 1e6,
           .high = 1e11,
           .min = 0,
           .evidence = Evidence::assumed,
           .meaning = "Rate of one connection; 0: not a limit",
           .log_scale = true});
  v.distribution("latency", c.latency_s, Unit::seconds,
                 {.low = 1e-6,
                  .high = 1e-1,
                  .min = 0,
                  .evidence = Evidence::assumed,
                  .meaning = "Time from a request to its first byte when the cache is idle",
                  .log_scale = true});
  v.optional_record("tiering", c.tiering,
                    {.meaning = "Tier of flash that exchanges data with the store; absent: a cache"});
}

}  // namespace headrace::models
