#include "models/job_course.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "models/capacity_states.hpp"
#include "models/cluster_plan.hpp"
#include "models/degradation.hpp"
#include "models/purposes.hpp"
#include "models/twins/checkpoint_interval.hpp"
#include "sim/portable_math.hpp"

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

/// Draws exponential times of one stream, one after the other.
class Times {
 public:
  Times(const CourseOptions& options, sim::Purpose purpose, std::uint32_t entity)
      : key_{options.seed, options.replication, purpose, entity} {}

  double next_s(double mean_s) { return -mean_s * sim::plog1p(-sim::uniform(key_, drawn_++)); }

 private:
  sim::StreamKey key_;
  std::uint64_t drawn_ = 0;
};

class JobCourse {
 public:
  JobCourse(std::string name, const Figures& figures, sim::TimeNs begin_ns, std::uint32_t entity,
            const CourseOptions& options, std::vector<TimelineSpan>& spans)
      : name_(std::move(name)), f_(figures), begin_ns_(begin_ns), entity_(entity), options_(options), spans_(spans) {}

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
  void add_drawn() {
    process_ = name_ + ": checkpoints and failures, drawn";
    basis_ = TimelineBasis::drawn;
    const std::size_t first = spans_.size();
    draw();
    if (f_.pause_s() > 0.0) pause(first);
  }

  /// From the first step to the end of what is drawn.
  double length_s() const {
    const double period_s = f_.interval_s + f_.stall_s;
    const double least_s = static_cast<double>(options_.least_periods) * period_s;
    const double most_s = static_cast<double>(options_.most_periods) * period_s;
    return std::clamp(3.0 * f_.mtbf_s, least_s, std::max(least_s, most_s));
  }

 private:
  static constexpr const char* kJob = "the job";
  static constexpr const char* kWay = "the checkpoint on its way";

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
    add(kWay, "save into the first place", from_s, std::min(from_s + first_s, end_s), {});
    add(kWay, "from there into the store", from_s + first_s, end_s, std::move(facts));
  }

  void draw() {
    Times failures(options_, kDrawFailure, entity_);
    const double period_s = f_.interval_s + f_.stall_s;
    const double end_s = length_s();
    const bool fails = f_.mtbf_s > 0.0;
    double at_s = 0.0;
    double failure_s = fails ? failures.next_s(f_.mtbf_s) : 2.0 * end_s;
    while (at_s < end_s) {
      if (failure_s >= at_s + period_s) {
        add(kJob, "training", at_s, at_s + f_.interval_s, {});
        add(kJob, "stopped for a checkpoint", at_s + f_.interval_s, at_s + period_s, {});
        add_save(at_s + f_.interval_s, at_s + f_.interval_s + period_s);
        at_s += period_s;
        continue;
      }
      add(kJob, "work that a failure throws away", at_s, failure_s, {{"lost_s", failure_s - at_s}});
      at_s = restart(failures, failure_s);
      failure_s = next_failure_s_;
    }
  }

  /// Restarts fail themselves. The end of the one that does not.
  double restart(Times& failures, double at_s) {
    while (true) {
      next_failure_s_ = at_s + failures.next_s(f_.mtbf_s);
      if (next_failure_s_ >= at_s + f_.restart_s || at_s > length_s()) {
        add(kJob, "restart", at_s, at_s + f_.restart_s, {});
        return at_s + f_.restart_s;
      }
      add(kJob, "restart that fails", at_s, next_failure_s_, {});
      at_s = next_failure_s_;
    }
  }

  /// Puts preemptions with enough notice into what was drawn from span `first` on: everything behind waits.
  void pause(std::size_t first) {
    Times reclaims(options_, kDrawReclaim, entity_);
    const sim::TimeNs pause_ns = sim::duration_ns(f_.pause_s());
    const sim::TimeNs end_ns = begin_ns_ + sim::duration_ns(length_s());
    double active_s = reclaims.next_s(1.0 / f_.reclaims_per_s);
    sim::TimeNs paused_ns = 0;
    while (true) {
      const sim::TimeNs at_ns = begin_ns_ + sim::duration_ns(active_s) + paused_ns;
      if (at_ns >= end_ns + paused_ns) return;
      const std::size_t before = spans_.size();
      for (std::size_t i = first; i < before; ++i) split(i, at_ns, pause_ns);
      spans_.push_back(
          {process_, kJob, "preempted with notice: save, replacement, restart", basis_, at_ns, at_ns + pause_ns, {}});
      paused_ns += pause_ns;
      active_s += reclaims.next_s(1.0 / f_.reclaims_per_s);
    }
  }

  void split(std::size_t i, sim::TimeNs at_ns, sim::TimeNs pause_ns) {
    if (spans_[i].end_ns <= at_ns) return;
    if (spans_[i].begin_ns >= at_ns) {
      spans_[i].begin_ns += pause_ns;
      spans_[i].end_ns += pause_ns;
      return;
    }
    if (spans_[i].track != kJob) return;  // a checkpoint goes on its way meanwhile
    TimelineSpan rest = spans_[i];
    spans_[i].end_ns = at_ns;
    rest.begin_ns = at_ns + pause_ns;
    rest.end_ns += pause_ns;
    spans_.push_back(std::move(rest));
  }

  std::string name_;
  Figures f_;
  sim::TimeNs begin_ns_;
  std::uint32_t entity_;
  const CourseOptions& options_;
  std::vector<TimelineSpan>& spans_;
  std::string process_;
  TimelineBasis basis_ = TimelineBasis::expected;
  double next_failure_s_ = 0.0;
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
  return name + (fault.stops ? ": nobody trains" : " is slower");
}

void add_faults(const Scenario& scenario, const CourseOptions& options, Timeline& timeline) {
  if (!scenario.faults || scenario.faults->degraded.empty()) return;
  const std::string process = "faults, drawn";
  double end_s = sim::seconds(end_of(timeline));
  double soonest_s = scenario.faults->degraded.front().every_s;
  for (const Degradation& fault : scenario.faults->degraded) soonest_s = std::min(soonest_s, fault.every_s);
  const bool interrupted = std::any_of(timeline.spans.begin(), timeline.spans.end(),
                                       [](const TimelineSpan& span) { return span.basis == TimelineBasis::drawn; });
  if (!interrupted) end_s = std::max(end_s, 3.0 * soonest_s);  // else the periods of the checkpoints say how long
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
    Times gaps(options, kDrawDegradation, static_cast<std::uint32_t>(i));
    const double mean_gap_s = std::max(0.0, fault.every_s - fault.lasting_s);
    for (double at_s = gaps.next_s(mean_gap_s); at_s < end_s; at_s += fault.lasting_s + gaps.next_s(mean_gap_s))
      timeline.spans.push_back({process, track, name, TimelineBasis::drawn, sim::duration_ns(at_s),
                                sim::duration_ns(at_s + fault.lasting_s), facts});
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
    JobCourse course(name, figures, first_step_ns(timeline, name), static_cast<std::uint32_t>(j), options,
                     timeline.spans);
    course.add_expected();
    course.add_drawn();
  }
  add_faults(scenario, options, timeline);
  for (const Store& store : scenario.stores)
    if (store.schedule) add_capacity(scenario, store, timeline.levels);
}

}  // namespace headrace::models
