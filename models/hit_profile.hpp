// How often a sample is found in the node cache as an epoch goes on: h(y) over the position y in the epoch, from the
// closed form or by sending every item through the cache, and the windows in which a long epoch is simulated.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/scenario.hpp"
#include "models/tiers.hpp"

namespace headrace::models {

/// A stretch of the epoch with (nearly) one hit ratio.
struct EpochWindow {
  double position = 0.5;   ///< middle, 0 to 1
  double weight = 1.0;     ///< share of the epoch's steps; the weights of an epoch sum to 1
  double hit_ratio = 0.0;  ///< of the node's own cache
  TierShares tiers;        ///< of the other tiers
};

/// Windows of the job's last epoch: one where h(y) is constant, several where it falls. Deterministic in `seed`.
std::vector<EpochWindow> epoch_windows(const Scenario& scenario, std::size_t job, std::uint64_t seed);

/// The same from the closed forms alone, in microseconds: for bounds and estimates.
std::vector<EpochWindow> closed_form_windows(const Scenario& scenario, std::size_t job);

/// The job's first epoch as one window, where it is another than the last: cold caches, or what is left of staged ones.
std::optional<EpochWindow> first_epoch_window(const Scenario& scenario, std::size_t job);

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
