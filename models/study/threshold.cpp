#include "models/study/threshold.hpp"

#include <algorithm>

#include "models/outcome/outcome_metrics.hpp"
#include "models/study/paired_difference.hpp"

namespace headrace::models {

namespace {

bool is_upper_limit(Relation relation) { return relation == Relation::less || relation == Relation::at_most; }

Judgement without_answer(const Threshold& threshold, std::string reason) {
  Judgement judgement;
  judgement.threshold = threshold;
  judgement.reason = std::move(reason);
  return judgement;
}

/// Memory that is not there, and such like: nothing runs, so nothing holds.
std::optional<Judgement> infeasible(const Threshold& threshold, const Outcome& outcome) {
  if (outcome.verdict != Verdict::infeasible) return std::nullopt;
  Judgement judgement = without_answer(threshold, "the scenario cannot run at all: infeasible");
  judgement.decision = Ruling::fail;
  return judgement;
}

/// Time that is neither compute nor wait makes the share of waits smaller, and a bound has its mean only.
bool takes_time_off(const Outcome& outcome) {
  return std::any_of(outcome.gpu_states.begin(), outcome.gpu_states.end(), [](const GpuStateShare& state) {
    return state.share > 0.0 && (state.state == GpuState::failure || state.state == GpuState::checkpoint ||
                                 state.state == GpuState::start_up);
  });
}

}  // namespace

bool Threshold::holds(double value) const {
  switch (relation) {
    case Relation::less:
      return value < limit;
    case Relation::at_most:
      return value <= limit;
    case Relation::more:
      return value > limit;
    case Relation::at_least:
      return value >= limit;
  }
  return false;
}

Ruling worse(Ruling a, Ruling b) {
  if (a == Ruling::fail || b == Ruling::fail) return Ruling::fail;
  return a == Ruling::undecided || b == Ruling::undecided ? Ruling::undecided : Ruling::pass;
}

Ruling decide(const Threshold& threshold, const Interval& interval) {
  const bool low = threshold.holds(interval.low);
  const bool high = threshold.holds(interval.high);
  if (low && high) return Ruling::pass;
  return low || high ? Ruling::undecided : Ruling::fail;
}

Judgement judge(const Threshold& threshold, const Outcome& outcome, double widening) {
  if (auto judgement = infeasible(threshold, outcome)) return *judgement;
  const std::optional<Metric> metric = metric_of(outcome, threshold.metric);
  if (!metric) return without_answer(threshold, "this scenario has no such metric");
  Judgement judgement;
  judgement.threshold = threshold;
  judgement.value = metric->mean;
  if (metric->kind != AnswerKind::simulated) {
    judgement.reason = "only a simulated answer decides";
    return judgement;
  }
  if (outcome.precision && !outcome.precision->enough_data) {
    judgement.reason = "not enough data";
    return judgement;
  }
  if (!metric->ci95) {
    if (needs_replications(*metric) || traits_of(metric->name).noise == Noise::interval) {
      judgement.reason = "no interval";
      return judgement;
    }
    judgement.interval = Interval{metric->mean, metric->mean};  // known exactly
  } else {
    judgement.interval = Interval{metric->mean - widening * (metric->mean - metric->ci95->low),
                                  metric->mean + widening * (metric->ci95->high - metric->mean)};
    if (traits_of(metric->name).unit == "1" && metric->mean >= 0.0 && metric->mean <= 1.0)
      judgement.interval = Interval{std::max(0.0, judgement.interval->low), std::min(1.0, judgement.interval->high)};
  }
  judgement.decision = decide(threshold, *judgement.interval);
  if (judgement.decision == Ruling::undecided && outcome.stopped_by == "other_starts")
    judgement.reason = "runs that start otherwise lie on both sides of the limit, so that more time does not tell";
  return judgement;
}

Judgement judge_bound(const Threshold& threshold, const Outcome& bound) {
  if (auto judgement = infeasible(threshold, bound)) return *judgement;
  const std::optional<Metric> metric = metric_of(bound, threshold.metric);
  if (!metric) return without_answer(threshold, "a bound does not limit this metric");
  Judgement judgement;
  judgement.threshold = threshold;
  judgement.value = metric->mean;
  const Bound kind = traits_of(metric->name).bound;
  const bool holds = threshold.holds(metric->mean);
  if (kind == Bound::exact) {
    judgement.interval = Interval{metric->mean, metric->mean};
    judgement.decision = holds ? Ruling::pass : Ruling::fail;
    return judgement;
  }
  const bool low = kind == Bound::no_less;
  if (kind == Bound::open) {
    judgement.reason = "a bound does not limit this metric";
    return judgement;
  }
  if (low && metric->name == "gpu_idle_fraction" && takes_time_off(bound)) {
    judgement.reason =
        "a bound does not say how much time failures and checkpoints take, and so proves nothing about a share of the "
        "time: simulate it";
    return judgement;
  }
  // The value lies beyond the bound: what fails at the bound fails beyond it if that is the wrong way.
  const bool beyond_is_worse = low == is_upper_limit(threshold.relation);
  if (beyond_is_worse && !holds) {
    judgement.decision = Ruling::fail;
    judgement.reason = "the flow bound proves it: no run does better, but for sampling noise";
  } else if (!beyond_is_worse && holds) {
    judgement.decision = Ruling::pass;
    judgement.reason = "the flow bound proves it: no run does worse, but for sampling noise";
  } else {
    judgement.reason = "a bound can only prove a failure: run headrace check without --quick to decide";
  }
  return judgement;
}

}  // namespace headrace::models
