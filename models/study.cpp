#include "models/study.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "models/abandoned.hpp"
#include "models/cluster_outcome.hpp"
#include "models/cluster_plan.hpp"
#include "models/fault_course.hpp"
#include "models/interruptions.hpp"
#include "models/lockstep.hpp"
#include "models/merged_batches.hpp"
#include "models/outcome_assembly.hpp"
#include "models/over_time.hpp"
#include "models/relief.hpp"
#include "models/task_pool.hpp"
#include "models/tier_metrics.hpp"
#include "models/tier_path.hpp"
#include "models/unused_inputs.hpp"
#include "models/window_study.hpp"
#include "sim/sequential_stop.hpp"

namespace headrace::models {

namespace {

using Clock = std::chrono::steady_clock;

std::uint32_t loaders_of(const ClusterPlan& plan) {
  std::uint32_t loaders = 0;
  for (const JobPlace& place : plan.jobs) loaders += place.path.loaders;
  return loaders;
}

/// Steps at the first look and at most, by size of the jobs: a large barrier averages over many loaders in each step,
/// so that half a million batches are enough for a first look.
sim::StopRule stop_rule(const ClusterPlan& plan) {
  const std::uint32_t loaders = loaders_of(plan);
  sim::StopRule rule;
  rule.minimum_steps = 2048;
  while (rule.minimum_steps > 512 && rule.minimum_steps / 2 * loaders >= 500'000) rule.minimum_steps /= 2;
  for (const JobPlace& place : plan.jobs)
    while (rule.minimum_steps < static_cast<std::int64_t>(10ULL * place.path.outstanding)) rule.minimum_steps *= 2;
  rule.maximum_steps = std::max<std::int64_t>(rule.minimum_steps, loaders >= 1000 ? 16384 : 262144);
  return rule;
}

constexpr std::uint64_t kStrideLoads = 65536;  ///< batches of one run between looks at the clock

/// A job, or one of its copies, in all windows of its epoch.
struct JobStudy {
  std::size_t job = 0;               ///< index in the scenario
  std::vector<EpochWindow> windows;  ///< position by position, in each of them the states of slow background load
  std::vector<std::unique_ptr<WindowStudy>> studies;
  std::unique_ptr<WindowStudy> cold;
  std::vector<RareStall> stalls;  ///< that the runs go without
  std::vector<RareStall> seldom;  ///< that they have, though not often
};

/// What the logs of a job say in the end.
struct JobMeans {
  std::vector<WindowMeans> windows;
  EpochMeans epoch;
};

/// The rounds of one study.
///
/// Several jobs are run together in as many windows as the job with most of them has; others meet their own windows in
/// turn, each with its weight shared out.
class Study {
 public:
  Study(const Scenario& scenario, const StudyOptions& options)
      : scenario_(scenario), options_(options), pool_(options.threads) {
    ClusterPlan plan = plan_cluster(scenario, options.granularity);
    const bool alone = plan.jobs.size() == 1 && plan.background.empty();
    for (JobPlace& place : plan.jobs) jobs_.push_back(look_at(place, alone));
    make_windows(plan);
    rule_ = stop_rule(plan);
    for (const JobStudy& job : jobs_)
      for (std::size_t w = 0; w < job.windows.size(); ++w)
        while (rule_.minimum_steps < rule_.maximum_steps &&
               !meets_enough_stalls(job, w, static_cast<std::uint64_t>(rule_.minimum_steps)))
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
  /// Takes what is too rare to wait for out of the laws of a job that is alone.
  JobStudy look_at(JobPlace& place, bool alone) const {
    JobStudy job;
    job.job = place.job;
    IngestPath without = place.path;
    RareStalls rare = take_rare_stalls(without);
    if (alone) {
      place.path = without;
      job.stalls = std::move(rare.taken);
      job.seldom = std::move(rare.left);
    } else {
      job.seldom = std::move(rare.taken);
      job.seldom.insert(job.seldom.end(), rare.left.begin(), rare.left.end());
    }
    job.windows = epoch_windows(scenario_, place.job, options_.seed);
    return job;
  }

  void make_windows(ClusterPlan& plan) {
    std::size_t windows = 0;
    bool warm = false;
    for (const JobStudy& job : jobs_) {
      windows = std::max(windows, job.windows.size());
      for (const EpochWindow& window : job.windows) warm = warm || window.hit_ratio + window.tiers.read() > 0.0;
    }
    states_ = take_slow_states(plan, scenario_.background.size());
    for (JobStudy& job : jobs_) share_out(job.windows, windows, states_);
    for (std::size_t w = 0; w < windows * states_.size(); ++w) {
      for (std::size_t i = 0; i < jobs_.size(); ++i) enter_window(plan, i, jobs_[i].windows[w]);
      runs_.push_back(make_runs(in_state(plan, states_[w % states_.size()])));
      for (std::size_t i = 0; i < jobs_.size(); ++i)
        jobs_[i].studies.push_back(
            std::make_unique<WindowStudy>(*runs_.back(), i, jobs_[i].windows[w], options_.contention));
    }
    // The first epoch finds other caches: a window of its own that no epoch mean counts, in the likeliest state.
    std::vector<EpochWindow> first;
    bool differs = false;
    for (const JobStudy& job : jobs_) {
      const std::optional<EpochWindow> own = first_epoch_window(scenario_, job.job);
      differs = differs || own.has_value();
      first.push_back(own.value_or(mean_window(job.windows)));
      first.back().weight = 0.0;
    }
    if (!warm || !differs) return;
    for (std::size_t i = 0; i < jobs_.size(); ++i) enter_window(plan, i, first[i]);
    const auto likeliest = std::max_element(states_.begin(), states_.end(),
                                            [](const LoadState& a, const LoadState& b) { return a.share < b.share; });
    runs_.push_back(make_runs(in_state(plan, *likeliest)));
    for (std::size_t i = 0; i < jobs_.size(); ++i)
      jobs_[i].cold = std::make_unique<WindowStudy>(*runs_.back(), i, first[i], options_.contention);
  }

  /// As many windows as `count`: the job's own in turn, each with an equal part of its weight; and each once for every
  /// state.
  static void share_out(std::vector<EpochWindow>& windows, std::size_t count, const std::vector<LoadState>& states) {
    const std::vector<EpochWindow> own = windows;
    windows.clear();
    for (std::size_t w = 0; w < count; ++w) {
      EpochWindow window = own[w % own.size()];
      const std::size_t times = count / own.size() + (w % own.size() < count % own.size() ? 1 : 0);
      if (times > 1) window.weight /= static_cast<double>(times);
      for (const LoadState& state : states) {
        windows.push_back(window);
        windows.back().weight *= state.share;
      }
    }
  }

  /// States hold shares of time, windows shares of steps: where steps take longer there are fewer of them.
  void weigh_states(JobStudy& job, const std::vector<WindowMeans>& means) const {
    const std::size_t states = states_.size();
    for (std::size_t first = 0; states > 1 && first < job.windows.size(); first += states) {
      double weight = 0.0;
      double steps = 0.0;
      for (std::size_t i = first; i < first + states; ++i) {
        weight += job.windows[i].weight;
        steps += states_[i - first].share / means[i].step_time_s.mean;
      }
      for (std::size_t i = first; i < first + states; ++i)
        job.windows[i].weight = weight * states_[i - first].share / means[i].step_time_s.mean / steps;
      for (std::size_t i = first; i < first + states; ++i) job.studies[i]->weigh(job.windows[i].weight);
    }
  }

  std::unique_ptr<WindowRuns> make_runs(const ClusterPlan& plan) const {
    return std::make_unique<WindowRuns>(plan, options_.seed, options_.first_replication, options_.replications,
                                        options_.contention, options_.abandon);
  }

  /// Of every job: its windows, then its first epoch.
  std::vector<WindowStudy*> all_studies() const {
    std::vector<WindowStudy*> all;
    for (const JobStudy& job : jobs_) {
      for (const auto& study : job.studies) all.push_back(study.get());
      if (job.cold) all.push_back(job.cold.get());
    }
    return all;
  }

  void parallel(std::size_t tasks, const std::function<void(std::size_t)>& run) { pool_.run(tasks, run); }

  bool out_of_time() const {
    end_if_abandoned(options_.abandon);
    if (options_.stop.stop_requested()) return true;
    return options_.max_wall_s > 0.0 &&
           std::chrono::duration<double>(Clock::now() - begin_).count() > options_.max_wall_s;
  }

  /// Runs every unfinished window and replication on to `steps`, all in the same small strides, so that a limit on wall
  /// time finds them at the same length and --steps repeats the result.
  void run_round(std::uint64_t steps) {
    struct Task {
      WindowRuns* runs;
      std::uint32_t replication;
    };
    std::vector<Task> tasks;
    for (const auto& runs : runs_)
      for (std::uint32_t r = 0; r < runs->replications(); ++r)
        if (!is_done(*runs)) tasks.push_back({runs.get(), r});
    const std::uint64_t stride = std::max<std::uint64_t>(16, kStrideLoads / loaders_of(runs_.front()->plan()));
    while (steps_done_ < steps && !interrupted_) {
      steps_done_ = std::min(steps, steps_done_ + stride);
      parallel(tasks.size(), [&](std::size_t i) { tasks[i].runs->run_to(tasks[i].replication, steps_done_); });
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
      forgive(left);
      for (WindowStudy* study : all_studies())
        if (!is_done(*study) && (last || std::find(left.begin(), left.end(), study) == left.end()))
          done_.push_back(study);
      if (last || left.empty() || interrupted_) return;
      steps = static_cast<std::uint64_t>(sim::next_look(static_cast<std::int64_t>(steps), rule_));
    }
  }

  /// Among many copies of a job some fail a test of reliability by chance: up to a tenth of them is forgiven.
  void forgive(std::vector<WindowStudy*>& left) const {
    std::map<std::pair<const WindowRuns*, std::size_t>, std::uint64_t> unfinished;
    const auto group = [&](const WindowStudy& study) {
      return std::pair(&study.runs(), study.runs().plan().jobs[study.place()].job);
    };
    for (const WindowStudy* study : left) ++unfinished[group(*study)];
    std::erase_if(left, [&](const WindowStudy* study) {
      const auto key = group(*study);
      return unfinished[key] <= scenario_.jobs[key.second].copies / kForgivenShare;
    });
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

  /// What the stalls cost that the runs of a lone job go without: a pair of short runs for each law and window.
  void measure_stalls() {
    const std::vector<RareStall>& stalls = jobs_.front().stalls;
    const std::vector<WindowStudy*> studies = all_studies();
    std::vector<StallEffect> effects(studies.size() * stalls.size());
    parallel(effects.size(), [&](std::size_t i) {
      const WindowStudy& study = *studies[i / stalls.size()];
      const double target_s = 0.3 * options_.precision * study.means().step_time_s.mean;
      effects[i] = measure_stall(study.path(), stalls[i % stalls.size()], options_.seed, options_.first_replication,
                                 options_.contention, target_s, options_.abandon);
    });
    for (std::size_t i = 0; i < effects.size(); ++i) studies[i / stalls.size()]->add_stall(effects[i]);
  }

  /// Whether a run of so many steps can be expected to meet fifty stalls of every law that it draws from.
  static bool meets_enough_stalls(const JobStudy& job, std::size_t window, std::uint64_t steps) {
    constexpr double kEnough = 50.0;
    const IngestPath& path = job.studies[window]->path();
    return std::all_of(job.seldom.begin(), job.seldom.end(), [&](const RareStall& stall) {
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
  /// No job needs more of this window.
  bool is_done(const WindowRuns& runs) const {
    const std::vector<WindowStudy*> all = all_studies();
    return std::all_of(all.begin(), all.end(),
                       [&](const WindowStudy* study) { return &study->runs() != &runs || is_done(*study); });
  }

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
    report.enough_data = enough_data;
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
  Outcome outcome_of(const JobStudy& job, const JobMeans& job_means, const std::vector<StageShare>& relief) const;
  std::vector<std::vector<StageShare>> relief(double idle_fraction);
  EpochMeans epoch_means(const JobStudy& job, const std::vector<WindowMeans>& windows) const;
  static void add_blame(const JobStudy& job, const std::vector<WindowMeans>& windows, double step_time_s,
                        Outcome& outcome);
  static void add_relief(std::vector<StageShare> relief, Outcome& outcome);
  static void add_load_times(const JobStudy& job, Outcome& outcome);
  void add_replications(const JobStudy& job, Outcome& outcome) const;
  static void add_stalls(const JobStudy& job, double step_time_s, Outcome& outcome);
  static void doubt(const Measured& idle, Outcome& outcome);
  std::vector<LoadReport> background_loads() const;

  const Scenario& scenario_;
  const StudyOptions& options_;
  TaskPool pool_;
  std::vector<JobStudy> jobs_;
  std::vector<LoadState> states_;
  std::vector<std::unique_ptr<WindowRuns>> runs_;  ///< by window, the cold one last
  std::vector<const WindowStudy*> done_;
  sim::StopRule rule_;
  std::uint64_t steps_done_ = 0;
  bool interrupted_ = false;
  Clock::time_point begin_ = Clock::now();
};

/// Weighted sum over windows. They see the same draws, so that their errors go together: arms add up, as they would if
/// all windows were off the same way.
class WeightedSum {
 public:
  void add(double weight, const Measured& value) {
    mean_ += weight * value.mean;
    complete_ = complete_ && value.ci95.has_value();
    if (!value.ci95) return;
    low_ += weight * (value.mean - value.ci95->low);
    high_ += weight * (value.ci95->high - value.mean);
  }
  Measured value() const {
    Measured result{mean_, std::nullopt};
    if (complete_) result.ci95 = Interval{mean_ - low_, mean_ + high_};
    return result;
  }

 private:
  double mean_ = 0.0;
  double low_ = 0.0;
  double high_ = 0.0;
  bool complete_ = true;
};

EpochMeans Study::epoch_means(const JobStudy& job, const std::vector<WindowMeans>& windows) const {
  EpochMeans epoch;
  epoch.kind = AnswerKind::simulated;
  WeightedSum step;
  for (std::size_t i = 0; i < windows.size(); ++i) step.add(job.windows[i].weight, windows[i].step_time_s);
  epoch.step_time_s = step.value();
  // A share of the epoch weighs each window by its time, not by its steps.
  WeightedSum idle;
  WeightedSum busy;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const double weight = job.windows[i].weight * windows[i].step_time_s.mean / epoch.step_time_s.mean;
    idle.add(weight, windows[i].idle_fraction);
    busy.add(weight, windows[i].utilization);
    for (std::size_t s = 0; s < kGpuStateCount; ++s) epoch.state_s[s] += job.windows[i].weight * windows[i].state_s[s];
  }
  epoch.idle_fraction = idle.value();
  epoch.utilization = busy.value();
  const WindowStudy& first = job.cold ? *job.cold : *job.studies.front();
  epoch.time_to_first_step_s =
      staging_time_s(scenario_, job.job) + sim::seconds(first.run(0).log().records.front().start_ns);
  epoch.first_epoch_step_time_s = job.cold ? job.cold->means().step_time_s : epoch.step_time_s;
  return epoch;
}

void Study::add_blame(const JobStudy& job, const std::vector<WindowMeans>& windows, double step_time_s,
                      Outcome& outcome) {
  for (std::size_t s = 0; s < kStageCount; ++s) {
    WeightedSum sum;
    double queueing = 0.0;
    for (std::size_t i = 0; i < windows.size(); ++i) {
      const double weight = job.windows[i].weight * windows[i].step_time_s.mean / step_time_s;
      sum.add(weight, windows[i].blame[s]);
      queueing += weight * windows[i].blame[s].mean * windows[i].queueing_share[s];
    }
    const Measured value = sum.value();
    bool present = false;
    for (const auto& study : job.studies) {
      const LoadTotals& totals = study->run(0).totals();
      present = present || totals.queueing_s[s] + totals.service_s[s] > 0.0;
    }
    if (present || value.mean > 0.0) outcome.blame.push_back({static_cast<Stage>(s), value.mean, value.ci95, queueing});
  }
}

/// By job; empty where no GPU waits or relief was not asked for.
std::vector<std::vector<StageShare>> Study::relief(double idle_fraction) {
  if (!options_.relief || idle_fraction < 1e-4 || interrupted_) return {};
  if (options_.progress) options_.progress({0.9, 0.0, "relief", steps_done_});
  std::vector<std::vector<const WindowStudy*>> windows(jobs_.front().studies.size());
  for (std::size_t w = 0; w < windows.size(); ++w)
    for (const JobStudy& job : jobs_) windows[w].push_back(job.studies[w].get());
  return measure_relief(
      windows, options_.contention,
      [this](std::size_t tasks, const std::function<void(std::size_t)>& run) { parallel(tasks, run); });
}

void Study::add_relief(std::vector<StageShare> relief, Outcome& outcome) {
  outcome.relief = std::move(relief);
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

void Study::add_load_times(const JobStudy& job, Outcome& outcome) {
  sim::Histogram load_time_ns;
  std::array<double, kStageCount> time_s{};
  std::array<double, kStageCount> queueing_s{};
  double throttled = 0.0;
  double elapsed_s = 0.0;
  for (const auto& study : job.studies) {
    for (std::uint32_t r = 0; r < study->replications(); ++r) {
      const LoadTotals& totals = study->run(r).totals();
      load_time_ns.merge(totals.load_time_ns);
      for (std::size_t s = 0; s < kStageCount; ++s) {
        time_s[s] += totals.queueing_s[s] + totals.service_s[s];
        queueing_s[s] += totals.queueing_s[s];
      }
      throttled += static_cast<double>(totals.throttled_requests);
      const StepLog& log = study->run(r).log();
      const std::size_t from = std::min<std::size_t>(totals.from_step, log.steps() - 1);
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
void Study::add_stalls(const JobStudy& job, double step_time_s, Outcome& outcome) {
  for (std::size_t s = 0; s < job.stalls.size(); ++s) {
    StallReport report;
    report.stage = job.stalls[s].stage;
    report.per_operation = job.stalls[s].per_operation;
    report.duration_s = job.stalls[s].duration_s.mean();
    WeightedSum delay;
    for (std::size_t i = 0; i < job.studies.size(); ++i) {
      const StallEffect& effect = job.studies[i]->stalls()[s];
      report.stalled_steps += job.windows[i].weight * effect.stalled_steps;
      report.share += job.windows[i].weight * effect.stalled_steps * effect.delay_s.mean / step_time_s;
      delay.add(job.windows[i].weight, effect.delay_s);
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

void Study::add_replications(const JobStudy& job, Outcome& outcome) const {
  const auto add = [&](const WindowStudy& study, std::optional<std::uint32_t> window) {
    for (std::uint32_t r = 0; r < study.replications(); ++r) {
      outcome.replications.push_back(study.report(r));
      outcome.replications.back().window = window;
      if (options_.keep_series)
        outcome.replications.back().series = step_series(study.run(r).log(), study.path().loaders);
    }
  };
  for (std::size_t i = 0; i < job.studies.size(); ++i) add(*job.studies[i], static_cast<std::uint32_t>(i));
  if (job.cold) add(*job.cold, std::nullopt);
}

Outcome Study::outcome_of(const JobStudy& job, const JobMeans& job_means, const std::vector<StageShare>& relief) const {
  Outcome outcome;
  outcome.seed = options_.seed;
  const std::vector<WindowMeans>& windows = job_means.windows;
  bool enough = true;
  for (std::size_t i = 0; i < job.studies.size(); ++i) {
    const WindowMeans& means = windows[i];
    enough = enough && means.enough_data;
    outcome.windows.push_back({job.windows[i].position, job.windows[i].weight, job.windows[i].hit_ratio,
                               means.step_time_s.mean, means.warm_up_steps, means.measured_steps,
                               options_.control ? means.control : "switched off", means.variance_cut});
    outcome.steps = std::max(outcome.steps, job.studies[i]->most_steps());
    if (!means.enough_data)
      outcome.warnings.push_back("not enough data for an interval: " + std::string(means.reason) +
                                 "; run longer (--steps, --max-wall) or lower the noise");
  }
  add_replications(job, outcome);
  for (std::size_t i = 0; i < job.studies.size(); ++i) {
    if (meets_enough_stalls(job, i, windows[i].measured_steps)) continue;
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
  const EpochMeans& means = job_means.epoch;
  outcome.precision = precision_of(means.step_time_s, means.idle_fraction, enough);
  const Scenario alone = job_alone(scenario_, job.job);
  assemble(alone, job.windows, means, enough, outcome);
  doubt(means.idle_fraction, outcome);
  add_load_times(job, outcome);
  const IngestPath path = resolve_path(alone, 0, options_.granularity);
  warn_of_merged_batches(path, outcome);
  if (!is_shared(scenario_)) warn_of_lockstep(path, outcome);
  add_stalls(job, means.step_time_s.mean, outcome);
  add_blame(job, windows, means.step_time_s.mean, outcome);
  if (interrupted_ && options_.relief && means.idle_fraction.mean >= 1e-4)
    outcome.warnings.push_back("relief was not measured: the run ended early; --steps " +
                               std::to_string(outcome.steps) + " repeats it with relief");
  add_relief(relief, outcome);
  add_interruptions(alone, outcome);
  return outcome;
}

Outcome Study::outcome() {
  std::vector<JobMeans> means;
  double idle_fraction = 0.0;  // of the job that waits most
  for (JobStudy& job : jobs_) {
    JobMeans& of_job = means.emplace_back();
    for (const auto& study : job.studies) of_job.windows.push_back(study->means());
    weigh_states(job, of_job.windows);
    of_job.epoch = epoch_means(job, of_job.windows);
    idle_fraction = std::max(idle_fraction, of_job.epoch.idle_fraction.mean);
  }
  const std::vector<std::vector<StageShare>> all_relief = relief(idle_fraction);
  std::vector<JobOutcome> outcomes;
  for (std::size_t i = 0; i < jobs_.size(); ++i)
    outcomes.push_back(
        {jobs_[i].job, outcome_of(jobs_[i], means[i], all_relief.empty() ? std::vector<StageShare>{} : all_relief[i])});
  if (!is_shared(scenario_)) return std::move(outcomes.front().outcome);
  return merge_jobs(scenario_, background_loads(), std::move(outcomes));
}

/// What the background load got in the windows of the epoch, mean over windows and replications.
std::vector<LoadReport> Study::background_loads() const {
  std::vector<LoadReport> loads = loads_asked(scenario_);
  if (!options_.contention) return loads;
  const std::size_t windows = jobs_.front().studies.size();
  for (LoadReport& load : loads) load.served_bytes_per_s = 0.0;
  for (std::size_t w = 0; w < windows; ++w) {
    const double share = states_[w % states_.size()].share * static_cast<double>(states_.size()) /
                         static_cast<double>(windows * options_.replications);
    for (std::uint32_t r = 0; r < runs_[w]->replications(); ++r)
      for (const auto& run : runs_[w]->run(r).background())
        *loads[run->plan().load].served_bytes_per_s += share * run->bytes_per_s();
  }
  return loads;
}

}  // namespace

Outcome simulate(const Scenario& scenario, const StudyOptions& options) {
  Outcome outcome = over_time(scenario, [&options](const Scenario& state) { return Study(state, options).run(); });
  if (options.courses) add_fault_courses(scenario, options.seed, outcome);
  warn_of_unused_inputs(scenario, outcome);
  return outcome;
}

}  // namespace headrace::models
