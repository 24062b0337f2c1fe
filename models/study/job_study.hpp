// One job of a study in all windows of its epoch.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/cluster/cluster_plan.hpp"
#include "models/cluster/like_nodes.hpp"
#include "models/outcome/outcome_assembly.hpp"
#include "models/outcome/rare_stall.hpp"
#include "models/study/sampler.hpp"
#include "models/study/window_study.hpp"

namespace headrace::models {

/// A job, or one of its copies.
struct JobStudy {
  std::size_t job = 0;               ///< index in the scenario
  std::vector<EpochWindow> windows;  ///< by position, and at each of them by state of slow background load
  std::vector<std::unique_ptr<WindowStudy>> studies;
  std::unique_ptr<WindowStudy> cold;  ///< its first epoch, where that is another
  bool leaves_out_first = false;      ///< it is another, and nobody asked for it
  std::vector<RareStall> left_out;    ///< stalls that the runs do without: measured apart
  std::vector<RareStall> seldom;      ///< stalls that the runs have, though not often

  /// Whether a run of so many steps can be expected to meet fifty stalls of every law that it draws from.
  bool meets_enough_stalls(std::size_t window, std::uint64_t steps) const;
  /// In which the job begins.
  WindowStudy& first_window() const { return cold ? *cold : *studies.front(); }
  /// Index of the window with most steps.
  std::size_t longest() const;
  const WindowStudy& longest_window() const { return *studies[longest()]; }
};

/// What the logs of a job say.
struct JobMeans {
  std::vector<double> weights;  ///< of the windows: shares of the epoch's steps
  std::vector<WindowMeans> windows;
  EpochMeans epoch;
};

/// All jobs of a scenario with the runs of all windows. Several jobs are run together in as many windows as the job
/// with most of them has; others meet their own windows in turn, each with its weight shared out.
struct StudyJobs {
  /// Plans everything; nothing has run yet.
  StudyJobs(const Scenario& scenario, Granularity granularity, const SamplerOptions& options);

  /// Of every job: its windows, then its first epoch.
  std::vector<WindowStudy*> all_windows() const;
  /// What the logs of a job say, with states weighed by the time that steps take in them.
  JobMeans measure(const Scenario& scenario, const JobStudy& job) const;
  /// What the background load got in the windows of the epoch, mean over windows and replications.
  std::vector<LoadReport> background_loads(const Scenario& scenario) const;

  std::vector<JobStudy> jobs;
  std::vector<LoadState> states;     ///< of slow background load
  std::optional<NodeSample> sample;  ///< of the nodes, where these are sampled
  std::string unlike;                ///< why they are not, where that was asked for
  Sampler sampler;                   ///< windows of the epoch, then that of the first epoch

 private:
  void choose_nodes(const Scenario& scenario, ClusterPlan plan, const SamplerOptions& options);
  const WindowRuns& add_runs(const ClusterPlan& plan);
  void add_windows(ClusterPlan& plan, std::size_t count);
  void add_first_epoch(const Scenario& scenario, ClusterPlan& plan, bool asked);
};

}  // namespace headrace::models
