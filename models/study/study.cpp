#include "models/study/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

#include "models/answer/flow_bound.hpp"
#include "models/base/abandoned.hpp"
#include "models/base/deadline.hpp"
#include "models/base/task_pool.hpp"
#include "models/interruptions/fault_course.hpp"
#include "models/interruptions/over_time.hpp"
#include "models/outcome/cluster_outcome.hpp"
#include "models/outcome/input_warnings.hpp"
#include "models/outcome/machine_room.hpp"
#include "models/outcome/outcome_metrics.hpp"
#include "models/study/budget.hpp"
#include "models/study/followed_study.hpp"
#include "models/study/granularity_choice.hpp"
#include "models/study/job_outcome.hpp"
#include "models/study/job_study.hpp"
#include "models/study/looks.hpp"
#include "models/study/other_starts.hpp"
#include "models/study/relief.hpp"

namespace headrace::models {

namespace {

/// The most steps of a run: 16.8 million batches, which take about a quarter of a minute, as a power of two between
/// 16,384, which large clusters need for their slow starts, and 262,144.
std::uint64_t most_steps(std::uint32_t loaders) {
  constexpr std::uint64_t kMostBatches = std::uint64_t{1} << 24U;
  const std::uint64_t steps = std::bit_floor(kMostBatches / std::max<std::uint64_t>(1, loaders));
  return std::clamp<std::uint64_t>(steps, 16384, 262144);
}

/// Steps at the first look and at most, by size of the jobs: a large barrier averages over many loaders in each step,
/// so that half a million batches are enough for a first look. Long enough for the batches in flight and for rare
/// stalls.
LookLengths look_lengths(const StudyJobs& all) {
  const WindowRuns& runs = all.sampler.window(0);
  const std::uint32_t loaders = runs.ranks();
  LookLengths looks;
  while (looks.first_steps > 512 && looks.first_steps / 2 * loaders >= 500'000) looks.first_steps /= 2;
  while (looks.first_steps < 2 * runs.least_warm_up_steps()) looks.first_steps *= 2;
  looks.last_steps = std::max(looks.first_steps, most_steps(loaders));
  for (const JobStudy& job : all.jobs)
    for (std::size_t w = 0; w < job.windows.size(); ++w)
      while (looks.first_steps < looks.last_steps && !job.meets_enough_stalls(w, looks.first_steps))
        looks.first_steps *= 2;
  return looks;
}

/// Of short runs together, which take about a second.
constexpr std::uint64_t kQuickBatches = std::uint64_t{1} << 21U;

/// Whether some nodes are to stand for all, where they do.
bool is_sampled(const Scenario& scenario, const StudyOptions& options, Granularity granularity) {
  if (options.scale != Scale::automatic) return options.scale == Scale::sampled;
  if (options.steps > 0 || is_shared(scenario)) return false;
  return resolve_path(scenario, 0, granularity).loaders >= kManyRanks;
}

/// Share of the time from which a window of sampled nodes waits for something.
constexpr double kLeastWait = 1e-3;
/// The longest full run that a sample is held against, over the shortest.
constexpr std::uint64_t kMostScaleLooks = 4;

/// First looks for which a run goes on only because its steps still drift.
constexpr std::uint64_t kSettlingLooks = 4;
/// One copy of a job in so many may seem to drift.
constexpr std::uint64_t kDriftingShare = 3;

/// A scenario in which nothing changes over time.
class Study {
 public:
  Study(const Scenario& scenario, const StudyOptions& options, Granularity granularity)
      : scenario_(scenario),
        options_(options),
        granularity_(granularity),
        pool_(options.threads),
        budget_(options),
        all_(scenario, granularity,
             {options.seed, options.first_replication, options.replications, options.contention,
              is_sampled(scenario, options, granularity) ? options.sampled_nodes : 0, options.abandon,
              options.rough_intervals, options.first_epoch}),
        looks_(look_lengths(all_)) {}

  GranularityChoice choose() const {
    return choose_granularity(all_.jobs.front().longest_window().whole_path(), options_.seed, options_.abandon);
  }
  /// What was chosen, for the outcome to say.
  void set_choice(const GranularityChoice& choice) { choice_ = choice; }

  /// To the length or the precision of the options.
  Outcome run() {
    done_.clear();
    if (all_.sampler.replications() > options_.replications) all_.sampler.set_replications(options_.replications);
    for (WindowStudy* study : all_.all_windows()) study->set_stalls({});  // which an earlier run may have measured
    if (options_.steps > 0) {
      run_round(options_.steps);
      control(all_.all_windows(), true);
    } else {
      run_until_precise();
      look_at_other_starts();
    }
    if (cut_short_)  // where a clock ended the run, nothing may depend on what it left time for
      for (WindowStudy* study : all_.all_windows()) study->use_control(false);
    if (all_.sample && options_.check_sample) check_scale();
    if (!scale_refusal_.empty()) return {};
    measure_stalls();
    return outcome();
  }
  /// Why the sample of the last run does not stand for all nodes; empty if it does.
  const std::string& scale_refusal() const { return scale_refusal_; }
  /// What is known after a run, with what the removal of each stage would gain.
  Outcome relieved() {
    const bool relief = std::exchange(options_.relief, true);
    Outcome now = outcome();
    options_.relief = relief;
    return now;
  }
  StudyOptions& options() { return options_; }
  /// Limits the next run alone, from now on; 0: no limit of its own.
  void limit_run(double wall_s) { run_budget_ = Budget(wall_s, {}); }
  std::uint64_t loaders() const {
    std::uint64_t loaders = 0;
    for (std::size_t w = 0; w < all_.sampler.windows(); ++w) loaders += all_.sampler.window(w).loaders();
    return loaders * options_.replications;
  }
  /// Who is told what is known after a look that leaves the precision open.
  void follow(const FollowedStudy::Look& look) { look_ = look; }

 private:
  bool out_of_time() const {
    end_if_abandoned(options_.abandon);
    return budget_.is_spent() || run_budget_.is_spent();
  }

  /// Runs every unfinished window on to `steps`.
  void run_round(std::uint64_t steps) {
    all_.sampler.run_to(
        steps, pool_, [this](const WindowRuns& runs) { return !is_done(runs); },
        [&](std::uint64_t done) {
          steps_done_ = done;
          report_progress(steps);
          cut_short_ = out_of_time();
          return !cut_short_;
        });
    if (!cut_short_) steps_done_ = steps;  // also where an earlier run went that far
  }

  /// Decisions fall at the end of a round, in the order of the windows. A window that an earlier run left longer than
  /// the round was looked at then, for less precision than now: it waits for its own length.
  void run_until_precise() {
    std::uint64_t steps = looks_.after(0);
    const std::string end = look_until_decided(budget_, UINT64_MAX, [&] {
      run_round(steps);
      if (cut_short_) return Look::cut_short;
      const bool last = steps >= looks_.last_steps;
      std::vector<WindowStudy*> unfinished;
      bool ahead = false;
      for (WindowStudy* study : all_.all_windows()) {
        if (is_done(*study)) continue;
        if (study->runs().steps() > steps)
          ahead = true;
        else
          unfinished.push_back(study);
      }
      std::vector<WindowStudy*> left = control(unfinished, last);
      drop_small_rest(left);
      for (WindowStudy* study : unfinished)
        if (last || std::find(left.begin(), left.end(), study) == left.end()) done_.push_back(study);
      if (cut_short_) return Look::cut_short;
      if (left.empty() && !ahead) return Look::decided;
      if (look_ && !last) look_(provisional());
      steps = looks_.after(steps);
      return last ? Look::last : Look::open;
    });
    cut_short_ = !end.empty() && end != "decided";
  }

  /// Whether another start may make a difference, and there is a single run to tell by.
  bool wants_other_starts() const {
    if (cut_short_ || options_.replications > 1 || !options_.other_starts || options_.verdict_by_means) return false;
    if (is_shared(scenario_)) return false;
    const std::vector<WindowStudy*> studies = all_.all_windows();
    return std::any_of(studies.begin(), studies.end(),
                       [](const WindowStudy* study) { return may_depend_on_start(*study); });
  }

  /// Another start, to the lengths of the first run, and two short ones. Where one of them lies elsewhere, four count,
  /// if there is memory and time for them.
  void look_at_other_starts() {
    if (!wants_other_starts()) return;
    std::map<std::uint64_t, std::vector<const WindowRuns*>> by_length;
    for (std::size_t w = 0; w < all_.sampler.windows(); ++w)
      by_length[all_.sampler.window(w).steps()].push_back(&all_.sampler.window(w));
    const std::vector<WindowStudy*> studies = all_.all_windows();
    const auto second_differs = [](const WindowStudy* study) {
      return differ_by_start(study->means_of(0).step_time_s, study->means_of(1).step_time_s);
    };
    const bool differ = run_starts(2, by_length) && (std::any_of(studies.begin(), studies.end(), second_differs) ||
                                                     short_runs_differ(by_length.rbegin()->first));
    if (!differ) all_.sampler.set_replications(1);
    if (differ && !run_starts(kOtherStarts, by_length)) all_.sampler.set_replications(2);
    for (WindowStudy* study : studies)
      if (differ) study->use_control(false);
    cut_short_ = false;  // what the clock ended was not a run that counts
  }

  /// Whether a third or a fourth start, each for about half a second, lies elsewhere than the first. Not looked at
  /// where so little tells nothing.
  bool short_runs_differ(std::uint64_t longest) {
    const std::uint64_t steps =
        std::min(longest, kQuickBatches / (kOtherStarts - 2) / std::max<std::uint64_t>(1, loaders()));
    if (steps < std::min(longest, looks_.first_steps)) return false;
    StudyOptions lean = options_;
    lean.first_replication += 2;
    lean.replications = kOtherStarts - 2;
    lean.progress = {};
    budget_.limit(lean);
    Study others(scenario_, lean, granularity_);
    others.run_round(steps);
    if (others.cut_short_) return false;
    const std::vector<WindowStudy*> own = all_.all_windows();
    const std::vector<WindowStudy*> theirs = others.all_.all_windows();
    for (std::size_t w = 0; w < own.size(); ++w)
      for (std::uint32_t r = 0; r < lean.replications; ++r)
        if (differ_by_start(own[w]->means_of(0).step_time_s, theirs[w]->means_of(r).step_time_s)) return true;
    return false;
  }

  /// Runs so many replications of every window to its length; false if there was no memory or time for it.
  bool run_starts(std::uint32_t count, const std::map<std::uint64_t, std::vector<const WindowRuns*>>& by_length) {
    if (!all_.sampler.set_replications(count)) return false;
    for (const auto& length : by_length) {
      const std::vector<const WindowRuns*>& windows = length.second;
      all_.sampler.run_to(
          length.first, pool_,
          [&](const WindowRuns& runs) { return std::find(windows.begin(), windows.end(), &runs) != windows.end(); },
          [&](std::uint64_t done) {
            if (options_.progress) options_.progress({0.9, 0.0, "other starts", done});
            cut_short_ = out_of_time();
            return !cut_short_;
          });
      if (cut_short_) return false;
    }
    return true;
  }

  /// Holds the sample against some steps of all nodes: in every window in which steps wait, from its warm-up on until
  /// the interval with what they differ by is narrow enough, and in the longest window if no step waits.
  void check_scale() {
    std::vector<WindowStudy*> left;
    for (WindowStudy* study : all_.all_windows()) {
      study->use_difference(std::nullopt);
      if (study->means().idle_fraction.mean >= kLeastWait) left.push_back(study);
    }
    const bool waits = !left.empty();
    if (!waits) left.push_back(all_.jobs.front().studies[all_.jobs.front().longest()].get());
    const std::vector<WindowStudy*> checked = left;
    const WindowStudy& first = *left.front();
    const std::uint64_t from = waits ? first.least_warm_up_steps() : first.path().outstanding;
    const std::uint64_t least = ScaleCheck::least_steps(first.path());
    for (std::uint64_t steps = least; steps <= kMostScaleLooks * least && !left.empty() && !cut_short_; steps *= 2) {
      if (std::any_of(left.begin(), left.end(),
                      [&](const WindowStudy* study) { return study->runs().steps() < from + steps; }))
        break;
      run_scale_checks(left, from + steps);
      if (cut_short_) break;  // some have not come so far
      for (WindowStudy* study : left) study->use_difference(study->scale_difference(from));
      std::erase_if(left, [this](const WindowStudy* study) { return precision(study->means()).met; });
    }
    if (!cut_short_ && first.steps_checked() == 0) {
      scale_refusal_ = "the run is too short to hold a sample against a run of all nodes";
      return;
    }
    report_scale(checked, from);
    if (cut_short_) return;
    WindowStudy& begin = all_.jobs.front().first_window();
    if (begin.steps_checked() == 0) run_scale_checks({&begin}, 1);  // for the time to the first step
  }

  void run_scale_checks(const std::vector<WindowStudy*>& studies, std::uint64_t steps) {
    struct Task {
      WindowStudy* study;
      std::uint32_t replication;
    };
    std::vector<Task> tasks;
    for (WindowStudy* study : studies)
      for (std::uint32_t r = 0; r < study->replications(); ++r) tasks.push_back({study, r});
    const Deadline deadline(budget_.left_s(), options_.abandon, options_.stop);
    try {
      pool_.run(tasks.size(),
                [&](std::size_t i) { tasks[i].study->check_scale(tasks[i].replication, steps, deadline.token()); });
    } catch (const Abandoned&) {  // the sample has an answer all the same
      cut_short_ = true;
    }
    cut_short_ = out_of_time() || cut_short_;
  }

  /// What the window with the largest difference says. Of runs that a clock ended there is none, because nothing may
  /// depend on what it left time for.
  void report_scale(const std::vector<WindowStudy*>& checked, std::uint64_t from) {
    scale_text_ =
        fmt::format("{} of {} nodes were simulated in full", all_.sample->nodes(), checked.front()->whole_path().nodes);
    if (cut_short_) {
      for (WindowStudy* study : checked) study->use_difference(std::nullopt);
      scale_text_ += "; the run ended before they were held against all nodes";
      return;
    }
    double largest = -1.0;
    std::string difference_text;
    for (const WindowStudy* study : checked) {
      const double step_s = study->means().step_time_s.mean;
      const Measured relative = study->scale_difference(from).scaled(1.0 / step_s);
      if (std::abs(relative.mean) <= largest) continue;
      largest = std::abs(relative.mean);
      difference_text = fmt::format("; measured difference to a full run of {} steps: {:+.2f} % +- {:.2f} %",
                                    study->steps_checked(), 100.0 * relative.mean, 100.0 * relative.longer_arm());
    }
    scale_text_ += difference_text;
    if (largest > kMostSampleDifference)
      scale_refusal_ = fmt::format("its steps differ by {:.1f} % from those of all nodes", 100.0 * largest);
  }

  /// What is known between two looks. Nothing of it stays.
  Outcome provisional() {
    measure_stalls();
    const bool relief = std::exchange(options_.relief, false);
    Outcome now = outcome();
    options_.relief = relief;
    for (WindowStudy* study : all_.all_windows()) study->set_stalls({});
    return now;
  }

  /// Among many copies of a job some fail a test of reliability by chance: up to a tenth of them may. Of those that are
  /// precise, one in seven seems to drift by chance: up to a third may.
  void drop_small_rest(std::vector<WindowStudy*>& left) const {
    using Counts = std::map<std::pair<const WindowRuns*, std::size_t>, std::uint64_t>;
    Counts unfinished;
    Counts drifting;
    const auto group = [&](const WindowStudy& study) {
      return std::pair(&study.runs(), study.runs().plan().jobs[study.place()].job);
    };
    const auto only_drifts = [this](const WindowStudy& study) { return precision(study.means()).met; };
    for (const WindowStudy* study : left) {
      const auto key = group(*study);
      ++unfinished[key];
      if (scenario_.jobs[key.second].copies > 1 && only_drifts(*study)) ++drifting[key];
    }
    std::erase_if(left, [&](const WindowStudy* study) {
      const auto key = group(*study);
      const std::uint64_t copies = scenario_.jobs[key.second].copies;
      if (unfinished[key] <= copies / kForgivenShare) return true;
      return copies > 1 && drifting[key] <= copies / kDriftingShare && only_drifts(*study);
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
      const PrecisionReport now = precision(means);
      if (is_known(means, last)) continue;
      left.push_back(study);
      if (now.met || !options_.control || cut_short_ || !means.enough_data) continue;
      const double excess = std::max(*now.reached / now.asked, *now.idle_reached / now.idle_asked);
      const auto effort = study->plan_control(excess, last ? 0 : looks_left());
      for (std::uint32_t r = 0; effort && r < study->replications(); ++r) tasks.push_back({study, r, *effort});
    }
    constexpr std::uint64_t kParts = 16;  // between looks at the clock
    for (std::uint64_t part = 1; part <= kParts && !tasks.empty() && !cut_short_; ++part) {
      pool_.run(tasks.size(), [&](std::size_t i) {
        tasks[i].study->run_control(tasks[i].replication, tasks[i].effort, part, kParts);
      });
      cut_short_ = out_of_time();
    }
    for (const Task& task : tasks) task.study->use_control(!cut_short_);
    std::erase_if(left, [&](const WindowStudy* study) { return is_known(study->means(), last); });
    return left;
  }

  /// A precise run that still drifts goes on to kSettlingLooks times the first look's length; what the last look finds
  /// is known, settled or not.
  bool is_known(const WindowMeans& means, bool last) const {
    // Longer runs of the same starts tell no more, once the starts are over.
    if (means.differ_by_start && steps_done_ >= kSettlingLooks * looks_.first_steps) return true;
    const bool waits = !means.settled && !last && steps_done_ < kSettlingLooks * looks_.first_steps;
    return !waits && precision(means).met;
  }

  PrecisionReport precision(const WindowMeans& means) const {
    return precision_of(options_.precision, means.step_time_s, means.idle_fraction, means.enough_data);
  }

  std::uint32_t looks_left() const {
    std::uint32_t looks = 0;
    for (std::uint64_t steps = looks_.after(steps_done_); steps <= looks_.last_steps; steps *= 2) ++looks;
    return looks;
  }

  /// What the stalls cost that the runs of a lone job go without: a pair of short runs for each law and window.
  void measure_stalls() {
    const std::vector<RareStall>& stalls = all_.jobs.front().left_out;
    const std::vector<WindowStudy*> studies = all_.all_windows();
    for (WindowStudy* study : studies) study->set_stalls({});
    std::vector<StallEffect> effects(studies.size() * stalls.size());
    pool_.run(effects.size(), [&](std::size_t i) {
      const WindowStudy& study = *studies[i / stalls.size()];
      const double target_s = 0.3 * options_.precision * study.means().step_time_s.mean;
      effects[i] = measure_stall(study.path(), stalls[i % stalls.size()], options_.seed, options_.first_replication,
                                 options_.contention, target_s, options_.abandon);
    });
    const auto count = static_cast<std::ptrdiff_t>(stalls.size());
    for (std::size_t i = 0; i < studies.size(); ++i) {
      const auto first = effects.begin() + static_cast<std::ptrdiff_t>(i) * count;
      studies[i]->set_stalls({first, first + count});
    }
  }

  bool is_done(const WindowStudy& study) const { return std::find(done_.begin(), done_.end(), &study) != done_.end(); }
  /// No job needs more of this window.
  bool is_done(const WindowRuns& runs) const {
    const std::vector<WindowStudy*> studies = all_.all_windows();
    return std::all_of(studies.begin(), studies.end(),
                       [&](const WindowStudy* study) { return &study->runs() != &runs || is_done(*study); });
  }

  void report_progress(std::uint64_t goal) const {
    if (!options_.progress) return;
    const double fraction = static_cast<double>(steps_done_) / static_cast<double>(goal);
    const double eta_s = fraction > 0.05 ? budget_.elapsed_s() * (1.0 - fraction) / fraction : 0.0;
    options_.progress({fraction, eta_s, "simulating", steps_done_});
  }

  /// By job; empty where no GPU waits or relief was not asked for.
  std::vector<std::vector<StageShare>> relief(const std::vector<JobMeans>& means) {
    double lost_fraction = 0.0;  // of the job that waits most, or whose host part is slowed most
    for (const JobMeans& job : means) lost_fraction = std::max(lost_fraction, job.epoch.idle_fraction.mean);
    for (const WindowStudy* study : all_.all_windows())
      if (const double wait_s = study->path().host_load.wait_s; wait_s > 0.0)
        lost_fraction = std::max(lost_fraction, wait_s / study->means().step_time_s.mean);
    if (!options_.relief || lost_fraction < kLeastIdleToRelieve || cut_short_) return {};
    if (options_.progress) options_.progress({0.9, 0.0, "relief", steps_done_});
    std::vector<std::vector<const WindowStudy*>> windows(all_.jobs.front().studies.size());
    for (std::size_t w = 0; w < windows.size(); ++w)
      for (const JobStudy& job : all_.jobs) windows[w].push_back(job.studies[w].get());
    const Deadline deadline(budget_.left_s(), options_.abandon, options_.stop);
    try {
      return measure_relief(windows, pool_, deadline.token());
    } catch (const Abandoned&) {  // what was simulated has an answer all the same
      end_if_abandoned(options_.abandon);
      relief_cut_short_ = true;
      return {};
    }
  }

  Outcome outcome() {
    std::vector<JobMeans> means;
    for (const JobStudy& job : all_.jobs) means.push_back(all_.measure(scenario_, job));
    relief_cut_short_ = false;
    std::vector<std::vector<StageShare>> reliefs = relief(means);
    reliefs.resize(means.size());
    std::vector<JobOutcome> outcomes;
    for (std::size_t i = 0; i < means.size(); ++i)
      outcomes.push_back({all_.jobs[i].job, job_outcome({scenario_, options_, granularity_, choice_, cut_short_},
                                                        all_.jobs[i], means[i], std::move(reliefs[i]))});
    if (all_.sample) outcomes.front().outcome.sampled_nodes = all_.sample->nodes();
    if (!scale_text_.empty() || (options_.check_sample && !all_.unlike.empty()))
      outcomes.front().outcome.warnings.push_back(scale_note());
    if (relief_cut_short_)
      outcomes.front().outcome.warnings.push_back(
          {"the gain if a stage is removed was not measured: the run ended early",
           "it needs one run more for each stage", "give the run more time, or skip these runs with --no-relief"});
    if (!is_shared(scenario_)) return std::move(outcomes.front().outcome);
    return merge_jobs(scenario_, all_.background_loads(scenario_), std::move(outcomes));
  }

  Warning scale_note() const {
    if (!all_.unlike.empty())
      return {"every node was simulated", "a sample of the nodes does not stand for this job: " + all_.unlike, ""};
    return {scale_text_, "nodes are alike: the others have draws of their own and wait like those that are simulated",
            "--scale full simulates every node"};
  }

  const Scenario& scenario_;
  StudyOptions options_;
  Granularity granularity_;
  std::optional<GranularityChoice> choice_;
  FollowedStudy::Look look_;
  TaskPool pool_;
  Budget budget_;
  Budget run_budget_{0.0, {}};  ///< of the run that goes on
  StudyJobs all_;
  LookLengths looks_;
  std::vector<const WindowStudy*> done_;
  std::uint64_t steps_done_ = 0;
  bool cut_short_ = false;
  bool relief_cut_short_ = false;
  std::string scale_text_;     ///< which nodes were simulated, and how far a run of all of them was from that
  std::string scale_refusal_;  ///< why they do not stand for all
};

/// Whether short simulations tell the granularity of a study, or, where it is stated, whether it is a good one.
bool is_piloted(const Scenario& scenario, const StudyOptions& options) {
  return options.contention && !is_shared(scenario) && (!options.granularity || options.relief);
}

std::unique_ptr<Study> make_study(const Scenario& scenario, const StudyOptions& options) {
  const Budget budget(options);
  auto study = std::make_unique<Study>(scenario, options, options.granularity.value_or(Granularity{}));
  if (!is_piloted(scenario, options)) return study;
  const GranularityChoice choice = study->choose();
  if (!options.granularity && choice.granularity.kind != Granularity::Kind::batch) {
    StudyOptions left = options;
    budget.limit(left);
    study = std::make_unique<Study>(scenario, left, choice.granularity);
  }
  study->set_choice(choice);
  return study;
}

/// By all nodes, where some were to stand for them and do not.
Outcome answer_of(const Scenario& scenario, const StudyOptions& options) {
  const Budget budget(options);
  std::string refusal;
  {
    const std::unique_ptr<Study> study = make_study(scenario, options);
    Outcome outcome = study->run();
    if (study->scale_refusal().empty()) return outcome;
    refusal = study->scale_refusal();
  }
  StudyOptions full = options;
  full.scale = Scale::full;
  budget.limit(full);
  Outcome outcome = make_study(scenario, full)->run();
  outcome.warnings.push_back({"every node was simulated", "a sample was tried: " + refusal, ""});
  return outcome;
}

/// The limit on wall time is one of all states of time of a scenario: each has an equal share of what is left.
class SharedTime {
 public:
  SharedTime(const Scenario& scenario, const StudyOptions& options) : options_(options), budget_(options) {
    if (!budget_.left_s() || !changes_over_time(scenario)) return;
    left_ = 0;
    over_time(scenario, [this](const Scenario& state) {
      ++left_;
      return flow_bound(state);
    });
  }

  StudyOptions next() {
    StudyOptions own = options_;
    budget_.limit(own);
    own.max_wall_s /= static_cast<double>(left_);
    left_ = std::max<std::uint64_t>(2, left_) - 1;
    return own;
  }

 private:
  const StudyOptions& options_;
  Budget budget_;
  std::uint64_t left_ = 1;  ///< states that are not answered yet; one where they are more than the bound tells
};

/// What an outcome has beside the answer of its states of time.
Outcome completed(const Scenario& scenario, const StudyOptions& options, Outcome outcome) {
  if (options.courses) add_fault_courses(scenario, options.seed, outcome);
  add_machine_room(scenario, outcome);
  warn_of_inputs(scenario, outcome);
  return outcome;
}

}  // namespace

Outcome simulate(const Scenario& scenario, const StudyOptions& options) {
  SharedTime time(scenario, options);
  return completed(scenario, options,
                   over_time(scenario, [&](const Scenario& state) { return answer_of(state, time.next()); }));
}

std::optional<Granularity> chosen_granularity(const StudyOptions& options, const Scenario& scenario,
                                              const Scenario* other) {
  if (options.granularity) return options.granularity;
  if (other != nullptr && (changes_over_time(scenario) || changes_over_time(*other))) return Granularity{};
  if (changes_over_time(scenario)) return std::nullopt;
  StudyOptions lean = options;
  lean.replications = 1;
  const auto chosen = [&](const Scenario& one) {
    return is_piloted(one, lean) ? Study(one, lean, {}).choose() : GranularityChoice{};
  };
  const GranularityChoice of_one = chosen(scenario);
  if (other == nullptr) return of_one.granularity;
  const GranularityChoice of_other = chosen(*other);
  // A scenario that was not piloted may be too large for pieces, or refuse them.
  if (!of_one.piloted || !of_other.piloted) return Granularity{};
  return of_one.granularity.kind < of_other.granularity.kind ? of_other.granularity : of_one.granularity;
}

struct ResumableStudy::State {
  State(const Scenario& from, const StudyOptions& how) : scenario(from), options(how), budget(how) {
    options.scale = Scale::full;  // what a sample answers depends on where it ends
  }

  Scenario scenario;
  StudyOptions options;
  Budget budget;                 ///< of all runs
  double run_wall_s = 0.0;       ///< of the next one alone; 0: no limit of its own
  std::unique_ptr<Study> study;  ///< absent where a scenario changes over time: all its states would need memory
};

ResumableStudy::ResumableStudy(const Scenario& scenario, const StudyOptions& options)
    : state_(std::make_unique<State>(scenario, options)) {}

ResumableStudy::~ResumableStudy() = default;

Outcome ResumableStudy::run_to(std::uint64_t steps) {
  state_->options.steps = steps;
  return run();
}

Outcome ResumableStudy::run_until(double precision, double most_wall_s) {
  state_->options.steps = 0;
  const double asked = std::exchange(state_->options.precision, precision);
  state_->run_wall_s = most_wall_s;
  Outcome outcome = run();
  state_->run_wall_s = 0.0;
  state_->options.precision = asked;
  return outcome;
}

void ResumableStudy::add_relief(Outcome& outcome) {
  if (!state_->study || state_->budget.is_spent()) return;
  const Outcome relieved = state_->study->relieved();
  outcome.relief = relieved.relief;
  outcome.binding = relieved.binding;
  for (std::size_t i = 0; i < std::min(outcome.jobs.size(), relieved.jobs.size()); ++i) {
    outcome.jobs[i].relief = relieved.jobs[i].relief;
    outcome.jobs[i].binding = relieved.jobs[i].binding;
  }
}

std::uint64_t ResumableStudy::loaders() const { return state_->study ? state_->study->loaders() : 0; }

Outcome ResumableStudy::run() {
  const StudyOptions& options = state_->options;
  if (changes_over_time(state_->scenario)) {
    StudyOptions own = options;
    state_->budget.limit(own);
    return simulate(state_->scenario, own);
  }
  if (!state_->study) {
    StudyOptions own = options;
    state_->budget.limit(own);  // which began with this, not with the first run
    state_->study = make_study(state_->scenario, own);
  }
  Study& study = *state_->study;
  study.options().steps = options.steps;
  study.options().precision = options.precision;
  study.limit_run(state_->run_wall_s);
  return completed(state_->scenario, options, study.run());
}

struct FollowedStudy::State {
  Scenario scenario;
  StudyOptions options;
  std::unique_ptr<Study> study;  ///< absent where the scenario changes over time

  Outcome answer() const { return completed(scenario, options, study->run()); }
};

bool is_of_first_epoch(std::string_view metric) {
  const MetricDescription& traits = traits_of(metric);
  return traits.law == StepLaw::first_time || traits.name == "time_to_first_step_s" || traits.noise == Noise::courses;
}

FollowedStudy::FollowedStudy(const Scenario& scenario, const StudyOptions& options)
    : state_(std::make_unique<State>(State{scenario, options, nullptr})) {
  state_->options.scale = Scale::full;
}

FollowedStudy::~FollowedStudy() = default;

Outcome FollowedStudy::run(const Look& look) {
  if (changes_over_time(state_->scenario)) return simulate(state_->scenario, state_->options);
  state_->study = make_study(state_->scenario, state_->options);
  StudyOptions lean = state_->options;
  lean.courses = false;
  if (look)
    state_->study->follow(
        [this, &look, &lean](const Outcome& so_far) { look(completed(state_->scenario, lean, so_far)); });
  Outcome outcome = state_->answer();
  state_->study->follow(nullptr);
  return outcome;
}

Outcome FollowedStudy::run_on(std::uint64_t steps) {
  state_->options.steps = steps;
  if (!state_->study) return simulate(state_->scenario, state_->options);
  state_->study->options().steps = steps;
  return state_->answer();
}

}  // namespace headrace::models
