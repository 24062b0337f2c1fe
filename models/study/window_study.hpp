// One job in one window of its epoch: what its replications say, with a control variate where that narrows the
// intervals at less cost than longer runs.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "models/study/scale_check.hpp"
#include "models/study/window_means.hpp"
#include "sim/time.hpp"

namespace headrace::models {

class JobRun;
class WindowRuns;
struct IngestPath;

class WindowStudy {
 public:
  /// Job number `place` of the plan of the runs, which must outlive the study. `weight`: share of the epoch's steps.
  WindowStudy(const WindowRuns& runs, std::size_t place, double weight);
  ~WindowStudy();

  /// Plans a control variate for a window whose longer arm is `excess` times too long, by the correlation over a
  /// quarter of the first replication, of which it runs the twin. Returns the effort; nothing where a control variate
  /// costs more than it saves.
  std::optional<std::uint32_t> plan_control(double excess, std::uint32_t looks_left);
  /// Runs the twins of one replication on to `part` of `parts` of what `effort` asks for. Replications may run on
  /// different threads.
  void run_control(std::uint32_t replication, std::uint32_t effort, std::uint64_t part, std::uint64_t parts);
  /// From now on means() uses the twins of all replications, as long as these are not run on.
  void use_control(bool use) { controlled_ = use; }

  /// Effects of stalls that the runs do not have, for every later answer.
  void set_stalls(std::vector<StallEffect> effects);
  const std::vector<StallEffect>& stalls() const { return stalls_; }

  /// Runs all nodes of a replication for so many steps, where some stand for all. Throws Abandoned once the token asks
  /// for it.
  void check_scale(std::uint32_t replication, std::uint64_t steps, const std::stop_token& abandon);
  /// By which every step of means() is longer from now on.
  void use_difference(std::optional<Measured> difference_s) { difference_s_ = difference_s; }
  /// Of the mean step after the first `from`; of all nodes, less that of those that stand for them.
  Measured scale_difference(std::uint64_t from) const;
  std::uint64_t steps_checked() const;
  /// When the first step of replication 0 starts; of all nodes, where those were run.
  sim::TimeNs first_start_ns() const;

  /// What the logs say so far.
  WindowMeans means() const;
  /// What the log of one replication says by itself.
  WindowMeans means_of(std::uint32_t replication) const;
  /// The figures of one replication alone, without the index of the window.
  ReplicationReport report(std::uint32_t replication) const;

  const WindowRuns& runs() const { return runs_; }
  std::size_t place() const { return place_; }
  const IngestPath& path() const { return path_; }
  /// Of all nodes, where path() is of those that are simulated.
  const IngestPath& whole_path() const;
  std::uint32_t loaders() const;
  /// With those of nodes that are not simulated.
  std::uint32_t ranks() const;
  double weight() const { return weight_; }
  void set_weight(double weight) { weight_ = weight; }
  std::uint32_t replications() const;
  const JobRun& run(std::uint32_t replication) const;
  const StepLog& log(std::uint32_t replication) const;
  /// Whether batches of the first replication spend time in the stage.
  bool visits(Stage stage) const;
  /// Steps of the longest replication.
  std::uint64_t most_steps() const;
  std::uint64_t least_warm_up_steps() const;

 private:
  WarmUpRule warm_up_rule() const;

  const WindowRuns& runs_;
  std::size_t place_;
  const IngestPath& path_;
  double weight_;
  std::vector<std::unique_ptr<StepControl>> controls_;  ///< of the replications, where one was planned
  std::vector<std::unique_ptr<ScaleCheck>> checks_;     ///< of the replications
  std::optional<Measured> difference_s_;
  std::vector<StallEffect> stalls_;
  bool controlled_ = false;
  std::string_view control_state_;
};

}  // namespace headrace::models
