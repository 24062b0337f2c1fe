// Whether a scenario meets its limits: by the bound, by the estimate, by runs of one length on the same draws, and
// decided by intervals.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "models/study/looks.hpp"
#include "models/study/study.hpp"
#include "models/study/threshold.hpp"
#include "scenarios/requirements/job_limit.hpp"

namespace headrace::scenarios {

struct ProbeOptions {
  std::uint64_t seed = 1;
  unsigned threads = 0;     ///< 0: all cores
  double max_wall_s = 0.0;  ///< 0: no limit
  std::stop_token stop;     ///< models::Abandoned is thrown, as it is when the time is up
  std::function<void(const std::string& phase, std::size_t runs)> progress;
};

/// One limit at one scenario.
struct LimitValue {
  double value = 0.0;
  double limit = 0.0;
  std::optional<models::Interval> ci95;  ///< none: exact, or not decided by an interval
  models::Ruling decision = models::Ruling::undecided;
  double excess = 0.0;  ///< over what is allowed, relative; at most 0: it holds
};

struct Standing {
  std::vector<LimitValue> limits;  ///< in the order of the probe's limits
  models::Ruling decision = models::Ruling::pass;
  bool known = true;  ///< false: this level does not answer one of the metrics
  bool holds() const;
  /// The limit that is nearest to break, or broken most.
  std::size_t tightest() const;
};

class Probe {
 public:
  Probe(std::vector<JobLimit> limits, ProbeOptions options);

  /// Whether a flow bound, which no run beats, breaks a limit: in milliseconds, however large the cluster.
  bool excluded(const models::Scenario& scenario);
  /// By the queueing estimate.
  Standing estimate(const models::Scenario& scenario);
  /// By runs of the length of the first, at the seed's draws.
  Standing simulate(const models::Scenario& scenario);
  /// Where to look: excluded by a bound, or else by a run; of a cluster whose runs take long, by the estimate.
  Standing look(const models::Scenario& scenario);
  /// Until the interval of each limit lies on one side, or no longer run is due: `looks` at most, each longer than the
  /// one before.
  Standing decide(const models::Scenario& scenario, std::uint32_t looks = models::kMostLooks);
  /// Several scenarios, side by side.
  std::vector<Standing> decide_each(const std::vector<models::Scenario>& scenarios,
                                    std::uint32_t looks = models::kMostLooks);
  /// The first run, whose length the others have.
  models::Outcome outcome(const models::Scenario& scenario, bool relief = false);

  const std::vector<JobLimit>& limits() const { return limits_; }
  std::size_t runs() const { return runs_; }
  std::size_t estimates() const { return estimates_; }
  void phase(std::string name) { phase_ = std::move(name); }

 private:
  using Answer = std::function<models::Outcome(const models::Scenario&)>;
  Standing stand(const models::Scenario& scenario, const Answer& answer);
  models::Outcome run(const models::Scenario& scenario);
  Standing judged(const models::Scenario& scenario, const std::vector<std::size_t>& group,
                  const std::optional<double>& normal_s, std::uint32_t looks);
  models::StudyOptions study() const;
  double spent_s() const;
  void end_if_late() const;
  /// Counts them; from any thread.
  void add_runs(std::size_t runs);
  void before_run();

  std::vector<JobLimit> limits_;
  std::vector<std::vector<std::size_t>> groups_;  ///< of limits that hold on the same days; normal days first
  ProbeOptions options_;
  std::uint64_t steps_ = 0;
  bool large_ = false;  ///< the first run was of many batches a step
  std::mutex shared_;   ///< guards what the runs side by side count and tell
  std::size_t runs_ = 0;
  std::size_t estimates_ = 0;
  std::string phase_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace headrace::scenarios
