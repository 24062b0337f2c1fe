#include "models/interruptions/fault_course.hpp"

#include <algorithm>
#include <cmath>  // std::floor, std::ceil and std::sqrt only
#include <limits>
#include <string>

#include "models/base/purposes.hpp"
#include "models/cluster/cluster_plan.hpp"
#include "models/interruptions/checkpoint_writes.hpp"
#include "models/interruptions/interruptions.hpp"
#include "models/outcome/outcome_metrics.hpp"
#include "models/path/epoch_windows.hpp"
#include "sim/distribution.hpp"
#include "sim/random_stream.hpp"

namespace headrace::models {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kGivenUp = 1e3;                  ///< times its work
constexpr std::uint64_t kMostStops = 20'000'000;  ///< of one course, in about a second
constexpr std::uint32_t kCourses = 400;
constexpr std::uint32_t kFewestCourses = 40;
constexpr double kEnoughFaults = 20'000.0;    ///< in all courses together: their number is known to 0.7 %
constexpr double kMostFaults = 4'000'000.0;   ///< in all courses together, in a fraction of a second
constexpr double kMostPerCourse = 200'000.0;  ///< expected; beyond, luck is less than 1 % of what faults take

/// Instants at exponential distances.
class Arrivals {
 public:
  Arrivals(double rate_per_s, std::uint64_t seed, std::uint32_t replication, std::uint32_t entity)
      : key_{seed, replication, kDrawFaults, entity}, rate_per_s_(rate_per_s) {
    if (rate_per_s_ > 0.0) gap_ = sim::Distribution::exponential(1.0 / rate_per_s_);
    after(0.0);
  }
  double next_s() const { return next_s_; }
  /// The next one after an instant.
  void after(double now_s) {
    next_s_ = rate_per_s_ > 0.0 ? now_s + gap_.quantile(sim::uniform(key_, index_++)) : kNever;
  }

 private:
  sim::StreamKey key_;
  double rate_per_s_;
  sim::Distribution gap_;
  std::uint64_t index_ = 0;
  double next_s_ = kNever;
};

/// A slowing fault that is there or not.
class Slowing {
 public:
  Slowing(const SlowingFault& fault, std::uint64_t seed, std::uint32_t replication, std::uint32_t entity)
      : fault_(fault),
        always_(fault.lasting_s >= fault.every_s),
        gaps_(always_ ? 0.0 : 1.0 / (fault.every_s - fault.lasting_s), seed, replication, entity) {}
  bool is_there() const { return always_ || there_; }
  double speed() const { return is_there() ? fault_.speed : 1.0; }
  double next_change_s() const { return always_ ? kNever : there_ ? end_s_ : gaps_.next_s(); }
  void change() {
    if (there_)
      gaps_.after(end_s_);
    else
      end_s_ = gaps_.next_s() + fault_.lasting_s;
    there_ = !there_;
  }

 private:
  SlowingFault fault_;
  bool always_;
  Arrivals gaps_;
  bool there_ = false;
  double end_s_ = 0.0;
};

/// One course on its way.
class Course {
 public:
  Course(const TrainingCourse& course, std::uint64_t seed, std::uint32_t replication)
      : course_(course),
        work_s_(course.work_s),
        failures_(course.failures_per_s, seed, replication, course.stream),
        reclaims_(course.reclaims_per_s, seed, replication, course.stream + 1) {
    for (std::size_t i = 0; i < course.slowing.size(); ++i)
      slowing_.emplace_back(course.slowing[i], seed, replication, course.stream + static_cast<std::uint32_t>(2 + i));
  }

  /// To the end of the work.
  CourseResult run(std::size_t most_events) {
    most_events_ = most_events;
    run_until(kNever);
    return std::move(result_);
  }

  /// From its start, until an instant or the end of its work.
  CourseResult run_with(ReturnTimes& returns, double until_s) {
    returns_ = &returns;
    if (!(work_s_ > 0.0)) work_s_ = kNever;
    begin_away(FaultKind::start, 0.0);
    cold_left_s_ = course_.cold_work_s;
    run_until(until_s);
    result_.work_s = saved_s_ + unsaved_s_;
    return std::move(result_);
  }

  /// To an instant, whatever the work.
  CourseResult record(double until_s) {
    work_s_ = kNever;
    keeps_periods_ = true;
    most_events_ = std::numeric_limits<std::size_t>::max();
    run_until(until_s);
    if (!away_ && now_s_ > begin_s_) end_period(PeriodEnd::open);
    return std::move(result_);
  }

 private:
  void run_until(double until_s) {
    while (now_s_ < until_s && saved_s_ + unsaved_s_ < work_s_) {
      if (std::max(now_s_, back_s_) > kGivenUp * work_s_ || result_.failures + result_.reclaims > kMostStops) {
        now_s_ = kNever;
        break;
      }
      double change_s = kNever;
      for (const Slowing& slowing : slowing_) change_s = std::min(change_s, slowing.next_change_s());
      const double reclaim_s = away_ ? kNever : reclaims_.next_s();
      const double planned_s = planned_ < course_.planned.size() ? course_.planned[planned_].at_s : kNever;
      const double next_s = std::min({failures_.next_s(), reclaim_s, change_s, planned_s, until_s});
      if (away_) {
        if (back_s_ <= next_s) {
          come_back();
          continue;
        }
        be_away(next_s);
      } else {
        train(next_s);
        if (now_s_ < next_s) break;  // done before
      }
      if (next_s == change_s)
        change();
      else if (next_s == planned_s)
        stop_as_planned(course_.planned[planned_++]);
      else if (next_s == failures_.next_s())
        stop(FaultKind::failure);
      else if (next_s == reclaim_s)
        stop(FaultKind::reclaim);
    }
    result_.time_s = now_s_;
  }

  double speed() const {
    double least = 1.0;
    for (const Slowing& slowing : slowing_) least = std::min(least, slowing.speed());
    return least;
  }

  /// Works and writes checkpoints until an instant, or until all is done.
  void train(double until_s) {
    const double speed_now = speed();
    while (now_s_ < until_s && saved_s_ + unsaved_s_ < work_s_) {
      if (stall_left_s_ > 0.0) {
        const double wait_s = std::min(stall_left_s_, until_s - now_s_);
        stall_left_s_ -= wait_s;
        result_.stall_s += wait_s;
        pass(wait_s, until_s);
        if (!(stall_left_s_ > 0.0)) end_checkpoint();
        continue;
      }
      if (!(speed_now > 0.0)) {
        result_.slowed_s += until_s - now_s_;
        now_s_ = until_s;
        return;
      }
      if (skip_whole_intervals(speed_now, until_s)) continue;
      const double left_s = work_s_ - saved_s_ - unsaved_s_;
      double due_s = course_.interval_s > 0.0 ? std::min(left_s, course_.interval_s - unsaved_s_) : left_s;
      const bool warms_up = cold_left_s_ > 0.0 && cold_left_s_ < due_s;
      if (warms_up) due_s = cold_left_s_;
      const double pace = cold_left_s_ > 0.0 ? speed_now * course_.cold_speed : speed_now;
      if (due_s / pace > until_s - now_s_) {
        const double done_s = (until_s - now_s_) * pace;
        count_work(done_s, speed_now);
        unsaved_s_ += done_s;
        now_s_ = until_s;
        return;
      }
      pass(due_s / pace, until_s);
      count_work(due_s, speed_now);
      unsaved_s_ += due_s;
      if (warms_up) continue;
      if (due_s == left_s) {
        unsaved_s_ = work_s_ - saved_s_;
        return;
      }
      stop_s_ = now_s_;
      stall_left_s_ = course_.stall_s;
      if (!(stall_left_s_ > 0.0)) end_checkpoint();
    }
  }

  /// Whole intervals with their checkpoints at once, from right after a checkpoint.
  bool skip_whole_intervals(double speed_now, double until_s) {
    if (!(course_.interval_s > 0.0) || unsaved_s_ != 0.0 || keeps_periods_ || cold_left_s_ > 0.0) return false;
    const double each_s = course_.interval_s / speed_now + course_.stall_s;
    const double left = (work_s_ - saved_s_) / course_.interval_s - 1.0;  // the last one ends without a stall
    const double whole = std::floor(std::min(left, (until_s - now_s_) / each_s) - 1e-9);
    if (!(whole >= 1.0)) return false;
    saved_s_ += whole * course_.interval_s;
    now_s_ += whole * each_s;
    result_.stall_s += whole * course_.stall_s;
    count_work(whole * course_.interval_s, speed_now);
    return true;
  }

  /// What work took beyond its own time.
  void count_work(double done_s, double speed_now) {
    result_.slowed_s += done_s * (1.0 / speed_now - 1.0);
    if (!(cold_left_s_ > 0.0)) return;
    result_.warm_up_s += done_s / speed_now * (1.0 / course_.cold_speed - 1.0);
    result_.cold_s += std::min(done_s, cold_left_s_);
    cold_left_s_ = done_s < cold_left_s_ ? cold_left_s_ - done_s : 0.0;
  }

  void pass(double seconds, double until_s) { now_s_ = std::min(now_s_ + seconds, until_s); }

  void save() {
    saved_s_ += unsaved_s_;
    unsaved_s_ = 0.0;
  }

  void end_checkpoint() {
    end_period(PeriodEnd::saved);
    save();
  }

  void end_period(PeriodEnd how) {
    if (keeps_periods_) result_.periods.push_back({begin_s_, std::min(stop_s_, now_s_), now_s_, unsaved_s_, how});
    begin_s_ = now_s_;
    stop_s_ = kNever;
  }

  void change() {
    for (std::size_t i = 0; i < slowing_.size(); ++i) {
      if (slowing_[i].next_change_s() > now_s_) continue;
      slowing_[i].change();
      if (!slowing_[i].is_there()) continue;
      ++result_.slowings;
      keep({FaultKind::slowing, now_s_, slowing_[i].next_change_s(), 0.0, i});
    }
  }

  /// A failure or a reclaimed node: the job comes back after a while, in which it may fail again.
  void stop(FaultKind kind) {
    if (!away_) {
      end_period(kind == FaultKind::failure ? PeriodEnd::failure : PeriodEnd::reclaim);
    } else if (last_stop_ < result_.events.size()) {
      result_.events[last_stop_].end_s = now_s_;
      result_.events[last_stop_].failed = true;
    }
    double lost_s = 0.0;
    if (kind == FaultKind::failure) {
      lost_s = unsaved_s_;
      unsaved_s_ = 0.0;
      ++result_.failures;
      failures_.after(now_s_);
      cold_left_s_ = std::max(cold_left_s_, course_.failure_cold_work_s);
    } else {
      save();
      ++result_.reclaims;
      reclaims_.after(now_s_);
    }
    result_.lost_s += lost_s;
    begin_away(kind, now_s_);
    last_stop_ = result_.events.size();
    keep({kind, now_s_, back_s_, lost_s, 0});
  }

  /// A failure while the nodes are gone is none, and a refresh of a job that is away costs nothing but what is cold.
  void stop_as_planned(const PlannedStop& planned) {
    cold_left_s_ = std::max(cold_left_s_, planned.cold_work_s);
    if (away_ && planned.kind == FaultKind::refresh) return;
    if (planned.keeps_work) {
      save();
    } else {
      result_.lost_s += unsaved_s_;
      unsaved_s_ = 0.0;
    }
    const double open_s = now_s_ + planned.closed_s;
    closed_until_s_ = std::max(closed_until_s_, open_s);
    if (failures_.next_s() < open_s) failures_.after(open_s);
    begin_away(planned.kind, open_s);
  }

  void begin_away(FaultKind kind, double from_s) {
    const double fixed_s = kind == FaultKind::failure ? course_.restart_s : course_.reclaim_s;
    back_s_ = from_s + (returns_ != nullptr ? returns_->away_s(kind, now_s_, from_s, saved_s_) : fixed_s);
    stall_left_s_ = 0.0;
    begin_s_ = back_s_;
    away_ = true;
  }

  void be_away(double until_s) {
    const double closed_s = std::max(0.0, std::min(until_s, closed_until_s_) - now_s_);
    result_.closed_s += closed_s;
    result_.return_s += until_s - now_s_ - closed_s;
    now_s_ = until_s;
  }

  void come_back() {
    be_away(back_s_);
    away_ = false;
    if (reclaims_.next_s() < now_s_) reclaims_.after(now_s_);  // who is away loses no nodes
  }

  void keep(const FaultEvent& event) {
    if (result_.events.size() < most_events_) result_.events.push_back(event);
  }

  const TrainingCourse& course_;
  double work_s_;
  std::size_t most_events_ = 0;
  bool keeps_periods_ = false;
  Arrivals failures_;
  Arrivals reclaims_;
  std::vector<Slowing> slowing_;
  double now_s_ = 0.0;
  bool away_ = false;  ///< until back_s_, from the last stop
  double back_s_ = 0.0;
  double saved_s_ = 0.0;       ///< work behind a checkpoint
  double unsaved_s_ = 0.0;     ///< work since
  double stall_left_s_ = 0.0;  ///< of the checkpoint that is being written
  double begin_s_ = 0.0;       ///< of the period
  double stop_s_ = kNever;     ///< in the period, for its checkpoint
  double cold_left_s_ = 0.0;   ///< work until the caches are warm
  double closed_until_s_ = 0.0;
  std::size_t planned_ = 0;  ///< the next one
  ReturnTimes* returns_ = nullptr;
  std::size_t last_stop_ = 0;  ///< index of its event, if that is kept
  CourseResult result_;
};

/// Within the time of its work alone.
double expected_faults(const TrainingCourse& course) {
  double faults = course.work_s * (course.failures_per_s + course.reclaims_per_s);
  for (const SlowingFault& fault : course.slowing) faults += course.work_s / fault.every_s;
  return faults;
}

std::uint32_t courses_of(const TrainingCourse& course, CourseCount count) {
  const double faults = std::max(expected_faults(course), 1.0);
  const double wanted = count == CourseCount::all ? kMostFaults : kEnoughFaults;
  return static_cast<std::uint32_t>(std::clamp<double>(std::ceil(wanted / faults), kFewestCourses, kCourses));
}

/// Mean with its interval over courses (normal: there are hundreds).
Metric mean_metric(const char* name, const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double mean = 0.0;
  for (const double value : values) mean += value / n;
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double half = 1.96 * std::sqrt(squares / (n - 1.0) / n);
  return {name, mean, Interval{mean - half, mean + half}, {}, AnswerKind::simulated};
}

}  // namespace

CourseResult draw_course(const TrainingCourse& course, std::uint64_t seed, std::uint32_t replication,
                         std::size_t most_events) {
  return Course(course, seed, replication).run(most_events);
}

CourseResult draw_course_until(const TrainingCourse& course, std::uint64_t seed, std::uint32_t replication,
                               double until_s) {
  return Course(course, seed, replication).record(until_s);
}

CourseResult draw_course_until(const TrainingCourse& course, ReturnTimes& returns, std::uint64_t seed,
                               std::uint32_t replication, double until_s) {
  return Course(course, seed, replication).run_with(returns, until_s);
}

SteadyCourse steady_course(const Scenario& scenario, const Outcome& outcome) {
  SteadyCourse steady;
  TrainingCourse& course = steady.course;
  const Faults faults = scenario.faults.value_or(Faults{});
  const Job& job = scenario.jobs.front();
  double training = 1.0;
  if (job.checkpoint) {
    const IngestPath path = resolve_path(scenario, 0, {});
    const Scenario timed = checkpoint_writes(scenario).scenario;  // beside reads a save takes longer
    const Interruptions i = *interruptions_of(timed, path, mean_in(outcome.metrics, "time_to_first_step_s"));
    training = i.training;
    course.interval_s = i.interval_s;
    course.stall_s = i.stall_s;
    course.failures_per_s = i.mtbf_s > 0.0 ? 1.0 / i.mtbf_s : 0.0;
    course.restart_s = i.restart_s;
    course.reclaims_per_s = i.reclaims_per_s;
    course.reclaim_s = i.reclaim_s;
  }
  double mean_speed = 1.0;
  for (std::size_t i = 0; i < faults.degraded.size() && i < outcome.slowed.size(); ++i) {
    const SlowedState& state = outcome.slowed[i];
    course.slowing.push_back({faults.degraded[i].every_s, faults.degraded[i].lasting_s, state.speed});
    mean_speed -= state.time_share * (1.0 - state.speed);
  }
  steady.steady_share = training * mean_speed;
  // Epochs of the outcome hold the mean of all interruptions; work is what they take without any.
  const double steady_s = mean_in(outcome.metrics, "epoch_time_s");
  const Metric* first = outcome.find("first_epoch_time_s");
  const double first_s = first == nullptr ? steady_s : first->mean;
  // Caches of several nodes fill over many epochs; between the first and the last, time follows what they serve.
  const double later_s = first_s + later_epochs_progress(scenario, 0) * (steady_s - first_s);
  course.work_s = (first_s + static_cast<double>(job.epochs - 1) * later_s) * training * mean_speed;
  return steady;
}

/// Courses are drawn over one steady epoch; how sure that one is comes on top of what the courses show.
void widen_by_epoch(const Outcome& outcome, Metric& time) {
  const Metric* epoch = outcome.find("epoch_time_s");
  if (!time.ci95 || epoch == nullptr || !epoch->ci95 || !(epoch->mean > 0.0)) return;
  const double of_epoch = time.mean * (epoch->ci95->high - epoch->ci95->low) / (2.0 * epoch->mean);
  const double of_courses = 0.5 * (time.ci95->high - time.ci95->low);
  const double arm = std::sqrt(of_courses * of_courses + of_epoch * of_epoch);
  time.ci95 = Interval{time.mean - arm, time.mean + arm};
}

TrainingCourse training_course(const Scenario& scenario, const Outcome& outcome) {
  if (!scenario.faults || is_shared(scenario)) return {};
  TrainingCourse course = steady_course(scenario, outcome).course;
  if (course.slowing.empty() && !(course.failures_per_s > 0.0) && !(course.reclaims_per_s > 0.0)) return {};
  return course;
}

void add_fault_courses(const Scenario& scenario, std::uint64_t seed, Outcome& outcome, CourseCount count) {
  const TrainingCourse course = training_course(scenario, outcome);
  if (!(course.work_s > 0.0)) return;
  std::vector<double> times_s;
  std::vector<double> stops;
  std::vector<double> lost_s;
  if (expected_faults(course) > kMostPerCourse) {
    outcome.warnings.push_back(
        {"the training history is not drawn: it has " +
             std::to_string(static_cast<std::uint64_t>(expected_faults(course))) + " faults",
         "with so many faults random variation is negligible: epochs and cost include their mean",
         "use epoch_time_s times jobs/epochs as the training time"});
    return;
  }
  const std::uint32_t courses = courses_of(course, count);
  for (std::uint32_t i = 0; i < courses; ++i) {
    const CourseResult result = draw_course(course, seed, i, 0);
    if (!(result.time_s < kNever)) {
      outcome.warnings.push_back(
          {"the training never finishes: it fails before it makes progress",
           "restarts take longer than the time between failures, or a fault stops it permanently",
           "reduce failures, restart sooner, or checkpoint more often: faults, checkpoint/interval"});
      return;
    }
    times_s.push_back(result.time_s);
    stops.push_back(static_cast<double>(result.failures + result.reclaims));
    lost_s.push_back(result.lost_s);
  }
  outcome.metrics.push_back(mean_metric("training_time_s", times_s));
  widen_by_epoch(outcome, outcome.metrics.back());
  std::sort(times_s.begin(), times_s.end());
  const auto quantile = [&](const char* name, double p) {
    const auto at = static_cast<std::size_t>(p * static_cast<double>(times_s.size() - 1));
    outcome.metrics.push_back({name, times_s[at], {}, {}, AnswerKind::simulated});
  };
  quantile("training_time_p10_s", 0.1);
  quantile("training_time_p90_s", 0.9);
  outcome.metrics.push_back(mean_metric("stops_per_training", stops));
  outcome.metrics.push_back(mean_metric("lost_work_s", lost_s));
  outcome.restate_lone_job();
}

bool is_of_courses(std::string_view metric) { return traits_of(metric).noise == Noise::courses; }

}  // namespace headrace::models
