// How often a sample is found in a node's cache at position y of an epoch: h(y) from the closed form, or by sending
// every item through the cache.
#pragma once

#include <cstdint>
#include <vector>

#include "models/spec/node_cache.hpp"

namespace headrace::models {

/// Items that a cache is followed with one by one, at most.
inline constexpr std::uint64_t kMostFollowedItems = 10'000'000;

/// Hit ratio of a cache that pins what it first reads, after `epochs_before` epochs of which each node reads its 1/n.
double pinned_hit_ratio(double fraction, std::uint32_t nodes, std::uint64_t epochs_before);

/// h(y) of an LRU cache that holds `fraction` of the dataset on each of `nodes` nodes, under a fresh permutation per
/// epoch of which each node reads its 1/n: the item was last seen k epochs ago with probability (1/n)(1-1/n)^(k-1), at
/// a uniform position x, and is hit if fewer than c of the items came in between:
///   (1-(1-x)/n) (1-1/n)^(k-1) (1-y/n) > 1-c.
/// (`nodes` may be broken: a cache that sees each item with probability 1/n.) k goes no further back than the
/// `epochs_before` that have been. Plain arithmetic only, since it enters the simulated path. Derived for this project;
/// the epoch mean is twins::lru_reshuffle_hit_ratio.
double lru_hit_ratio_at(double fraction, double nodes, double position, std::uint64_t epochs_before = UINT64_MAX);

/// The same measured: `items` items in keyed permutations through the cache of one node until the profile is steady;
/// mean hit ratio in each of `windows` equal windows. At most 10 million items.
std::vector<double> profile_per_item(CachePolicy policy, double fraction, std::uint32_t nodes, std::uint64_t items,
                                     std::uint32_t windows, std::uint64_t seed,
                                     std::uint64_t epochs_before = UINT64_MAX);

}  // namespace headrace::models
