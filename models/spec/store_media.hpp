// What a store is built of and what that takes from its figures: drives that position, copies or erasure codes, a cache
// in front, filters at the device.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "models/describe/declarations.hpp"
#include "models/describe/distribution_spec.hpp"
#include "models/spec/node_cache.hpp"
#include "models/spec/tiering.hpp"

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
  std::optional<double> bandwidth_bytes_per_s;
  std::optional<double> stream_bytes_per_s;
  DistributionSpec latency_s = DistributionSpec::constant(0.0);
  std::optional<Tiering> tiering;
};

void describe(StoreDrives& d, Visitor& v);
void describe(Redundancy& r, Visitor& v);
void describe(StoreCache& c, Visitor& v);

}  // namespace headrace::models
