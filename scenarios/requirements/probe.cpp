#include "scenarios/requirements/probe.hpp"

#include <algorithm>
#include <limits>

#include "models/answer/queueing_estimate.hpp"
#include "models/base/abandoned.hpp"
#include "models/base/task_pool.hpp"
#include "models/interruptions/fault_course.hpp"
#include "models/path/ingest_path.hpp"
#include "models/study/gate.hpp"
#include "models/study/metric_value.hpp"
#include "models/study/race_run.hpp"
#include "scenarios/planner/events.hpp"

namespace headrace::scenarios {

using models::HoldUnder;
using models::Outcome;
using models::Ruling;
using models::Scenario;
using models::Threshold;

namespace {

constexpr double kBatchesOfLarge = 2048.0;  ///< a step; a thousand such steps take half a minute
constexpr std::uint64_t kStepsOfLarge = 512;
constexpr double kNothingAtAll = std::numeric_limits<double>::infinity();

double excess_of(const Threshold& threshold, double value, double limit) {
  const bool upper = threshold.relation == models::Relation::less || threshold.relation == models::Relation::at_most;
  if (upper) return limit > 0.0 ? value / limit - 1.0 : value - limit;
  return value > 0.0 ? limit / value - 1.0 : kNothingAtAll;
}

/// A store that serves metadata operations one by one has no server to lose: its rate falls instead.
Scenario on_the_day(const Scenario& scenario, const HoldUnder& hold) {
  std::optional<Scenario> other = during(scenario, hold);
  if (!other)
    throw models::UnusableRequest(
        "a leaf cannot be lost: the job lies under one leaf",
        "leave leaf_down out of must_hold_under, or set nodes_per_leaf below the job's nodes");
  if (hold.event != models::PlanEvent::storage_node_down) return *other;
  for (std::size_t i = 0; i < scenario.stores.size(); ++i) {
    const bool slower = other->stores[i].bandwidth_bytes_per_s < scenario.stores[i].bandwidth_bytes_per_s;
    if (slower && scenario.stores[i].metadata.servers == 1)
      other->stores[i].metadata.latency_s =
          scaled(scenario.stores[i].metadata.latency_s, 1.0 / (1.0 - 1.0 / static_cast<double>(hold.servers)));
  }
  return *other;
}

LimitValue exact_value(const Threshold& threshold, double value, double limit) {
  LimitValue one{value, limit, {}, Ruling::pass, excess_of(threshold, value, limit)};
  Threshold shifted = threshold;
  shifted.limit = limit;
  if (!shifted.holds(value)) one.decision = Ruling::fail;
  return one;
}

LimitValue infeasible_value(double limit) { return {kNothingAtAll, limit, {}, Ruling::fail, kNothingAtAll}; }

}  // namespace

bool Standing::holds() const {
  return known &&
         std::all_of(limits.begin(), limits.end(), [](const LimitValue& one) { return one.decision != Ruling::fail; });
}

std::size_t Standing::tightest() const {
  const auto found = std::max_element(limits.begin(), limits.end(),
                                      [](const LimitValue& a, const LimitValue& b) { return a.excess < b.excess; });
  return static_cast<std::size_t>(found - limits.begin());
}

Probe::Probe(std::vector<JobLimit> limits, ProbeOptions options)
    : limits_(std::move(limits)), options_(std::move(options)) {
  groups_.emplace_back();
  for (std::size_t i = 0; i < limits_.size(); ++i) {
    const auto same = std::find_if(groups_.begin(), groups_.end(), [&](const std::vector<std::size_t>& group) {
      if (group.empty()) return !limits_[i].event;
      const auto& event = limits_[group.front()].event;
      if (!event || !limits_[i].event) return event.has_value() == limits_[i].event.has_value();
      return event->event == limits_[i].event->event && event->servers == limits_[i].event->servers;
    });
    if (same != groups_.end())
      same->push_back(i);
    else
      groups_.push_back({i});
  }
}

double Probe::spent_s() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

void Probe::end_if_late() const {
  models::end_if_abandoned(options_.stop);
  if (options_.max_wall_s > 0.0 && spent_s() >= options_.max_wall_s) throw models::Abandoned();
}

void Probe::before_run() {
  end_if_late();
  const std::lock_guard lock(shared_);
  if (options_.progress) options_.progress(phase_, runs_);
}

void Probe::add_runs(std::size_t runs) {
  const std::lock_guard lock(shared_);
  runs_ += runs;
}

models::StudyOptions Probe::study() const {
  models::StudyOptions study;
  study.seed = options_.seed;
  study.threads = options_.threads;
  study.granularity = models::Granularity{};  // as plans
  study.relief = false;
  study.courses = std::any_of(limits_.begin(), limits_.end(),
                              [](const JobLimit& limit) { return models::is_of_courses(limit.threshold.metric); });
  study.first_epoch = std::any_of(limits_.begin(), limits_.end(), [](const JobLimit& limit) {
    return models::is_of_first_epoch(limit.threshold.metric);
  });
  study.abandon = options_.stop;
  if (options_.max_wall_s > 0.0) study.max_wall_s = std::max(1e-3, options_.max_wall_s - spent_s());
  return study;
}

Outcome Probe::run(const Scenario& scenario) {
  before_run();
  add_runs(1);
  models::StudyOptions options = study();
  options.steps = steps_;
  Outcome outcome = models::simulate(scenario, options);
  end_if_late();  // a run that was cut short says nothing
  if (steps_ == 0) steps_ = outcome.steps;
  return outcome;
}

Outcome Probe::outcome(const Scenario& scenario, bool relief) {
  before_run();
  large_ = models::batches_per_step(scenario) > kBatchesOfLarge;
  add_runs(1);
  models::StudyOptions options = study();
  options.relief = relief;
  if (large_) options.steps = kStepsOfLarge;
  Outcome outcome = models::simulate(scenario, options);
  end_if_late();  // a run that was cut short says nothing
  if (steps_ == 0) steps_ = outcome.steps;
  return outcome;
}

Standing Probe::stand(const Scenario& scenario, const Answer& answer) {
  Standing standing;
  standing.limits.resize(limits_.size());
  std::optional<double> normal_s;
  for (const std::vector<std::size_t>& group : groups_) {
    const bool normal = group.empty() || !limits_[group.front()].event;
    const bool asked =
        std::any_of(limits_.begin(), limits_.end(), [](const auto& one) { return one.slowdown.has_value(); });
    if (group.empty() && !asked) continue;
    const Scenario day = normal ? scenario : on_the_day(scenario, *limits_[group.front()].event);
    const Outcome outcome = answer(day);
    if (normal) normal_s = models::metric_value(outcome, "epoch_time_s");
    for (const std::size_t i : group) {
      const JobLimit& limit = limits_[i];
      const double allowed = limit.slowdown ? *limit.slowdown * normal_s.value_or(0.0) : limit.threshold.limit;
      const auto value = limit.threshold.metric == kFirstStep ? std::optional<double>(first_step_s(day))
                                                              : models::metric_value(outcome, limit.threshold.metric);
      if (outcome.verdict == models::Verdict::infeasible)
        standing.limits[i] = infeasible_value(allowed);
      else if (value)
        standing.limits[i] = exact_value(limit.threshold, *value, allowed);
      else
        standing.known = false;
      standing.decision = worse(standing.decision, standing.limits[i].decision);
    }
  }
  return standing;
}

bool Probe::excluded(const Scenario& scenario) {
  end_if_late();
  return std::any_of(groups_.begin(), groups_.end(), [&](const std::vector<std::size_t>& group) {
    if (group.empty()) return false;
    const auto& event = limits_[group.front()].event;
    const Scenario day = event ? on_the_day(scenario, *event) : scenario;
    std::vector<Threshold> thresholds;
    for (const std::size_t i : group)
      if (limits_[i].threshold.metric != kFirstStep && !limits_[i].slowdown) thresholds.push_back(limits_[i].threshold);
    if (thresholds.empty()) return false;
    const models::GateResult result = check_bounds(day, thresholds);
    return std::any_of(result.judgements.begin(), result.judgements.end(),
                       [](const models::Judgement& one) { return one.decision == Ruling::fail; });
  });
}

Standing Probe::estimate(const Scenario& scenario) {
  ++estimates_;
  return stand(scenario, [this](const Scenario& day) { return models::queueing_estimate(day, options_.seed); });
}

Standing Probe::look(const Scenario& scenario) {
  if (excluded(scenario)) {
    Standing standing;
    standing.limits.resize(limits_.size());
    standing.limits.front().decision = standing.decision = Ruling::fail;
    return standing;
  }
  if (large_)
    if (Standing standing = estimate(scenario); standing.known) return standing;
  return simulate(scenario);
}

Standing Probe::simulate(const Scenario& scenario) {
  return stand(scenario, [this](const Scenario& day) { return run(day); });
}

/// Of the limits of one group of days, by the gate that `check` uses; values in the order of the group.
Standing Probe::judged(const Scenario& scenario, const std::vector<std::size_t>& group,
                       const std::optional<double>& normal_s, std::uint32_t looks) {
  before_run();
  std::vector<Threshold> thresholds;
  for (const std::size_t i : group) {
    Threshold threshold = limits_[i].threshold;
    if (limits_[i].slowdown) threshold.limit = *limits_[i].slowdown * normal_s.value_or(0.0);
    if (threshold.metric != kFirstStep) thresholds.push_back(std::move(threshold));
  }
  models::GateOptions gate;
  gate.study = study();
  gate.decide_all = true;
  gate.looks = looks;
  models::GateResult result;
  if (!thresholds.empty()) result = check_thresholds(scenario, thresholds, gate);
  end_if_late();
  add_runs(result.looks);
  Standing standing;
  std::size_t next = 0;
  for (const std::size_t i : group) {
    if (limits_[i].threshold.metric == kFirstStep) {
      standing.limits.push_back(exact_value(limits_[i].threshold, first_step_s(scenario), limits_[i].threshold.limit));
      continue;
    }
    const models::Judgement& one = result.judgements[next++];
    const double value = one.value.value_or(kNothingAtAll);
    standing.limits.push_back(
        {value, one.threshold.limit, one.interval, one.decision, excess_of(one.threshold, value, one.threshold.limit)});
  }
  return standing;
}

Standing Probe::decide(const Scenario& scenario, std::uint32_t looks) {
  Standing standing;
  standing.limits.resize(limits_.size());
  std::optional<double> normal_s;
  if (std::any_of(limits_.begin(), limits_.end(), [](const JobLimit& one) { return one.slowdown.has_value(); }))
    normal_s = models::metric_value(outcome(scenario), "epoch_time_s");
  for (const std::vector<std::size_t>& group : groups_) {
    if (group.empty()) continue;
    const auto& event = limits_[group.front()].event;
    const Standing part = judged(event ? on_the_day(scenario, *event) : scenario, group, normal_s, looks);
    for (std::size_t i = 0; i < group.size(); ++i) {
      standing.limits[group[i]] = part.limits[i];
      standing.decision = worse(standing.decision, part.limits[i].decision);
    }
  }
  return standing;
}

std::vector<Standing> Probe::decide_each(const std::vector<Scenario>& scenarios, std::uint32_t looks) {
  std::vector<Standing> standings(scenarios.size());
  models::TaskPool(options_.threads).run(scenarios.size(), [&](std::size_t i) {
    standings[i] = decide(scenarios[i], looks);
  });
  return standings;
}

}  // namespace headrace::scenarios
