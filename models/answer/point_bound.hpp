// The flow bound of one configuration among many: what a plan needs of it and nothing else, in tens of microseconds.
// The figures are those of flow_bound(), without the outcome around them.
#pragma once

#include <string>
#include <vector>

#include "models/outcome/epoch_figures.hpp"
#include "models/outcome/room.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

/// A room or rate and what a configuration takes of it.
struct RoomUse {
  Room room = Room::host_memory;
  double needed = 0.0;
  double available = 0.0;  ///< 0: not stated
  std::string job = {};    ///< whose it is; empty where one job is alone
  std::string sum = {};    ///< what it is needed for, in words; only where it is too small

  std::string_view name() const { return traits(room).name; }
  std::string_view unit() const { return traits(room).unit; }
  bool known() const { return available > 0.0; }
};

/// Time and money of an epoch are straight lines over the step time, since hours, checkpoints and stops are paid by
/// time and requests and egress are not.
struct PointBound {
  double step_time_s = 0.0;   ///< no run is shorter
  double step_floor_s = 0.0;  ///< of a job that never waits for data
  double epoch_s_per_s = 0.0;
  double epoch_fixed_s = 0.0;  ///< between two epochs, whatever the step
  double fixed_usd = 0.0;
  double usd_per_s = 0.0;
  double egress_usd = 0.0;  ///< part of fixed_usd
  double hit_ratio = 0.0;   ///< mean over the epoch
  double gpus = 0.0;
  std::vector<RoomUse> rooms;

  double epoch_time_s(double step_s) const { return epoch_fixed_s + epoch_s_per_s * step_s; }
  double cost_usd(double step_s) const { return fixed_usd + usd_per_s * step_s; }
  double idle_fraction(double step_s) const {
    return step_s > step_floor_s * (1.0 + 1e-12) ? 1.0 - step_floor_s / step_s : 0.0;
  }
};

/// The scenario must be plain.
PointBound point_bound(const Scenario& scenario);

/// Whether point_bound() and RaceRun answer for the scenario: one job that is alone, and nothing that makes it another
/// one for a part of the time. Otherwise cluster_bound() and simulate() do.
bool is_plain(const Scenario& scenario);

/// The same of any scenario, as flow_bound() has it: other jobs and background load take nothing, so that it is as low
/// as each job alone; faults, schedules and streams count by their shares of time.
struct ClusterBound {
  EpochFigures figures;
  std::vector<RoomUse> rooms;
};
ClusterBound cluster_bound(const Scenario& scenario);

EpochFigures epoch_figures(const PointBound& bound, double step_s);

/// Step of a job that never waits over the step that its data alone would allow by the flow bound; of several jobs,
/// each alone, the least. Below 1 a job waits whatever else happens; infinity where it reads nothing.
double headroom(const Scenario& scenario);

}  // namespace headrace::models
