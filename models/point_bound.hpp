// The flow bound of one configuration among many: what a plan needs of it and nothing else, in tens of microseconds.
// The figures are those of flow_bound(), without the outcome around them.
#pragma once

#include <string>
#include <vector>

#include "models/scenario.hpp"

namespace headrace::models {

/// A room or rate and what a configuration takes of it.
struct RoomUse {
  std::string_view name;  ///< "host memory", "GPU memory", "cores", "request limit"
  std::string_view unit;  ///< "B", "cores", "requests/s"
  double needed = 0.0;
  double available = 0.0;  ///< 0: not stated

  bool known() const { return available > 0.0; }
};

/// Time and money of an epoch are straight lines over the step time, since hours, checkpoints and stops are paid by
/// time and requests and egress are not.
struct PointBound {
  double step_time_s = 0.0;   ///< no run is shorter
  double step_floor_s = 0.0;  ///< of a job that never waits for data
  double epoch_s_per_s = 0.0;
  double fixed_usd = 0.0;
  double usd_per_s = 0.0;
  double egress_usd = 0.0;  ///< part of fixed_usd
  double hit_ratio = 0.0;   ///< mean over the epoch
  std::vector<RoomUse> rooms;
  std::vector<std::string> obstacles;  ///< rooms too small whatever the plan's own limits are, with their sums

  double epoch_time_s(double step_s) const { return epoch_s_per_s * step_s; }
  double cost_usd(double step_s) const { return fixed_usd + usd_per_s * step_s; }
  double idle_fraction(double step_s) const { return step_s > step_floor_s ? 1.0 - step_floor_s / step_s : 0.0; }
};

/// Of job 0, which must be alone: no other jobs, copies, background load or faults that slow it down.
PointBound point_bound(const Scenario& scenario);

/// Whether point_bound() and RaceRun answer for the scenario; otherwise flow_bound() and simulate() do.
bool is_plain(const Scenario& scenario);

}  // namespace headrace::models
