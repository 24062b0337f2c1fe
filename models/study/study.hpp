// A simulated answer: the sampler runs windows of the epoch and replications side by side, to a stated length or, by
// looks at doubling lengths, until they are precise; then relief is measured under common random numbers. The outcome
// has the same bytes for any number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>

#include "models/cluster/sampled_nodes.hpp"
#include "models/outcome/outcome.hpp"
#include "models/path/ingest_path.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

struct Progress {
  double fraction = 0.0;  ///< of the work that is known to be needed, 0 to 1
  double eta_s = 0.0;     ///< wall seconds left by that measure; 0: not known
  std::string_view phase;
  std::uint64_t steps = 0;
};

/// Which nodes of a job are simulated: all; some that stand for all, where they do; automatic: these where all of them
/// would take long and the run has no stated length.
enum class Scale : std::uint8_t { full, sampled, automatic };

struct StudyOptions {
  std::uint64_t seed = 1;
  std::uint32_t replications = 1;
  std::uint32_t first_replication = 0;     ///< a replay runs a later one alone
  double precision = 0.01;                 ///< relative half-width of the step time
  std::uint64_t steps = 0;                 ///< exactly that many steps per window; 0: until precise
  double max_wall_s = 0.0;                 ///< 0: no limit
  unsigned threads = 0;                    ///< 0: all cores
  std::optional<Granularity> granularity;  ///< open: chosen (models/study/granularity_choice.hpp)
  bool contention = true;
  bool relief = true;
  Scale scale = Scale::automatic;
  std::uint32_t sampled_nodes = kSampledNodes;  ///< at least, of those that stand for all
  bool check_sample = true;                     ///< hold sampled nodes against a run of all; false: whoever asks does
  bool control = true;                          ///< use the uncontended twin as a control variate where that pays
  bool courses = true;  ///< draw the whole training through its faults (models/interruptions/fault_course.hpp)
  bool verdict_by_means = false;  ///< however wide their intervals: for one of many points
  bool other_starts = true;  ///< look at them where a single run may hang on its own (models/study/other_starts.hpp)
  bool rough_intervals = false;  ///< for runs that are too short for others (sim::TooShort): for one of many points
  bool keep_series = false;      ///< in the replications of the outcome, for paired_difference()
  bool first_epoch = true;       ///< false: not simulated where caches make it another; what it decides is left out
  std::function<void(const Progress&)> progress;
  std::stop_token stop;     ///< ends a study at its next length that --steps repeats, with what is known by then
  std::stop_token abandon;  ///< ends it at once: Abandoned is thrown
};

/// Whether a metric is known only with StudyOptions::first_epoch: by its full name, "first_epoch_time_s" or
/// "jobs/NAME/first_epoch_time_s".
bool is_of_first_epoch(std::string_view metric);

/// Simulates all jobs of the scenario. Throws FailedReplication if an invariant breaks, Abandoned where options.abandon
/// asks.
Outcome simulate(const Scenario& scenario, const StudyOptions& options);

/// Where the granularity is open, the one that simulate() chooses for the scenario: for studies that look at it more
/// than once. It stays open for one that changes over time, each of whose states chooses. For two, the finer of both,
/// or whole batches where one of them chooses nothing: it changes over time, or is too large for short simulations.
std::optional<Granularity> chosen_granularity(const StudyOptions& options, const Scenario& scenario,
                                              const Scenario* other = nullptr);

/// The same answers for growing lengths of run: what was simulated is kept and run on. The limit on wall time is one of
/// all runs.
class ResumableStudy {
 public:
  ResumableStudy(const Scenario& scenario, const StudyOptions& options);
  ~ResumableStudy();

  /// What simulate() gives for exactly so many steps per window, no fewer than it has.
  Outcome run_to(std::uint64_t steps);
  /// What simulate() gives for this precision, which may not be less than that of an earlier run. Where control
  /// variates would have ended a run at a length that is passed already, the longer run counts.
  /// After `most_wall_s` of this run it ends with what is known; 0: only at the limit of all runs.
  Outcome run_until(double precision, double most_wall_s = 0.0);
  /// Adds to the outcome of the last run what the removal of each stage would gain, and by it the stage that binds.
  /// Nothing where time is up, or where the scenario changes over time.
  void add_relief(Outcome& outcome);
  /// Simulated loaders that it keeps in memory.
  std::uint64_t loaders() const;

 private:
  struct State;
  Outcome run();

  std::unique_ptr<State> state_;
};

}  // namespace headrace::models
