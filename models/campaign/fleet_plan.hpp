// A campaign of many jobs that queue for the nodes of pools: what its event loop needs to know of pools and of classes
// of like jobs. Amounts of work are seconds that a job takes for it where it has the cluster to itself, with full
// caches and without stops.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/campaign/campaign_setup.hpp"
#include "models/spec/campaign.hpp"
#include "models/spec/job_queue.hpp"
#include "sim/distribution.hpp"

namespace headrace::models {

struct FleetPool {
  std::string name;
  std::uint64_t nodes = 0;
  double gpus_per_node = 0.0;
};

/// Like jobs: one job of the scenario with all its arrivals.
struct FleetClass {
  std::string name;
  std::size_t pool = 0;
  std::uint64_t nodes = 1;    ///< of one job, all at once
  double gpus = 0.0;          ///< of one job
  std::uint64_t at_once = 1;  ///< jobs of one arrival
  double at_s = 0.0;          ///< first arrival, or when they begin
  bool repeats = false;
  sim::Distribution every_s;  ///< from one arrival to the next
  sim::Distribution work_s;
  std::uint64_t priority = 0;
  Preemption preemption = Preemption::none;
  std::optional<std::uint64_t> quota_nodes;
  TrainingCourse course;  ///< checkpoints, failures, cold caches
  PhaseTimes phases;
  double useful_share = 1.0;              ///< of work
  std::vector<SteadyLoss> steady_losses;  ///< with the useful share they sum to 1
};

struct FleetPlan {
  std::vector<FleetPool> pools;
  std::vector<FleetClass> classes;
  Backfill backfill = Backfill::easy;
  double until_s = 0.0;  ///< infinite: until all jobs are done
};

/// How fast jobs work beside each other.
class FleetSpeeds {
 public:
  FleetSpeeds() = default;
  FleetSpeeds(const FleetSpeeds&) = delete;
  FleetSpeeds& operator=(const FleetSpeeds&) = delete;
  virtual ~FleetSpeeds() = default;
  /// Of each class, over that alone, while so many jobs of each class hold nodes. Valid until the next call.
  virtual const std::vector<double>& of(const std::vector<std::uint32_t>& running) = 0;
};

}  // namespace headrace::models
