// The caches that a job's reads pass one behind the other (page cache, cache of the node or of its peers, cache in
// front of the store), and what share of the reads each of them answers.
//
// How levels combine, derived for this project and tested against caches that every item is sent through:
//   page cache over node cache  inclusive for policies that follow recency (what is recent enough for the smaller cache
//                               is in the larger one as well), independent for pinned ones
//   pinned over pinned          what a node pins after its first reads is what the shared cache pinned first: they
//                               overlap in min(c1, c2/n) + max(0, c1 - 1/n) c2 of the corpus
//   anything over the rest      the cache behind sees each item with probability m, the misses in front of it, as a
//   node
//                               does that reads 1/n of the corpus with n = 1/m
#pragma once

#include <cstdint>

#include "models/caches/cache_policy.hpp"
#include "models/hops/tiers.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

/// Shares of the reads that are answered on the way to the store.
struct LevelShares {
  double node = 0.0;
  TierShares tiers;
};

/// Sizes as shares of the corpus.
struct CacheStack {
  CachePolicy node_policy = CachePolicy::none;
  double node_fraction = 0.0;
  bool partitioned = false;
  CachePolicy page_policy = CachePolicy::lru;
  double page_fraction = 0.0;
  std::uint32_t page_inactive_ratio = 0;  ///< of the two lists of Linux; 0: pages leave by `page_policy`
  CachePolicy shared_policy = CachePolicy::none;
  double shared_fraction = 0.0;
  bool tiered = false;       ///< the shared level is a tier: it holds what it should from the beginning on
  double young_share = 0.0;  ///< of the reads that are of data young enough for a tier that goes by age; 0: by heat
  double nodes = 1.0;
  double samples = 0.0;
  double skew = 0.0;
  bool fixed_order = false;
  std::uint64_t staged_epochs = 0;  ///< that caches are older than the job
  bool pages_staged = false;        ///< the page cache too
  double kept = 1.0;                ///< of what was staged

  /// Copies of the data that the caches of all nodes hold together.
  double node_copies() const { return partitioned ? std::min(1.0, nodes * node_fraction) : nodes * node_fraction; }
  /// Whether what a node's cache holds is written again and again, and not once: it evicts what it will read again.
  bool evicts() const {
    constexpr double kAll = 1.0 - 1e-9;
    return node_fraction > 0.0 && !pins(node_policy) && (partitioned ? nodes * node_fraction : node_fraction) < kAll;
  }
  bool empty() const { return !(node_fraction > 0.0 || page_fraction > 0.0 || shared_fraction > 0.0); }
  /// Only the node's own cache, under a fresh order per epoch.
  bool single() const {
    return !partitioned && !(page_fraction > 0.0 || shared_fraction > 0.0 || skew > 0.0) && !fixed_order;
  }
};

CacheStack cache_stack(const Scenario& scenario, std::size_t job);

/// At position y of the epoch that `own_epochs` of the job came before. With a skew: the mean of that epoch.
LevelShares shares_at(const CacheStack& stack, double position, std::uint64_t own_epochs);

}  // namespace headrace::models
