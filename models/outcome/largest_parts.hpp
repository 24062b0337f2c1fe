// The parts of an outcome that stand out: the share of one stage or state, the largest share, the busiest resource.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "models/outcome/outcome.hpp"

namespace headrace::models {

/// Null where the stage has no share.
inline const StageShare* find_share(const std::vector<StageShare>& shares, Stage stage) {
  const auto found = std::find_if(shares.begin(), shares.end(), [&](const StageShare& s) { return s.stage == stage; });
  return found == shares.end() ? nullptr : &*found;
}

/// 0 where the stage has no share.
inline double share_of(const std::vector<StageShare>& shares, Stage stage) {
  const StageShare* found = find_share(shares, stage);
  return found == nullptr ? 0.0 : found->mean;
}

/// Whether noise hides a share: its interval contains 0.
inline bool is_noise(const StageShare& share) {
  return share.ci95 && share.ci95->low <= 0.0 && share.ci95->high >= 0.0 && share.ci95->low < share.ci95->high;
}

/// 0 where the state has no share.
inline double share_of(const std::vector<GpuStateShare>& states, GpuState state) {
  const auto found =
      std::find_if(states.begin(), states.end(), [&](const GpuStateShare& s) { return s.state == state; });
  return found == states.end() ? 0.0 : found->share;
}

/// What checkpoints and failures take.
inline double interrupted_share(const std::vector<GpuStateShare>& states) {
  return share_of(states, GpuState::checkpoint) + share_of(states, GpuState::failure);
}

/// The first of the largest; null where there is none.
inline const StageShare* largest_share(const std::vector<StageShare>& shares) {
  const auto most = std::max_element(shares.begin(), shares.end(),
                                     [](const StageShare& a, const StageShare& b) { return a.mean < b.mean; });
  return most == shares.end() ? nullptr : &*most;
}

/// Spine, uplink and ports of nodes are as busy where nothing is oversubscribed: it is the ports that one would add.
inline bool is_nearer_to_nodes(const StationReport& station, const StationReport& than) {
  constexpr double kAsBusy = 1e-9;
  const auto is_link = [](Resource resource) {
    return resource == Resource::spine || resource == Resource::leaf_uplink;
  };
  return is_link(than.resource) && (is_link(station.resource) || station.resource == Resource::nic) &&
         station.utilization >= than.utilization * (1.0 - kAsBusy);
}

/// The first of those with the highest utilization, of one stage where one is given; of links that are as busy that of
/// the nodes; null where there is none.
inline const StationReport* busiest_station(const Outcome& outcome, std::optional<Stage> stage = std::nullopt) {
  const StationReport* most = nullptr;
  for (const StationReport& station : outcome.stations)
    if ((!stage || station.stage == *stage) &&
        (most == nullptr || station.utilization > most->utilization || is_nearer_to_nodes(station, *most)))
      most = &station;
  return most;
}

}  // namespace headrace::models
