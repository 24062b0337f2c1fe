#include "models/study.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "models/interruptions.hpp"
#include "models/outcome_assembly.hpp"
#include "models/relief.hpp"
#include "models/task_pool.hpp"
#include "models/window_study.hpp"
#include "sim/sequential_stop.hpp"

namespace headrace::models {

namespace {

using Clock = std::chrono::steady_clock;

/// Steps at the first look and at most, by size of the job: a large barrier averages over many loaders in each step,
/// so that half a million batches are enough for a first look.
sim::StopRule stop_rule(const IngestPath& path) {
  sim::StopRule rule;
  rule.minimum_steps = 2048;
  while (rule.minimum_steps > 512 && rule.minimum_steps / 2 * path.loaders >= 500'000) rule.minimum_steps /= 2;
  const auto first = static_cast<std::int64_t>(10ULL * path.outstanding);
  while (rule.minimum_steps < first) rule.minimum_steps *= 2;
  rule.maximum_steps = std::max<std::int64_t>(rule.minimum_steps, path.loaders >= 1000 ? 16384 : 262144);
  return rule;
}

constexpr std::uint64_t kStrideLoads = 65536;  ///< batches of one run between looks at the clock

/// The rounds of one study.
class Study {
 public:
  Study(const Scenario& scenario, const StudyOptions& options)
      : scenario_(scenario), options_(options), pool_(options.threads) {
    IngestPath path = resolve_path(scenario, 0, options.granularity);
    RareStalls rare = take_rare_stalls(path);
    stalls_ = std::move(rare.taken);
    seldom_ = std::move(rare.left);
    windows_ = epoch_windows(scenario, 0, options.seed);
    for (const EpochWindow& window : windows_) studies_.push_back(make(path, window));
    // The first epoch finds cold caches: a window of its own that no epoch mean counts.
    bool warm = false;
    for (const EpochWindow& window : windows_) warm = warm || window.hit_ratio > 0.0;
    if (warm) cold_ = make(path, EpochWindow{0.5, 0.0, 0.0});
    rule_ = stop_rule(path);
    for (const EpochWindow& window : windows_)
      while (rule_.minimum_steps < rule_.maximum_steps &&
             !meets_enough_stalls(window, static_cast<std::uint64_t>(rule_.minimum_steps)))
        rule_.minimum_steps *= 2;
  }

  Outcome run() {
    if (options_.steps > 0) {
      run_round(options_.steps);
      control(all_studies(), true);
    } else {
      run_until_precise();
    }
    if (interrupted_)  // where a clock ended the run, nothing may depend on what it left time for
      for (WindowStudy* study : all_studies()) study->use_control(false);
    measure_stalls();
    return outcome();
  }

 private:
  std::unique_ptr<WindowStudy> make(const IngestPath& path, const EpochWindow& window) const {
    return std::make_unique<WindowStudy>(path, window, options_.seed, options_.first_replication, options_.replications,
                                         options_.contention);
  }

  std::vector<WindowStudy*> all_studies() const {
    std::vector<WindowStudy*> all;
    for (const auto& study : studies_) all.push_back(study.get());
    if (cold_) all.push_back(cold_.get());
    return all;
  }

  void parallel(std::size_t tasks, const std::function<void(std::size_t)>& run) { pool_.run(tasks, run); }

  bool out_of_time() const {
    if (options_.stop.stop_requested()) return true;
    return options_.max_wall_s > 0.0 &&
           std::chrono::duration<double>(Clock::now() - begin_).count() > options_.max_wall_s;
  }

  /// Runs every unfinished window and replication on to `steps`, all in the same small strides, so that a limit on wall
  /// time finds them at the same length and --steps repeats the result.
  void run_round(std::uint64_t steps) {
    struct Task {
      WindowStudy* study;
      std::uint32_t replication;
    };
    std::vector<Task> tasks;
    for (WindowStudy* study : all_studies())
      for (std::uint32_t r = 0; r < study->replications(); ++r)
        if (!is_done(*study)) tasks.push_back({study, r});
    const std::uint64_t stride = std::max<std::uint64_t>(16, kStrideLoads / studies_.front()->path().loaders);
    while (steps_done_ < steps && !interrupted_) {
      steps_done_ = std::min(steps, steps_done_ + stride);
      parallel(tasks.size(), [&](std::size_t i) { tasks[i].study->run_to(tasks[i].replication, steps_done_); });
      report(steps_done_, steps);
      interrupted_ = out_of_time();
    }
  }

  void run_until_precise() {
    auto steps = static_cast<std::uint64_t>(sim::next_look(0, rule_));
    for (;;) {
      run_round(steps);
      if (interrupted_) return;
      // Decisions fall at the end of a round, in the order of the windows.
      const bool last = static_cast<std::int64_t>(steps) >= rule_.maximum_steps;
      std::vector<WindowStudy*> left;
      for (WindowStudy* study : all_studies())
        if (!is_done(*study)) left.push_back(study);
      left = control(left, last);
      for (WindowStudy* study : all_studies())
        if (!is_done(*study) && (last || std::find(left.begin(), left.end(), study) == left.end()))
          done_.push_back(study);
      if (last || left.empty() || interrupted_) return;
      steps = static_cast<std::uint64_t>(sim::next_look(static_cast<std::int64_t>(steps), rule_));
    }
  }

  /// Narrows the windows that are not precise yet by their twins, where that is cheaper than to run on, and returns
  /// those that are still not precise.
  std::vector<WindowStudy*> control(const std::vector<WindowStudy*>& studies, bool last) {
    struct Task {
      WindowStudy* study;
      std::uint32_t replication;
      std::uint32_t effort;
    };
    std::vector<WindowStudy*> left;
    std::vector<Task> tasks;
    for (WindowStudy* study : studies) {
      study->use_control(false);
      const WindowMeans means = study->means();
      if (precise(means)) continue;
      left.push_back(study);
      if (!options_.control || interrupted_ || !means.enough_data) continue;
      const PrecisionReport now = precision_of(means.step_time_s, means.idle_fraction, true);
      const double excess = std::max(*now.reached / now.asked, *now.idle_reached / now.idle_asked);
      const auto effort = study->plan_control(excess, last ? 0 : looks_left());
      for (std::uint32_t r = 0; effort && r < study->replications(); ++r) tasks.push_back({study, r, *effort});
    }
    constexpr std::uint64_t kParts = 16;  // between looks at the clock
    for (std::uint64_t part = 1; part <= kParts && !tasks.empty() && !interrupted_; ++part) {
      parallel(tasks.size(), [&](std::size_t i) {
        tasks[i].study->run_control(tasks[i].replication, tasks[i].effort, part, kParts);
      });
      interrupted_ = out_of_time();
    }
    for (const Task& task : tasks) task.study->use_control(!interrupted_);
    std::erase_if(left, [this](const WindowStudy* study) { return precise(study->means()); });
    return left;
  }

  /// What the stalls cost that the runs go without: a pair of short runs for each law and window.
  void measure_stalls() {
    const std::vector<WindowStudy*> studies = all_studies();
    std::vector<StallEffect> effects(studies.size() * stalls_.size());
    parallel(effects.size(), [&](std::size_t i) {
      const WindowStudy& study = *studies[i / stalls_.size()];
      const double target_s = 0.3 * options_.precision * study.means().step_time_s.mean;
      effects[i] = measure_stall(study.path(), stalls_[i % stalls_.size()], options_.seed, options_.first_replication,
                                 options_.contention, target_s);
    });
    for (std::size_t i = 0; i < effects.size(); ++i) studies[i / stalls_.size()]->add_stall(effects[i]);
  }

  /// Whether a run of so many steps can be expected to meet fifty stalls of every law that it draws from.
  bool meets_enough_stalls(const EpochWindow& window, std::uint64_t steps) const {
    constexpr double kEnough = 50.0;
    IngestPath path = studies_.front()->path();
    path.hit_ratio = window.hit_ratio;
    return std::all_of(seldom_.begin(), seldom_.end(), [&](const RareStall& stall) {
      const double share = stalled_step_share(path, stall);
      return !(share > 0.0) || share * static_cast<double>(steps) >= kEnough;
    });
  }

  std::uint32_t looks_left() const {
    std::uint32_t looks = 0;
    for (std::int64_t steps = sim::next_look(static_cast<std::int64_t>(steps_done_), rule_);
         steps <= rule_.maximum_steps; steps *= 2)
      ++looks;
    return looks;
  }

  bool is_done(const WindowStudy& study) const { return std::find(done_.begin(), done_.end(), &study) != done_.end(); }

  bool precise(const WindowMeans& means) const {
    return precision_of(means.step_time_s, means.idle_fraction, means.enough_data).met;
  }

  /// The longer arms against what was asked for: P of the step time, idle the larger of 0.2 P and 10 P of itself.
  PrecisionReport precision_of(const Measured& step_s, const Measured& idle, bool enough_data) const {
    const auto arm = [](const Measured& value) {
      return std::max(value.mean - value.ci95->low, value.ci95->high - value.mean);
    };
    PrecisionReport report;
    report.asked = options_.precision;
    report.idle_asked = std::max(0.2 * options_.precision, 10.0 * options_.precision * idle.mean);
    if (step_s.ci95 && step_s.mean > 0.0) report.reached = arm(step_s) / step_s.mean;
    if (idle.ci95) report.idle_reached = arm(idle);
    report.met = enough_data && report.reached && report.idle_reached && *report.reached <= report.asked &&
                 *report.idle_reached <= report.idle_asked;
    return report;
  }

  void report(std::uint64_t steps, std::uint64_t goal) {
    if (!options_.progress) return;
    const double wall_s = std::chrono::duration<double>(Clock::now() - begin_).count();
    const double fraction = goal > 0 ? static_cast<double>(steps) / static_cast<double>(goal) : 0.0;
    options_.progress({fraction, fraction > 0.05 ? wall_s * (1.0 - fraction) / fraction : 0.0, "simulating", steps});
  }

  Outcome outcome();
  EpochMeans epoch_means(const std::vector<WindowMeans>& windows) const;
  void add_blame(const std::vector<WindowMeans>& windows, double step_time_s, Outcome& outcome) const;
  void add_relief(Outcome& outcome);
  void add_load_times(Outcome& outcome) const;
  void add_replications(Outcome& outcome) const;
  void add_stalls(double step_time_s, Outcome& outcome) const;
  static void doubt(const Measured& idle, Outcome& outcome);

  const Scenario& scenario_;
  const StudyOptions& options_;
  TaskPool pool_;
  std::vector<RareStall> stalls_;  ///< that the runs go without
  std::vector<RareStall> seldom_;  ///< that they have, though not often
  std::vector<EpochWindow> windows_;
  std::vector<std::unique_ptr<WindowStudy>> studies_;
  std::unique_ptr<WindowStudy> cold_;
  std::vector<const WindowStudy*> done_;
  sim::StopRule rule_;
  std::uint64_t steps_done_ = 0;
  bool interrupted_ = false;
  Clock::time_point begin_ = Clock::now();
};

/// Weighted sum over windows; arms add like independent errors.
class WeightedSum {
 public:
  void add(double weight, const Measured& value) {
    mean_ += weight * value.mean;
    complete_ = complete_ && value.ci95.has_value();
    if (!value.ci95) return;
    low2_ += weight * weight * (value.mean - value.ci95->low) * (value.mean - value.ci95->low);
    high2_ += weight * weight * (value.ci95->high - value.mean) * (value.ci95->high - value.mean);
  }
  Measured value() const {
    Measured result{mean_, std::nullopt};
    if (complete_) result.ci95 = Interval{mean_ - std::sqrt(low2_), mean_ + std::sqrt(high2_)};
    return result;
  }

 private:
  double mean_ = 0.0;
  double low2_ = 0.0;
  double high2_ = 0.0;
  bool complete_ = true;
};

EpochMeans Study::epoch_means(const std::vector<WindowMeans>& windows) const {
  EpochMeans epoch;
  epoch.kind = AnswerKind::simulated;
  WeightedSum step;
  for (std::size_t i = 0; i < windows.size(); ++i) step.add(windows_[i].weight, windows[i].step_time_s);
  epoch.step_time_s = step.value();
  // A share of the epoch weighs each window by its time, not by its steps.
  WeightedSum idle;
  WeightedSum busy;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const double weight = windows_[i].weight * windows[i].step_time_s.mean / epoch.step_time_s.mean;
    idle.add(weight, windows[i].idle_fraction);
    busy.add(weight, windows[i].utilization);
    for (std::size_t s = 0; s < kGpuStateCount; ++s) epoch.state_s[s] += windows_[i].weight * windows[i].state_s[s];
  }
  epoch.idle_fraction = idle.value();
  epoch.utilization = busy.value();
  const WindowStudy& first = cold_ ? *cold_ : *studies_.front();
  epoch.time_to_first_step_s = sim::seconds(first.run(0).log().records.front().start_ns);
  epoch.first_epoch_step_time_s = cold_ ? cold_->means().step_time_s : epoch.step_time_s;
  return epoch;
}

void Study::add_blame(const std::vector<WindowMeans>& windows, double step_time_s, Outcome& outcome) const {
  for (std::size_t s = 0; s < kStageCount; ++s) {
    WeightedSum sum;
    double queueing = 0.0;
    for (std::size_t i = 0; i < windows.size(); ++i) {
      const double weight = windows_[i].weight * windows[i].step_time_s.mean / step_time_s;
      sum.add(weight, windows[i].blame[s]);
      queueing += weight * windows[i].blame[s].mean * windows[i].queueing_share[s];
    }
    const Measured value = sum.value();
    bool present = false;
    for (const auto& study : studies_) {
      const LoadTotals& totals = study->run(0).totals();
      present = present || totals.queueing_s[s] + totals.service_s[s] > 0.0;
    }
    if (present || value.mean > 0.0) outcome.blame.push_back({static_cast<Stage>(s), value.mean, value.ci95, queueing});
  }
}

void Study::add_relief(Outcome& outcome) {
  const Metric* idle = outcome.find("gpu_idle_fraction");
  if (!options_.relief || idle == nullptr || idle->mean < 1e-4) return;
  if (interrupted_) {
    outcome.warnings.push_back("relief was not measured: the run ended early; --steps " +
                               std::to_string(outcome.steps) + " repeats it with relief");
    return;
  }
  if (options_.progress) options_.progress({0.9, 0.0, "relief", outcome.steps});
  outcome.relief =
      measure_relief(studies_, options_.seed, options_.contention,
                     [this](std::size_t tasks, const std::function<void(std::size_t)>& run) { parallel(tasks, run); });
  for (const StallReport& stall : outcome.rare_stalls) {  // they would go with their stage
    const auto found = std::find_if(outcome.relief.begin(), outcome.relief.end(),
                                    [&](const StageShare& share) { return share.stage == stall.stage; });
    if (found == outcome.relief.end()) continue;
    const double arm =
        stall.delay_ci95 && stall.delay_s > 0.0 ? stall.share * (stall.delay_ci95->high / stall.delay_s - 1.0) : 0.0;
    found->mean += stall.share;
    if (!found->ci95) continue;
    found->ci95 = Interval{found->ci95->low + stall.share - arm, found->ci95->high + stall.share + arm};
  }
  double largest = 0.0;
  for (const StageShare& share : outcome.relief) {
    if (share.mean <= largest) continue;
    largest = share.mean;
    outcome.binding = share.stage;
  }
}

void Study::add_load_times(Outcome& outcome) const {
  sim::Histogram load_time_ns;
  std::array<double, kStageCount> time_s{};
  std::array<double, kStageCount> queueing_s{};
  double throttled = 0.0;
  double elapsed_s = 0.0;
  for (const auto& study : studies_) {
    for (std::uint32_t r = 0; r < study->replications(); ++r) {
      const LoadTotals& totals = study->run(r).totals();
      load_time_ns.merge(totals.load_time_ns);
      for (std::size_t s = 0; s < kStageCount; ++s) {
        time_s[s] += totals.queueing_s[s] + totals.service_s[s];
        queueing_s[s] += totals.queueing_s[s];
      }
      throttled += static_cast<double>(totals.throttled_requests);
      const StepLog& log = study->run(r).log();
      const std::size_t from = std::min<std::size_t>(study->least_warm_up_steps(), log.steps());
      elapsed_s += sim::seconds(log.records.back().start_ns - log.records[from].start_ns);
    }
  }
  if (load_time_ns.count() == 0) return;
  const auto quantile_s = [&](double p) { return sim::seconds(load_time_ns.quantile_ns(p)); };
  outcome.batch_load_time = LoadTimeQuantiles{quantile_s(0.5), quantile_s(0.9), quantile_s(0.99), quantile_s(0.999)};
  double all_s = 0.0;
  for (const double stage_s : time_s) all_s += stage_s;
  const auto add = [&](const char* name, double mean) {
    outcome.metrics.push_back({name, mean, {}, {}, AnswerKind::simulated});
  };
  const double batches = static_cast<double>(load_time_ns.count());
  add("batch_load_time_s", all_s / batches);
  add("metadata_time_share", all_s > 0.0 ? time_s[index(Stage::metadata)] / all_s : 0.0);
  // A stage's queue stands before the busiest of its resources.
  std::array<StationReport*, kStageCount> busiest{};
  for (StationReport& station : outcome.stations) {
    StationReport*& first = busiest[index(station.stage)];
    if (first == nullptr || station.utilization > first->utilization) first = &station;
  }
  for (std::size_t s = 0; s < kStageCount; ++s)
    if (busiest[s] != nullptr) busiest[s]->queue_time_mean_s = queueing_s[s] / batches;
  add("throttled_requests_per_s", elapsed_s > 0.0 ? throttled / elapsed_s : 0.0);
}

/// Means over the epoch of what each law of stalls does.
void Study::add_stalls(double step_time_s, Outcome& outcome) const {
  for (std::size_t s = 0; s < stalls_.size(); ++s) {
    StallReport report;
    report.stage = stalls_[s].stage;
    report.per_operation = stalls_[s].per_operation;
    report.duration_s = stalls_[s].duration_s.mean();
    WeightedSum delay;
    for (std::size_t i = 0; i < studies_.size(); ++i) {
      const StallEffect& effect = studies_[i]->stalls()[s];
      report.stalled_steps += windows_[i].weight * effect.stalled_steps;
      report.share += windows_[i].weight * effect.stalled_steps * effect.delay_s.mean / step_time_s;
      delay.add(windows_[i].weight, effect.delay_s);
    }
    report.delay_s = delay.value().mean;
    report.delay_ci95 = delay.value().ci95;
    outcome.rare_stalls.push_back(report);
  }
}

/// Without the precision asked for, an idle share on both sides of the threshold decides nothing.
void Study::doubt(const Measured& idle, Outcome& outcome) {
  if (outcome.precision->met) return;
  if (outcome.stopped_by == "max_steps" && outcome.precision->reached)
    outcome.warnings.push_back(
        "the longest run did not reach the precision asked for; the intervals say how sure it is");
  const bool undecided = idle.ci95 && idle.ci95->low < kFedIdleFraction && idle.ci95->high > kFedIdleFraction;
  if (!undecided || outcome.verdict == Verdict::infeasible || outcome.verdict == Verdict::inconclusive) return;
  outcome.verdict = Verdict::inconclusive;
  outcome.warnings.push_back({"the idle share lies on both sides of 1 %, where a job stops being called fed",
                              "the run is too short to tell", "run longer: --steps, --max-wall, --precision"});
}

void Study::add_replications(Outcome& outcome) const {
  const auto add = [&outcome](const WindowStudy& study, std::optional<std::uint32_t> window) {
    for (std::uint32_t r = 0; r < study.replications(); ++r) {
      outcome.replications.push_back(study.report(r));
      outcome.replications.back().window = window;
    }
  };
  for (std::size_t i = 0; i < studies_.size(); ++i) add(*studies_[i], static_cast<std::uint32_t>(i));
  if (cold_) add(*cold_, std::nullopt);
}

Outcome Study::outcome() {
  Outcome outcome;
  outcome.seed = options_.seed;
  std::vector<WindowMeans> windows;
  bool enough = true;
  for (std::size_t i = 0; i < studies_.size(); ++i) {
    windows.push_back(studies_[i]->means());
    const WindowMeans& means = windows.back();
    enough = enough && means.enough_data;
    outcome.windows.push_back({windows_[i].position, windows_[i].weight, windows_[i].hit_ratio, means.step_time_s.mean,
                               means.warm_up_steps, means.measured_steps,
                               options_.control ? means.control : "switched off", means.variance_cut});
    outcome.steps = std::max(outcome.steps, studies_[i]->most_steps());
    if (!means.enough_data)
      outcome.warnings.push_back("not enough data for an interval: " + std::string(means.reason) +
                                 "; run longer (--steps, --max-wall) or lower the noise");
  }
  add_replications(outcome);
  for (std::size_t i = 0; i < studies_.size(); ++i) {
    if (meets_enough_stalls(windows_[i], windows[i].measured_steps)) continue;
    enough = false;
    outcome.warnings.push_back({"the run is too short for its rare stalls: fewer than fifty of them can be expected",
                                "a latency has a rare, far longer part, which comes too often to be measured apart",
                                "run longer: --steps, --replications"});
    break;
  }
  bool all_precise = true;
  for (const WindowMeans& means : windows) all_precise = all_precise && precise(means);
  outcome.stopped_by = options_.stop.stop_requested() ? "interrupted"
                       : interrupted_                 ? "max_wall"
                       : options_.steps > 0           ? "steps"
                       : all_precise                  ? "precision"
                                                      : "max_steps";
  const EpochMeans means = epoch_means(windows);
  outcome.precision = precision_of(means.step_time_s, means.idle_fraction, enough);
  assemble(scenario_, windows_, means, enough, outcome);
  doubt(means.idle_fraction, outcome);
  add_load_times(outcome);
  add_stalls(means.step_time_s.mean, outcome);
  add_blame(windows, means.step_time_s.mean, outcome);
  add_relief(outcome);
  add_interruptions(scenario_, outcome);
  return outcome;
}

}  // namespace

Outcome simulate(const Scenario& scenario, const StudyOptions& options) { return Study(scenario, options).run(); }

}  // namespace headrace::models
