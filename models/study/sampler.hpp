// The simulations of a study: every window of the epoch times every replication, each of which can be run on.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <utility>
#include <vector>

namespace headrace::models {

class ClusterRun;
class TaskPool;
enum class Stage : std::uint8_t;
struct ClusterPlan;
struct StepLog;

/// What the draws of a sample depend on, and what ends it.
struct SamplerOptions {
  std::uint64_t seed = 1;
  std::uint32_t first_replication = 0;
  std::uint32_t replications = 1;
  bool contention = true;
  std::uint32_t sampled = 0;     ///< at least so many of a job's like nodes stand for all, where they do; 0: all run
  std::stop_token abandon = {};  ///< whatever runs then throws Abandoned
  bool rough_intervals = false;  ///< of runs that are too short for others
  bool first_epoch = true;       ///< is simulated, where it is another
};

/// The replications of one window: all jobs of a cluster, each at the hit ratio of its own window. Replications may run
/// on different threads. Runs throw FailedReplication if an invariant breaks.
class WindowRuns {
 public:
  WindowRuns(const ClusterPlan& plan, const SamplerOptions& options);
  ~WindowRuns();
  WindowRuns(const WindowRuns&) = delete;
  WindowRuns& operator=(const WindowRuns&) = delete;

  /// Leaves the first `count`, or adds some of which nothing has run yet.
  void set_replications(std::uint32_t count);
  /// Runs one replication on until every job has `steps` steps.
  void run_to(std::uint32_t replication, std::uint64_t steps);
  /// From now on its runs look at this token.
  void abandon_on(const std::stop_token& abandon);
  /// Steps that every job has in every replication.
  std::uint64_t steps() const;
  /// The first replication once more, with the same draws but without one stage, until job i has steps[i] steps: a log
  /// for each job. Throws Abandoned once the token asks for it.
  std::vector<StepLog> run_without(Stage stage, const std::vector<std::uint64_t>& steps,
                                   const std::stop_token& abandon) const;

  const ClusterPlan& plan() const { return *plan_; }
  const SamplerOptions& options() const { return options_; }
  std::uint32_t replications() const { return options_.replications; }
  const ClusterRun& run(std::uint32_t replication) const { return *runs_[replication]; }
  /// Loaders of all jobs.
  std::uint32_t loaders() const;
  /// Of all jobs, with those of nodes that are not simulated.
  std::uint32_t ranks() const;
  /// Of the job that needs most.
  std::uint64_t least_warm_up_steps() const;

 private:
  SamplerOptions options_;
  std::unique_ptr<const ClusterPlan> plan_;
  std::vector<std::unique_ptr<ClusterRun>> runs_;
};

/// Whether the machine's memory holds so many simulated loaders.
bool fit_memory(std::uint64_t loaders);

class Sampler {
 public:
  explicit Sampler(SamplerOptions options) : options_(std::move(options)) {}

  /// Adds a window, with every job of the plan at its hit ratio there. Throws UnusableRequest before the work begins
  /// where all runs together would take more memory than the machine has.
  const WindowRuns& add(const ClusterPlan& plan);
  /// Leaves the first `count` of every window, or adds some of which nothing has run yet, where memory holds them:
  /// whether it does.
  bool set_replications(std::uint32_t count);
  std::uint32_t replications() const { return options_.replications; }
  std::size_t windows() const { return windows_.size(); }
  const WindowRuns& window(std::size_t i) const { return *windows_[i]; }

  /// Runs every replication of the windows that `wanted` takes on to `steps`, all in the same short strides, so that a
  /// limit on wall time finds them at one length. Ends where `go_on`, which is asked after each stride with the steps
  /// done, returns false.
  void run_to(std::uint64_t steps, TaskPool& pool, const std::function<bool(const WindowRuns&)>& wanted,
              const std::function<bool(std::uint64_t)>& go_on);
  /// Runs all of them on this thread, without strides. Throws Abandoned once the token asks for it.
  void run_to(std::uint64_t steps, const std::stop_token& abandon);

 private:
  SamplerOptions options_;
  std::vector<std::unique_ptr<WindowRuns>> windows_;
  std::uint64_t loaders_ = 0;  ///< of all runs
};

}  // namespace headrace::models
