#include "scenarios/planner/trial.hpp"

#include <algorithm>
#include <cmath>

#include "models/answer/queueing_estimate.hpp"
#include "models/base/abandoned.hpp"
#include "models/outcome/total_epoch_cost.hpp"
#include "models/study/paired_difference.hpp"
#include "models/study/study.hpp"
#include "sim/student_t.hpp"

namespace headrace::scenarios {

using models::EpochFigures;
using models::Outcome;
using models::PlanGoal;
using models::RaceMean;
using models::RaceRun;
using models::Scenario;

namespace {

/// Intervals of an outcome do not say how many batches they rest on; this few make their tails long.
constexpr std::uint64_t kDegrees = 15;
constexpr double kManyBatches = 1000;  ///< of a step: a simulation takes a hundred times as long as the proof

double half_width_to_error(const models::Interval& interval) {
  const double half = 0.5 * (interval.high - interval.low);
  return half / sim::student_t_quantile(0.975, static_cast<std::int64_t>(kDegrees));
}

RaceMean measured(const Outcome& outcome, std::string_view name, double floor) {
  const models::Metric* metric = outcome.find(name);
  if (metric == nullptr) return {floor, 0.0, kDegrees};
  // None: a run of a step or two, which says nothing.
  const double error = metric->ci95 ? half_width_to_error(*metric->ci95) : std::abs(metric->mean);
  return {std::max(floor, metric->mean), error, kDegrees};
}

/// What the goal gains per second of the step time.
double slope(PlanGoal goal, const models::PointBound& lines, double step_s) {
  switch (goal) {
    case PlanGoal::epoch_time:
      return lines.epoch_s_per_s;
    case PlanGoal::idle:
      return step_s > lines.step_floor_s ? lines.step_floor_s / (step_s * step_s) : 0.0;
    default:
      return lines.usd_per_s;
  }
}

}  // namespace

EpochMeasure plain_measure(const models::PointBound& lines, const RaceMean& step_s) {
  EpochMeasure all;
  all.step_time_s = step_s;
  all.step_time_s.mean = std::max(lines.step_time_s, step_s.mean);
  all.figures = epoch_figures(lines, all.step_time_s.mean);
  const auto scaled = [&](PlanGoal goal, double mean) {
    return RaceMean{mean, slope(goal, lines, all.step_time_s.mean) * step_s.standard_error, step_s.degrees_of_freedom};
  };
  all.epoch_time_s = scaled(PlanGoal::epoch_time, all.figures.epoch_time_s);
  all.cost_usd = scaled(PlanGoal::cost_per_epoch, all.figures.cost_usd);
  all.idle_fraction = scaled(PlanGoal::idle, all.figures.idle_fraction);
  return all;
}

std::string_view metric_of_goal(PlanGoal goal) {
  switch (goal) {
    case PlanGoal::epoch_time:
      return "epoch_time_s";
    case PlanGoal::idle:
      return "gpu_idle_fraction";
    default:
      return "cost_per_epoch_usd";
  }
}

double goal_of(const EpochFigures& figures, PlanGoal goal) {
  switch (goal) {
    case PlanGoal::epoch_time:
      return figures.epoch_time_s;
    case PlanGoal::idle:
      return figures.idle_fraction;
    default:
      return figures.cost_usd;
  }
}

const RaceMean& EpochMeasure::of(PlanGoal goal) const {
  switch (goal) {
    case PlanGoal::epoch_time:
      return epoch_time_s;
    case PlanGoal::idle:
      return idle_fraction;
    default:
      return cost_usd;
  }
}

bool run_unless_stopped(RaceRun& run, std::uint64_t steps, const std::stop_token& stop) {
  try {
    models::end_if_abandoned(stop);
    run.run_to(steps, stop);
  } catch (const models::Abandoned&) {
    return false;
  }
  return true;
}

Trial::Trial(const Scenario& scenario, std::uint64_t seed, const std::stop_token& stop, Shortcut shortcut)
    : stop_(stop) {
  if (models::is_plain(scenario)) {
    bound_ = point_bound(scenario);
    if (shortcut != Shortcut::none && models::batches_per_step(scenario) >= kManyBatches)
      proved_step_s_ = models::surely_fed_step_s(scenario, seed);
    const auto engine = shortcut == Shortcut::sample ? RaceRun::Engine::sampled : RaceRun::Engine::contended;
    if (!proved_step_s_) race_ = std::make_unique<RaceRun>(scenario, seed, engine);
    return;
  }
  Scenario closed_form = scenario;  // caches by their closed forms, as in bounds and races
  for (models::Pool& pool : closed_form.cluster.pools) pool.cache.fidelity = models::CacheFidelity::statistical;
  floor_ = cluster_bound(closed_form).figures;
  if (scenario.objective && scenario.objective->counts_total_cost()) site_ = models::site_payments(scenario);
  models::StudyOptions options;
  options.seed = seed;
  options.threads = 1;  // trials run side by side
  options.granularity = models::Granularity{};
  options.relief = false;
  options.control = false;
  options.courses = options.first_epoch = false;  // no goal of a plan counts them
  options.rough_intervals = true;
  options.keep_series = true;
  options.abandon = stop;
  study_ = std::make_unique<models::ResumableStudy>(closed_form, options);
}

Trial::~Trial() = default;
Trial::Trial(Trial&&) noexcept = default;
Trial& Trial::operator=(Trial&&) noexcept = default;

bool Trial::run_to(std::uint64_t steps) {
  if (steps <= steps_) return true;
  if (race_ && !run_unless_stopped(*race_, steps, stop_)) return false;
  try {
    if (study_) outcome_ = study_->run_to(steps);
    if (site_) restate_at_total_cost(*site_, *outcome_);
  } catch (const models::Abandoned&) {
    return false;
  }
  steps_ = steps;
  return true;
}

EpochMeasure Trial::measure() const {
  if (proved_step_s_) return plain_measure(bound_, {*proved_step_s_, 0.0, kDegrees});
  if (race_) return plain_measure(bound_, race_->step_time_s());
  EpochMeasure all;
  all.figures = epoch_figures(*outcome_);
  all.step_time_s = measured(*outcome_, "step_time_s", floor_.step_time_s);
  all.epoch_time_s = measured(*outcome_, "epoch_time_s", floor_.epoch_time_s);
  all.cost_usd = measured(*outcome_, "cost_per_epoch_usd", floor_.cost_usd);
  all.idle_fraction = measured(*outcome_, "gpu_idle_fraction", floor_.idle_fraction);
  return all;
}

RaceMean Trial::difference_from(const Trial& base, PlanGoal goal) const {
  const EpochMeasure own = measure();
  const EpochMeasure other = base.measure();
  RaceMean difference = independent_difference(own.of(goal), other.of(goal));
  if (race_ && base.race_) {
    const RaceMean paired = race_->difference_from(*base.race_, slope(goal, bound_, own.step_time_s.mean),
                                                   slope(goal, base.bound_, other.step_time_s.mean));
    difference.standard_error = paired.standard_error;
    difference.degrees_of_freedom = paired.degrees_of_freedom;
    // Idle shares are no straight line over the step time, and what is paid whatever it is does not show in a slope.
    if (goal == PlanGoal::epoch_time) difference.mean = paired.mean + bound_.epoch_fixed_s - base.bound_.epoch_fixed_s;
    if (counts_dollars(goal)) difference.mean = paired.mean + bound_.fixed_usd - base.bound_.fixed_usd;
    return difference;
  }
  if (!study_ || !base.study_) return difference;
  const auto paired = paired_difference(*base.outcome_, *outcome_, metric_of_goal(goal));
  if (!paired || !paired->ci) return difference;
  return {paired->mean, half_width_to_error(*paired->ci), kDegrees};
}

}  // namespace headrace::scenarios
