#include "models/interruptions/job_course.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "models/cluster/cluster_plan.hpp"
#include "models/interruptions/capacity_states.hpp"
#include "models/interruptions/degradation.hpp"
#include "models/interruptions/fault_course.hpp"
#include "models/twins/checkpoint_interval.hpp"

namespace headrace::models {

namespace {

/// What the outcome says of the checkpoints and failures of a job. Times in seconds.
struct Figures {
  double interval_s = 0.0;  ///< work between two checkpoints
  double stall_s = 0.0;
  double save_s = 0.0;
  double drain_s = 0.0;
  double mtbf_s = 0.0;      ///< 0: no failures
  double restart_s = 0.0;   ///< 0: no failures
  double checkpoint = 0.0;  ///< share of time
  double failure = 0.0;     ///< share of time
  double preempted = 0.0;   ///< share of time, of that
  double reclaims_per_s = 0.0;

  double pause_s() const {
    return reclaims_per_s > 0.0 && preempted > 0.0 ? preempted / (1.0 - preempted) / reclaims_per_s : 0.0;
  }
};

Figures figures_of(const Scenario& scenario, std::size_t job, const std::vector<Metric>& metrics,
                   const std::vector<GpuStateShare>& states) {
  Figures f;
  f.interval_s = mean_in(metrics, "checkpoint_interval_s");
  f.stall_s = mean_in(metrics, "checkpoint_stall_s");
  f.save_s = mean_in(metrics, "checkpoint_save_s");
  f.drain_s = mean_in(metrics, "checkpoint_drain_s");
  f.mtbf_s = mean_in(metrics, "job_mtbf_s");
  f.restart_s = mean_in(metrics, "restart_s");
  f.preempted = mean_in(metrics, "preemption_time_fraction");
  for (const GpuStateShare& state : states) {
    if (state.state == GpuState::checkpoint) f.checkpoint = state.share;
    if (state.state == GpuState::failure) f.failure = state.share;
  }
  if (f.preempted > 0.0 && scenario.faults && scenario.faults->spot)
    f.reclaims_per_s =
        1.0 / twins::fleet_mtbf(scenario.faults->spot->node_mtbp_s, resolve_path(scenario, job, {}).nodes);
  return f;
}

/// The course behind training_time_s, where that is drawn. Jobs that share a cluster have courses of their own, which
/// leave the slowing faults out.
TrainingCourse course_of(const Scenario& scenario, const Outcome& outcome, std::size_t job, const Figures& f) {
  TrainingCourse course = training_course(scenario, outcome);
  if (course.work_s > 0.0) return course;
  course.interval_s = f.interval_s;
  course.stall_s = f.stall_s;
  course.failures_per_s = f.mtbf_s > 0.0 ? 1.0 / f.mtbf_s : 0.0;
  course.restart_s = f.restart_s;
  course.reclaim_s = f.pause_s();
  course.reclaims_per_s = course.reclaim_s > 0.0 ? f.reclaims_per_s : 0.0;
  course.stream = static_cast<std::uint32_t>(job) * kStreamsPerCourse;
  return course;
}

/// How long it is drawn, from its first step on.
double length_s(const TrainingCourse& course, const CourseOptions& options) {
  const double period_s = course.interval_s + course.stall_s;
  const double least_s = static_cast<double>(options.least_periods) * period_s;
  const double most_s = static_cast<double>(options.most_periods) * period_s;
  const double wanted_s = course.failures_per_s > 0.0 ? 3.0 / course.failures_per_s : 0.0;
  return std::clamp(wanted_s, least_s, std::max(least_s, most_s));
}

class JobCourse {
 public:
  JobCourse(std::string name, const Figures& figures, sim::TimeNs begin_ns, std::vector<TimelineSpan>& spans)
      : name_(std::move(name)), f_(figures), begin_ns_(begin_ns), spans_(spans) {}

  void add_expected() {
    process_ = name_ + ": checkpoints and failures, one period as expected";
    basis_ = TimelineBasis::expected;
    // The stop is a share of the outcome's time, so that the period has that length.
    const double period_s = f_.checkpoint > 0.0 ? f_.stall_s / f_.checkpoint : f_.interval_s / (1.0 - f_.failure);
    const double failure_s = f_.failure * period_s;
    const double training_s = period_s - f_.stall_s - failure_s;
    add(kJob, "training", 0.0, training_s, {{"share", training_s / period_s}});
    add(kJob, "stopped for a checkpoint", training_s, training_s + f_.stall_s, {{"share", f_.checkpoint}});
    add(kJob, "failures: restarts and lost work", training_s + f_.stall_s, period_s,
        {{"share", f_.failure}, {"job_mtbf_s", f_.mtbf_s}, {"restart_s", f_.restart_s}});
    add_save(training_s, training_s + f_.save_s);
  }

  /// The same by chance, over many periods.
  void add_drawn(const CourseResult& course) {
    process_ = name_ + ": checkpoints and failures, drawn";
    basis_ = TimelineBasis::drawn;
    auto event = course.events.begin();
    for (const CoursePeriod& period : course.periods) {
      add_period(period);
      if (period.how == PeriodEnd::failure || period.how == PeriodEnd::reclaim)
        event = add_stops(event, course.events.end());
    }
    show_save(kNever);
  }

  /// The part of that which is the training of the scenario: one of the courses behind training_time_s.
  void add_training(const CourseResult& whole, double drawn_s) {
    if (!(whole.time_s < kNever)) return;
    const double stops = static_cast<double>(whole.failures + whole.reclaims);
    const bool ends = whole.time_s <= drawn_s;
    add("the training", ends ? "the whole training" : "the first part of the training", 0.0,
        ends ? whole.time_s : drawn_s,
        {{"training_time_s", whole.time_s}, {"stops", stops}, {"lost_work_s", whole.lost_s}});
  }

 private:
  static constexpr const char* kJob = "the job";
  static constexpr const char* kWay = "transfer of the checkpoint";
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  void add(const char* track, const char* name, double from_s, double to_s, TimelineFacts facts) {
    if (!(to_s > from_s)) return;
    spans_.push_back({process_, track, name, basis_, begin_ns_ + sim::duration_ns(from_s),
                      begin_ns_ + sim::duration_ns(to_s), std::move(facts)});
  }

  /// Until the next checkpoint begins, at the latest: slices of a track do not cross.
  void add_save(double from_s, double until_s) {
    const double first_s = f_.save_s - f_.drain_s;
    const double end_s = std::min(from_s + f_.save_s, until_s);
    TimelineFacts facts = {{"checkpoint_save_s", f_.save_s}};
    if (from_s + f_.save_s > until_s) facts.emplace_back("not_shown_s", from_s + f_.save_s - until_s);
    if (!(f_.drain_s > 0.0)) return add(kWay, "save", from_s, end_s, std::move(facts));
    add(kWay, "save to the first tier", from_s, std::min(from_s + first_s, end_s), {});
    add(kWay, "from there to the store", from_s + first_s, end_s, std::move(facts));
  }

  /// The save of the checkpoint before, now that it is known when the next one begins; this one waits for that.
  void show_save(double next_s) {
    if (save_from_s_ < kNever) add_save(save_from_s_, next_s);
    save_from_s_ = next_s;
  }

  void add_period(const CoursePeriod& period) {
    if (period.how == PeriodEnd::failure)
      return add(kJob, "work lost to a failure", period.begin_s, period.end_s, {{"lost_s", period.work_s}});
    add(kJob, "training", period.begin_s, period.stop_s, {});
    add(kJob, "stopped for a checkpoint", period.stop_s, period.end_s, {});
    if (period.how == PeriodEnd::saved || period.stop_s < period.end_s) show_save(period.stop_s);
  }

  /// A failure or a reclaim, and the failures of its restart.
  std::vector<FaultEvent>::const_iterator add_stops(std::vector<FaultEvent>::const_iterator event,
                                                    std::vector<FaultEvent>::const_iterator end) {
    for (; event != end; ++event) {
      if (event->kind == FaultKind::slowing) continue;  // on tracks of their own
      if (event->kind == FaultKind::reclaim)
        add(kJob, "preempted with notice: save, replacement, restart", event->begin_s, event->end_s, {});
      else
        add(kJob, event->failed ? "restart that fails" : "restart", event->begin_s, event->end_s, {});
      if (!event->failed) return event + 1;
    }
    return event;
  }

  std::string name_;
  Figures f_;
  sim::TimeNs begin_ns_;
  std::vector<TimelineSpan>& spans_;
  std::string process_;
  TimelineBasis basis_ = TimelineBasis::expected;
  double save_from_s_ = kNever;
};

sim::TimeNs first_step_ns(const Timeline& timeline, const std::string& job) {
  for (const JobTimeline& one : timeline.jobs)
    if (one.name == job && !one.steps.records.empty()) return one.steps.records.front().start_ns;
  return 0;
}

/// Ends of what is recorded and drawn so far.
sim::TimeNs end_of(const Timeline& timeline) {
  sim::TimeNs end_ns = 0;
  for (const JobTimeline& job : timeline.jobs)
    if (!job.steps.records.empty()) end_ns = std::max(end_ns, job.steps.records.back().start_ns);
  for (const TimelineSpan& span : timeline.spans) end_ns = std::max(end_ns, span.end_ns);
  return end_ns;
}

std::string name_of(const Degradation& fault) {
  const std::string name = fault.store.empty() ? "workers" : "store '" + fault.store + "'";
  return name + (fault.stops ? ": training stops" : " is slower");
}

/// Their instants are those of the course of a job that is alone.
CourseResult draw_faults(const Faults& faults, const CourseOptions& options, double until_s) {
  TrainingCourse course;
  for (const Degradation& fault : faults.degraded) course.slowing.push_back({fault.every_s, fault.lasting_s, 1.0});
  return draw_course_until(course, options.seed, options.replication, until_s);
}

void add_faults(const Scenario& scenario, const CourseOptions& options, Timeline& timeline) {
  if (!scenario.faults || scenario.faults->degraded.empty()) return;
  const std::string process = "faults, drawn";
  const sim::TimeNs begin_ns = first_step_ns(timeline, scenario.jobs.front().name);
  double until_s = sim::seconds(std::max<sim::TimeNs>(0, end_of(timeline) - begin_ns));
  double soonest_s = scenario.faults->degraded.front().every_s;
  for (const Degradation& fault : scenario.faults->degraded) soonest_s = std::min(soonest_s, fault.every_s);
  const bool interrupted = std::any_of(timeline.spans.begin(), timeline.spans.end(),
                                       [](const TimelineSpan& span) { return span.basis == TimelineBasis::drawn; });
  if (!interrupted) until_s = std::max(until_s, 3.0 * soonest_s);  // else the periods of the checkpoints say how long
  const CourseResult drawn = draw_faults(*scenario.faults, options, until_s);
  for (std::size_t i = 0; i < scenario.faults->degraded.size(); ++i) {
    const Degradation& fault = scenario.faults->degraded[i];
    const std::string name = name_of(fault);
    const std::string track = std::to_string(i + 1) + ". " + name;
    const TimelineFacts facts = {{"every_s", fault.every_s},
                                 {"lasting_s", fault.lasting_s},
                                 {"share", time_share(fault)},
                                 {"remaining", fault.remaining},
                                 {"latency_factor", fault.latency_factor},
                                 {"workers_lost", static_cast<double>(fault.workers_lost)}};
    timeline.spans.push_back({process, track, name + ", as expected", TimelineBasis::expected, 0, 0, facts});
    const auto add = [&](double from_s, double to_s) {
      timeline.spans.push_back({process, track, name, TimelineBasis::drawn, begin_ns + sim::duration_ns(from_s),
                                begin_ns + sim::duration_ns(to_s), facts});
    };
    if (fault.lasting_s >= fault.every_s) add(0.0, until_s);
    for (const FaultEvent& event : drawn.events)
      if (event.index == i) add(event.begin_s, event.end_s);
  }
}

/// The capacity of one store over one period: what a plan says with its ramps in four levels, or the way of a
/// controller.
void add_capacity(const Scenario& scenario, const Store& store, std::vector<TimelineLevel>& levels) {
  const CapacitySchedule& schedule = *store.schedule;
  const auto add = [&](double at_s, double factor) {
    levels.push_back({"stores, one period as planned", "capacity of store '" + store.name + "'",
                      "of its stated figures", TimelineBasis::planned, sim::duration_ns(at_s), factor});
  };
  if (schedule.autoscaling) {
    double at_s = 0.0;
    double factor = 1.0;
    for (const CapacityState& state : capacity_states(schedule, offered_load(scenario, store))) {
      factor = state.factor;
      add(at_s, factor);
      at_s += state.lasting_s;
    }
    const double kept_s = std::min(schedule.period_s - at_s, schedule.autoscaling->delay_s);
    add(at_s + kept_s, at_s + kept_s < schedule.period_s ? 1.0 : factor);
    add(schedule.period_s, 1.0);
    return;
  }
  constexpr int kLevels = 4;
  double before = schedule.steps.back().factor;
  add(0.0, before);
  for (const CapacityStep& step : schedule.steps) {
    for (int level = 0; level < kLevels && before != step.factor && schedule.ramp_s > 0.0; ++level)
      add(step.at_s + schedule.ramp_s * level / kLevels, before + (step.factor - before) * (level + 0.5) / kLevels);
    add(step.at_s + (before != step.factor ? schedule.ramp_s : 0.0), step.factor);
    before = step.factor;
  }
  add(schedule.period_s, before);
}

}  // namespace

void add_course(const Scenario& scenario, const Outcome& outcome, const CourseOptions& options, Timeline& timeline) {
  const bool alone = outcome.jobs.empty() || !outcome.jobs.front().is_beside_others();
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    const std::string& name = scenario.jobs[j].name;
    const auto report =
        std::find_if(outcome.jobs.begin(), outcome.jobs.end(), [&](const JobReport& one) { return one.name == name; });
    if (!scenario.jobs[j].checkpoint || (!alone && report == outcome.jobs.end())) continue;
    const Figures figures = alone ? figures_of(scenario, j, outcome.metrics, outcome.gpu_states)
                                  : figures_of(scenario, j, report->metrics, report->gpu_states);
    if (!(figures.interval_s > 0.0)) continue;
    const TrainingCourse course = course_of(scenario, outcome, j, figures);
    const double drawn_s = length_s(course, options);
    JobCourse shown(name, figures, first_step_ns(timeline, name), timeline.spans);
    shown.add_expected();
    shown.add_drawn(draw_course_until(course, options.seed, options.replication, drawn_s));
    if (course.work_s > 0.0) shown.add_training(draw_course(course, options.seed, options.replication, 0), drawn_s);
  }
  add_faults(scenario, options, timeline);
  for (const Store& store : scenario.stores)
    if (store.schedule) add_capacity(scenario, store, timeline.levels);
}

}  // namespace headrace::models
