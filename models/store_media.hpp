// What a store is built of and what that takes from its figures: drives that position, copies or erasure codes, a cache
// in front, filters at the device.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "models/describe/describe.hpp"
#include "models/describe/distribution_spec.hpp"
#include "models/node_cache.hpp"
#include "models/tiering.hpp"

namespace headrace::models {

/// Mean seek plus half a rotation of a disk where none is stated: 8.5 ms and half of 8.33 ms (7,200 per minute).
inline constexpr double kDiskPositioningS = 12.7e-3;

struct StoreDrives {
  std::uint64_t count = 1;
  double bandwidth_bytes_per_s = 0.0;  ///< one drive, sequential; 0: its share of the store's
  double positioning_s = 0.0;          ///< 0: none for flash, kDiskPositioningS for kind hdd
};

enum class RedundancyScheme : std::uint8_t { replication, erasure };
inline constexpr ChoiceName<RedundancyScheme> kRedundancyNames[] = {
    {RedundancyScheme::replication, "replication", "whole copies"},
    {RedundancyScheme::erasure, "erasure", "data chunks and parity chunks, any `data` of which restore the rest"}};

struct Redundancy {
  RedundancyScheme scheme = RedundancyScheme::replication;
  std::uint64_t copies = 3;
  std::uint64_t data = 8;
  std::uint64_t parity = 3;
  double degraded = 0.0;       ///< share of the drives that is lost
  double rebuild_share = 0.2;  ///< of the store's bandwidth, while degraded

  /// Raw bytes per byte of data.
  double overhead() const {
    return scheme == RedundancyScheme::replication ? static_cast<double>(copies)
                                                   : static_cast<double>(data + parity) / static_cast<double>(data);
  }
  /// Reads of chunks behind one read: a lost one is restored from `data` others.
  double reads_per_read() const {
    return scheme == RedundancyScheme::erasure ? 1.0 + degraded * (static_cast<double>(data) - 1.0) : 1.0;
  }
  /// Share of the store's figures that is left for readers.
  double left_for_reads() const {
    return degraded > 0.0 ? (1.0 - degraded) * (1.0 - rebuild_share) / reads_per_read() : 1.0;
  }
};

/// A cache that all nodes share: a distributed cache, or flash in front of a store.
struct StoreCache {
  CachePolicy policy = CachePolicy::lru;
  double bytes = 0.0;
  double bandwidth_bytes_per_s = 0.0;
  double stream_bytes_per_s = 0.0;
  DistributionSpec latency_s = DistributionSpec::constant(0.0);
  std::optional<Tiering> tiering;
};

template <class V>
void describe(StoreDrives& d, V& v) {
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
              .meaning = "What one drive reads in sequence; 0: its share of the store's bandwidth",
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

template <class V>
void describe(Redundancy& r, V& v) {
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
              .meaning = "Share of the drives that is lost: reads of it cost k reads, and its data is rebuilt",
              .decided = true});
  v.fraction("rebuild_share", r.rebuild_share,
             {.low = 0.05,
              .high = 0.5,
              .min = 0,
              .below = 1,
              .evidence = Evidence::assumed,
              .meaning = "Share of the store's bandwidth that rebuilding takes while degraded"});
}

template <class V>
void describe(StoreCache& c, V& v) {
  v.choice("policy", c.policy, kCachePolicyNames,
           {.evidence = Evidence::assumed, .meaning = "What leaves; as for the cache of a node"});
  v.quantity("bytes", c.bytes, Unit::bytes,
             {.low = 1e9,
              .high = 1e16,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Size of the cache, all its servers together",
              .log_scale = true,
              .decided = true});
  v.quantity("bandwidth", c.bandwidth_bytes_per_s, Unit::bytes_per_second,
             {.low = 1e8,
              .high = 1e14,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Read bandwidth of all its servers together; 0: not a limit",
              .log_scale = true});
  v.quantity("stream", c.stream_bytes_per_s, Unit::bytes_per_second,
             {.low = 1e6,
              .high = 1e11,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "What one connection to it reaches; 0: not a limit",
              .log_scale = true});
  v.distribution("latency", c.latency_s, Unit::seconds,
                 {.low = 1e-6,
                  .high = 1e-1,
                  .min = 0,
                  .evidence = Evidence::assumed,
                  .meaning = "Time from a request to its first byte when the cache is idle",
                  .log_scale = true});
  v.optional_record("tiering", c.tiering,
                    {.meaning = "It is a tier of flash, between which and the store data move; without it a cache"});
}

}  // namespace headrace::models
