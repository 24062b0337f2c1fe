// The windows in which a long epoch is simulated: stretches of nearly one hit ratio, from the closed form or by sending
// every item through the cache.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/hops/tiers.hpp"
#include "models/spec/scenario.hpp"

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

/// How far the caches have come from the first epoch (0) to the last one (1), mean over all epochs but the first, by
/// the share of reads that they serve in the closed forms; 1 where it does not grow.
double later_epochs_progress(const Scenario& scenario, std::size_t job);

/// The windows' shares, weighted.
EpochWindow mean_window(const std::vector<EpochWindow>& windows);

}  // namespace headrace::models
