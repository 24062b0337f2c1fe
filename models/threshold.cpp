#include "models/threshold.hpp"

#include <algorithm>
#include <array>

#include "models/paired_difference.hpp"

namespace headrace::models {

namespace {

/// What no run can be below, or above.
constexpr std::array<std::string_view, 7> kNoLess = {"step_time_s",
                                                     "epoch_time_s",
                                                     "first_epoch_time_s",
                                                     "gpu_idle_fraction",
                                                     "cost_per_epoch_usd",
                                                     "cost_per_useful_gpu_hour_usd",
                                                     "idle_cost_per_epoch_usd"};
constexpr std::array<std::string_view, 7> kNoMore = {"gpu_utilization",    "goodput_fraction",  "samples_per_s",
                                                     "ingest_bytes_per_s", "store_bytes_per_s", "mlperf_au_v1_percent",
                                                     "mlperf_au_percent"};
constexpr std::array<std::string_view, 9> kExact = {
    "cache_hit_ratio", "page_cache_hit_ratio",     "peer_hit_ratio", "shared_cache_hit_ratio", "list_requests",
    "store_overhead",  "egress_cost_per_year_usd", "staging_time_s", "gpu_memory_bytes"};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_upper_limit(Relation relation) { return relation == Relation::less || relation == Relation::at_most; }

std::string_view own_name(std::string_view metric) {
  const std::size_t slash = metric.starts_with("jobs/") ? metric.rfind('/') : std::string_view::npos;
  return slash == std::string_view::npos ? metric : metric.substr(slash + 1);
}

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
    if (needs_replications(*metric) || contains(kNoLess, own_name(metric->name)) ||
        contains(kNoMore, own_name(metric->name))) {
      judgement.reason = "no interval";
      return judgement;
    }
    judgement.interval = Interval{metric->mean, metric->mean};  // known exactly
  } else {
    judgement.interval = Interval{metric->mean - widening * (metric->mean - metric->ci95->low),
                                  metric->mean + widening * (metric->ci95->high - metric->mean)};
  }
  judgement.decision = decide(threshold, *judgement.interval);
  return judgement;
}

Judgement judge_bound(const Threshold& threshold, const Outcome& bound) {
  if (auto judgement = infeasible(threshold, bound)) return *judgement;
  const std::optional<Metric> metric = metric_of(bound, threshold.metric);
  if (!metric) return without_answer(threshold, "a bound says nothing about this metric");
  Judgement judgement;
  judgement.threshold = threshold;
  judgement.value = metric->mean;
  const std::string_view name = own_name(metric->name);
  const bool holds = threshold.holds(metric->mean);
  if (contains(kExact, name)) {
    judgement.interval = Interval{metric->mean, metric->mean};
    judgement.decision = holds ? Ruling::pass : Ruling::fail;
    return judgement;
  }
  const bool low = contains(kNoLess, name);
  if (!low && !contains(kNoMore, name)) {
    judgement.reason = "a bound says nothing about this metric";
    return judgement;
  }
  // The value lies beyond the bound: what fails at the bound fails beyond it if that is the wrong way.
  const bool beyond_is_worse = low == is_upper_limit(threshold.relation);
  if (beyond_is_worse && !holds) {
    judgement.decision = Ruling::fail;
    judgement.reason = low ? "no run can be below this bound" : "no run can be above this bound";
  } else if (!beyond_is_worse && holds) {
    judgement.decision = Ruling::pass;
    judgement.reason = low ? "no run can be below this bound" : "no run can be above this bound";
  } else {
    judgement.reason = "a bound proves failures only; simulate to decide: headrace check without --quick";
  }
  return judgement;
}

}  // namespace headrace::models
