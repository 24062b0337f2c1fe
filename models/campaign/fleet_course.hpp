// One campaign of many jobs, event by event: arrivals, starts on all nodes of a job at once, changes of speed,
// failures, preemptions, ends.
//
// The draws of a job are its own: when it comes, how much work it brings, and when it fails are the same whatever the
// other jobs do.
#pragma once

#include <cstdint>
#include <vector>

#include "models/campaign/fleet_job.hpp"
#include "models/campaign/fleet_plan.hpp"

namespace headrace::models {

/// What became of the jobs of one class.
struct FleetClassHistory {
  std::uint64_t arrived = 0;
  std::uint64_t started = 0;
  std::uint64_t finished = 0;
  std::uint64_t preemptions = 0;
  std::uint64_t failures = 0;
  std::uint64_t reclaims = 0;
  std::uint64_t listings = 0;
  std::vector<double> waits_s;        ///< from the arrival to the first start, of those that started
  std::vector<double> completions_s;  ///< from the arrival to the end, of those that finished
  std::vector<double> restarts_s;
  double held_s = 0.0;  ///< sum over jobs, each for all of its nodes
  double useful_s = 0.0;
  double read_work_s = 0.0;  ///< work that was done, also that which was done again
  double cold_work_s = 0.0;  ///< of this, while caches filled
  LossTimes lost_s{};        ///< with the useful time they sum to that held
};

/// Node seconds of a pool that no job held.
struct FleetPoolHistory {
  double queued_s = 0.0;  ///< while jobs waited
  double idle_s = 0.0;
};

struct FleetHistory {
  double elapsed_s = 0.0;
  std::vector<FleetClassHistory> classes;
  std::vector<FleetPoolHistory> pools;
};

/// Throws UnusableRequest for jobs that never finish.
FleetHistory draw_fleet(const FleetPlan& plan, FleetSpeeds& speeds, const FleetDraws& draws);

}  // namespace headrace::models
