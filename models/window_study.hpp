// One window of a job's epoch under study: what the logs of its replications say. The replications themselves, with the
// other jobs of the cluster, are run by WindowRuns.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "models/cluster_plan.hpp"
#include "models/cluster_run.hpp"
#include "models/hit_profile.hpp"
#include "models/outcome_assembly.hpp"
#include "models/rare_stall.hpp"
#include "models/step_control.hpp"
#include "sim/steady_state_interval.hpp"
#include "sim/warm_up.hpp"

namespace headrace::models {

/// Means per step of one window, over its replications, each after its own warm-up.
struct WindowMeans {
  Measured step_time_s;
  Measured idle_fraction;
  Measured utilization;
  std::array<double, kGpuStateCount> state_s{};
  std::array<Measured, kStageCount> blame;           ///< share of elapsed time
  std::array<double, kStageCount> queueing_share{};  ///< of the blame of the stage
  bool enough_data = false;
  std::string_view reason;           ///< why not
  std::uint64_t warm_up_steps = 0;   ///< largest of the replications
  std::uint64_t measured_steps = 0;  ///< all replications together
  std::string_view control;          ///< "applied", or why there is no control variate
  double variance_cut = 1.0;         ///< by the control variate, of the mean step time: before over after
};

/// The replications of one window: all jobs of a cluster, each at its own window's hit ratio.
class WindowRuns {
 public:
  /// Replications `first` to `first + replications - 1` of the seed. Whatever runs them throws Abandoned once the token
  /// asks for it.
  WindowRuns(const ClusterPlan& plan, std::uint64_t seed, std::uint32_t first, std::uint32_t replications,
             bool contention, std::stop_token abandon = {});

  std::uint32_t replications() const { return static_cast<std::uint32_t>(runs_.size()); }
  /// Runs one replication on until every job has `steps` steps. Replications may run on different threads. Throws
  /// FailedReplication if an invariant breaks.
  void run_to(std::uint32_t replication, std::uint64_t steps);

  const ClusterPlan& plan() const { return plan_; }
  std::uint64_t seed() const { return seed_; }
  std::uint32_t first_replication() const { return first_; }
  const std::stop_token& abandon() const { return abandon_; }
  const ClusterRun& run(std::uint32_t replication) const { return *runs_[replication]; }
  /// Of the job that needs most.
  std::uint64_t least_warm_up_steps() const;

 private:
  ClusterPlan plan_;
  std::uint64_t seed_;
  std::uint32_t first_;
  std::stop_token abandon_;
  std::vector<std::unique_ptr<ClusterRun>> runs_;
};

class WindowStudy {
 public:
  static constexpr std::string_view kApplied = "applied";
  static constexpr std::string_view kNotNeeded = "not needed";
  static constexpr std::string_view kNoInterval = "the twin gave no interval";
  static constexpr std::string_view kNotWorth = "costs more than it saves";

  /// Of job number `place` of the runs' plan, which must outlive the study.
  WindowStudy(const WindowRuns& runs, std::size_t place, const EpochWindow& window, bool contention);

  std::uint32_t replications() const { return runs_.replications(); }
  /// Steps of the longest replication.
  std::uint64_t most_steps() const;

  /// Tells whether a control variate is worth its cost for a window whose longer arm is `excess` times too long, by
  /// the correlation over a quarter of the first replication. Runs that quarter of its twin. Returns the effort.
  std::optional<std::uint32_t> plan_control(double excess, std::uint32_t looks_left);
  /// Runs one replication's twins on to `part` of `parts` of what `effort` asks for. Replications may run on different
  /// threads.
  void run_control(std::uint32_t replication, std::uint32_t effort, std::uint64_t part, std::uint64_t parts);
  /// From now on means() uses the twins of all replications, as long as these are not run on.
  void use_control(bool use) { controlled_ = use; }

  /// Adds the effect of stalls that the runs do not have to every later answer.
  void add_stall(const StallEffect& effect) { stalls_.push_back(effect); }
  const std::vector<StallEffect>& stalls() const { return stalls_; }

  /// What the logs say so far.
  WindowMeans means() const;

  /// The figures of one replication alone, without its window's index.
  ReplicationReport report(std::uint32_t replication) const;

  const WindowRuns& runs() const { return runs_; }
  std::size_t place() const { return place_; }
  const IngestPath& path() const { return path_; }
  const EpochWindow& window() const { return window_; }
  /// Gives the window another share of the epoch's steps.
  void weigh(double weight) { window_.weight = weight; }
  const JobRun& run(std::uint32_t replication) const { return runs_.run(replication).job(place_); }
  std::uint64_t least_warm_up_steps() const { return runs_.least_warm_up_steps(); }

 private:
  const StepLog& step_log(std::uint32_t replication) const { return run(replication).log(); }

  const WindowRuns& runs_;
  std::size_t place_;
  const IngestPath& path_;
  EpochWindow window_;
  std::vector<std::unique_ptr<StepControl>> controls_;  ///< of the replications, where one was planned
  std::vector<StallEffect> stalls_;
  bool controlled_ = false;
  std::string_view control_state_ = kNotNeeded;
};

/// Time that a loader waits in steps [from, to) of a log, mean over loaders, seconds.
double wait_s(const StepLog& log, std::uint32_t loaders, std::size_t from, std::size_t to);

}  // namespace headrace::models
