// How often a sample is found in the node cache as an epoch goes on: h(y) over the position y in the epoch, from the closed
// form or from a scaled run of the cache itself, and the windows in which a long epoch is simulated.
#pragma once

#include <cstdint>
#include <vector>

#include "models/ingest_path.hpp"

namespace headrace::models {

/// A stretch of the epoch with (nearly) one hit ratio.
struct EpochWindow {
  double position = 0.5;  ///< middle, 0 to 1
  double weight = 1.0;    ///< share of the epoch's steps
  double hit_ratio = 0.0;
};

/// Windows of a steady epoch of the job: one where h(y) is constant, several where it falls.
std::vector<EpochWindow> epoch_windows(const Scenario& scenario, std::size_t job, std::uint64_t seed);

/// Cache on each node as a share of the dataset, 0 to 1.
double cache_fraction(const Scenario& scenario, std::size_t job);

/// h(y) of an LRU cache of `fraction` of the dataset on each of `nodes` nodes under a fresh permutation per epoch, measured
/// by sending `items` keyed items through the cache; `windows` equal windows.
std::vector<double> lru_profile_per_item(double fraction, std::uint32_t nodes, std::uint64_t items, std::uint32_t windows,
                                         std::uint64_t seed);

/// The same in closed form for one node: h(y) = max(0, 1 - (1-c)/(1-y)).
double lru_profile(double fraction, double position);

/// Mean over an epoch on `nodes` nodes: sum over k of (1/n)(1-1/n)^(k-1) P[distinct items since the last visit < c].
double lru_mean_hit_ratio(double fraction, std::uint32_t nodes);

}  // namespace headrace::models
