// Where a sample can be found besides the node's own cache and the store, and what reading it there takes.
#pragma once

#include <optional>

#include "sim/distribution.hpp"

namespace headrace::models {

/// Shares of the samples that a window of the epoch reads from each tier; the rest comes from the node's cache
/// (hit_ratio) and from the store.
struct TierShares {
  double page = 0.0;              ///< the operating system's page cache
  double peer = 0.0;              ///< another node's part of a partitioned cache
  double shared = 0.0;            ///< the cache in front of the store
  double fill = 0.0;              ///< not a tier: samples that are written into the node's cache
  double past_write_cache = 1.0;  ///< share of these that find the write cache of its medium full

  double read() const { return page + peer + shared; }
  bool any() const { return read() > 0.0 || fill > 0.0; }
};

/// Of samples: less is left of shares that sum to all of them only by rounding.
inline constexpr double kRoundedShare = 1e-12;

/// Shares of a window's samples: of the node's cache and of the other tiers; the rest comes from the store.
struct WindowShares {
  double hit = 0.0;
  TierShares tiers;
};

/// Tiers as the engines read them.
struct TierPath {
  TierShares shares;  ///< of the window
  sim::Distribution peer_latency_s = sim::Distribution::constant(0.0);
  sim::Distribution shared_latency_s = sim::Distribution::constant(0.0);
  std::optional<double> page_bytes_per_s;    ///< one reader
  bool linux_pages = false;                  ///< the page cache keeps the two lists of Linux
  std::optional<double> peer_bytes_per_s;    ///< one worker
  std::optional<double> shared_bytes_per_s;  ///< one worker
  std::optional<double> shared_capacity_bytes_per_s;
  double fill_weight = 0.0;        ///< read bandwidth over write bandwidth of the cache medium; 0: filling is free
  double burst_fill_weight = 0.0;  ///< the same while its write cache has free space
  double cached_bytes = 0.0;       ///< of one entry of the node's cache
  double across_leaves = 1.0;      ///< share of the peers that are under another leaf
  double leaf_scale = 1.0;         ///< of the leaf uplinks in the network, for what does not cross them
  /// Where store, shared cache and peers share one network: limit of all of them together; otherwise each has its own.
  std::optional<double> one_network_bytes_per_s = {};

  double mean_fill_weight() const {
    return shares.past_write_cache * fill_weight + (1.0 - shares.past_write_cache) * burst_fill_weight;
  }
};

}  // namespace headrace::models
