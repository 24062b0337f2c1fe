// Figures of tiers that an outcome states where the scenario has them: hits per tier, fill writes and what they do to
// the drives, staging, redundancy.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "models/path/epoch_windows.hpp"

namespace headrace::models {

/// Names of outcome_metrics.hpp and values, of a steady epoch with `mean` shares.
std::vector<std::pair<std::string_view, double>> tier_metrics(const Scenario& scenario, const EpochWindow& mean,
                                                              double step_time_s);

/// Time until the endurance `writes_per_day` (capacities per day over `rated_years`) is used up by `bytes_per_s`.
double drive_life_s(const LocalDrives& drives, double bytes_per_s);

/// Time of rebuilding what the lost drives held of `bytes` of data: with an erasure code k chunks are read for each
/// lost one, with copies one.
double rebuild_time_s(const Redundancy& redundancy, double bytes, double store_bytes_per_s);

}  // namespace headrace::models
