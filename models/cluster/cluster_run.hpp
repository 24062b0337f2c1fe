// E2, the event engine: all jobs of a cluster and its background load in one simulation, with the stores and networks
// that they share.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <utility>
#include <vector>

#include "models/cluster/background_client.hpp"
#include "models/cluster/cluster_plan.hpp"
#include "models/engine/job_run.hpp"
#include "models/engine/store_services.hpp"
#include "sim/simulation.hpp"

namespace headrace::models {

class ClusterRun {
 public:
  /// Draws depend on (seed, replication) alone. With contention off, jobs run as if each were alone, and without
  /// background load. Throws Abandoned once the token asks for it, here and in the runs, which look at it now and
  /// then.
  ClusterRun(ClusterPlan plan, std::uint64_t seed, std::uint32_t replication, RunSwitches switches,
             std::stop_token abandon = {});
  /// One job that is alone.
  ClusterRun(const IngestPath& path, std::uint64_t seed, std::uint32_t replication, RunSwitches switches)
      : ClusterRun(plan_alone(path), seed, replication, switches) {}
  ClusterRun(const ClusterRun&) = delete;
  ClusterRun& operator=(const ClusterRun&) = delete;

  /// Runs on until every job has completed `steps` steps; faster ones go on meanwhile.
  void run_to(std::uint64_t steps) { run_to(std::vector<std::uint64_t>(jobs_.size(), steps)); }
  /// The same with a number of steps for each job.
  void run_to(const std::vector<std::uint64_t>& steps);

  /// From now on runs look at the token now and then, and throw Abandoned once it asks for it; the run is of no
  /// use after that.
  void abandon_on(std::stop_token abandon) { goal_.abandon = std::move(abandon); }

  /// Shows the batches of a job's first `loaders` loaders to `watcher`, which must outlive the run.
  void watch(std::size_t job, BatchWatcher& watcher, std::uint32_t loaders) { jobs_[job]->watch(watcher, loaders); }

  std::size_t jobs() const { return jobs_.size(); }
  const JobRun& job(std::size_t i) const { return *jobs_[i]; }
  const std::vector<std::unique_ptr<BackgroundRun>>& background() const { return background_; }
  /// Of the first job.
  const StepLog& log() const { return jobs_.front()->log(); }
  const LoadTotals& totals() const { return jobs_.front()->totals(); }
  /// Steps that every job has completed.
  std::uint64_t common_steps() const;
  void reset_totals();
  std::uint64_t events() const { return simulation_.events_executed(); }
  /// Transfers over all networks that are under way.
  std::uint64_t active_flows() const;
  sim::Simulation& simulation() { return simulation_; }

 private:
  static void look(void* self, std::uint64_t);

  const ClusterPlan plan_;
  sim::Simulation simulation_;
  CommonGoal goal_;
  std::vector<std::unique_ptr<StoreServices>> services_;
  std::vector<std::unique_ptr<JobRun>> jobs_;
  std::vector<std::unique_ptr<BackgroundRun>> background_;
};

}  // namespace headrace::models
