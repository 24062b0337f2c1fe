// Who shares what: every job's path with its place on the cluster, the stores with the networks that lead to them, and
// the background load. The event engine is built from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/cluster/background_client.hpp"
#include "models/engine/store_services.hpp"
#include "models/path/epoch_windows.hpp"
#include "models/path/ingest_path.hpp"

namespace headrace::models {

/// A job, or one of its copies.
struct JobPlace {
  std::size_t job = 0;    ///< index in the scenario
  std::size_t store = 0;  ///< index in ClusterPlan::stores
  IngestPath path;
  std::shared_ptr<const IngestPath> whole = {};  ///< of which `path` is a sample (like_nodes.hpp); null: `path` itself

  /// That take part in the barrier.
  std::uint32_t ranks() const { return whole ? whole->loaders : path.loaders; }
};

struct ClusterPlan {
  std::vector<JobPlace> jobs;
  std::vector<StorePlan> stores;
  std::vector<BackgroundPlan> background;
};

/// A job that has the cluster for itself.
ClusterPlan plan_alone(const IngestPath& path);

/// Puts a job of the plan into a window of its epoch.
void enter_window(ClusterPlan& plan, std::size_t job, const EpochWindow& window);

/// All jobs of the scenario in the order in which it names them, copies side by side, each on nodes of its own, and its
/// background load. A job that is alone is planned as by plan_alone(). Throws UnusableRequest where the scenario asks
/// for something that only a single job can be simulated with.
ClusterPlan plan_cluster(const Scenario& scenario, Granularity granularity);

/// Which of the loads are active whose bursts are slow.
struct LoadState {
  double share = 1.0;       ///< of time
  std::vector<bool> rests;  ///< by load of the scenario
};

/// Bursts that last long beside what the loaders have in stock see a job settle in each of their states: such states
/// are simulated apart, each for as long as it takes, and weighed by their shares of time. At most three loads (eight
/// states); bursts of others, and short ones, take place within the run. One state if there is nothing to tell apart.
/// In the plan, loads that are told apart are from now on always active.
std::vector<LoadState> take_slow_states(ClusterPlan& plan, std::size_t loads);

/// The plan without the loads that rest.
ClusterPlan in_state(ClusterPlan plan, const LoadState& state);

/// Throws UnusableRequest where the jobs of a pool do not all have their nodes at the same time: they queue.
void require_all_at_once(const Scenario& scenario);

/// Whether jobs or background load compete for what job 0 uses.
bool is_shared(const Scenario& scenario);

/// The scenario with job number `job` as its only one and without background load.
Scenario job_alone(const Scenario& scenario, std::size_t job);

}  // namespace headrace::models
