#include "models/degradation.hpp"

#include <algorithm>
#include <cmath>  // std::floor only

#include "models/outcome_assembly.hpp"
#include "models/outcome_metrics.hpp"
#include "models/ownership.hpp"

namespace headrace::models {

namespace {

void slow_down(Store& store, const Degradation& d) {
  store.bandwidth_bytes_per_s *= d.remaining;
  store.write_bandwidth_bytes_per_s *= d.remaining;
  store.requests_per_s *= d.remaining;
  const double servers = std::floor(static_cast<double>(store.metadata.servers) * d.remaining);
  if (store.metadata.servers > 0)
    store.metadata.servers = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(servers));
  store.latency_s = scaled(store.latency_s, d.latency_factor);
  store.metadata.latency_s = scaled(store.metadata.latency_s, d.latency_factor);
}

/// A share of time and what an outcome is in it; without an outcome nobody trains.
struct TimeState {
  double share = 0.0;
  const Outcome* outcome = nullptr;
};

double metric_in(const TimeState& state, const std::string& name) {
  const Metric* metric = state.outcome == nullptr ? nullptr : state.outcome->find(name);
  return metric == nullptr ? 0.0 : metric->mean;
}

void stretch(Metric& metric, double factor) {
  metric.mean *= factor;
  for (std::optional<Interval>* interval : {&metric.ci95, &metric.input_range})
    if (*interval) *interval = Interval{(*interval)->low * factor, (*interval)->high * factor};
}

/// Rates and shares are averages over time; what a number of steps takes is the inverse of one.
void average(Metric& metric, const std::vector<TimeState>& states) {
  const MetricDescription* description = find_metric(metric.name);
  const bool duration =
      metric.name == "step_time_s" || (description != nullptr && description->over_time == OverTime::duration);
  const bool share = description != nullptr && description->over_time == OverTime::share;
  if (!duration && !share) return;
  double mean = 0.0;
  for (const TimeState& state : states) {
    const double value = metric_in(state, metric.name);
    if (share) mean += state.share * value;
    if (duration && value > 0.0) mean += state.share / value;
  }
  if (duration && !(mean > 0.0)) return;
  const double averaged = duration ? 1.0 / mean : mean;
  if (metric.mean > 0.0) return stretch(metric, averaged / metric.mean);
  metric.mean = averaged;  // nothing in the healthy state: its interval says nothing about this
  if (averaged > 0.0) metric.ci95.reset();
}

void average(std::vector<StageShare>& shares, const std::vector<StageShare> Outcome::*member,
             const std::vector<TimeState>& states) {
  for (StageShare& share : shares) share.mean = share.queueing = 0.0;
  for (const TimeState& state : states) {
    if (state.outcome == nullptr) continue;
    for (const StageShare& part : state.outcome->*member) {
      auto found = std::find_if(shares.begin(), shares.end(),
                                [&](const StageShare& share) { return share.stage == part.stage; });
      if (found == shares.end()) {
        found = shares.insert(shares.end(), part);
        found->mean = found->queueing = 0.0;
      }
      found->mean += state.share * part.mean;
      found->queueing += state.share * part.queueing;
    }
  }
  for (StageShare& share : shares) share.ci95.reset();
}

void average_states(std::vector<GpuStateShare>& shares, const std::vector<TimeState>& states) {
  for (GpuStateShare& share : shares) {
    share.share = 0.0;
    for (const TimeState& state : states) {
      if (state.outcome == nullptr) share.share += share.state == GpuState::failure ? state.share : 0.0;
      if (state.outcome == nullptr) continue;
      for (const GpuStateShare& part : state.outcome->gpu_states)
        if (part.state == share.state) share.share += state.share * part.share;
    }
  }
}

void lengthen_ledger(double factor, Outcome& outcome) {
  double added_usd = 0.0;
  for (LedgerLine& line : outcome.ledger) {
    if (!line.by_time) continue;
    added_usd += line.usd * (factor - 1.0);
    line.quantity *= factor;
    line.usd *= factor;
  }
  for (Metric& metric : outcome.metrics)
    if (metric.name == "cost_per_epoch_usd" && metric.mean > 0.0)
      stretch(metric, (metric.mean + added_usd) / metric.mean);
}

/// What GPUs cost that wait, after idle share and epoch are averages.
void charge_idle_time(const Scenario& scenario, Outcome& outcome) {
  const double gpu_usd_per_s = resolve_path(scenario, 0, {}).gpus * gpu_hour_usd(scenario.prices) / 3600.0;
  const Metric* idle = outcome.find("gpu_idle_fraction");
  const Metric* epoch_s = outcome.find("epoch_time_s");
  if (idle == nullptr || epoch_s == nullptr) return;
  const double usd = idle->mean * gpu_usd_per_s * epoch_s->mean;
  for (Metric& metric : outcome.metrics) {
    if (metric.name != "idle_cost_per_epoch_usd") continue;
    if (metric.mean > 0.0) return stretch(metric, usd / metric.mean);
    metric.mean = usd;
    if (usd > 0.0) metric.ci95.reset();
  }
}

/// A job that is fed while all is well may still wait for data on average.
void decide(const std::vector<TimeState>& states, Outcome& outcome) {
  const Metric* idle = outcome.find("gpu_idle_fraction");
  if (outcome.verdict != Verdict::fed || idle == nullptr || idle->mean <= kFedIdleFraction) return;
  outcome.verdict = Verdict::ingest_bound;
  double most = 0.0;
  for (const TimeState& state : states) {
    const double waited = state.share * metric_in(state, "gpu_idle_fraction");
    if (waited <= most) continue;
    most = waited;
    outcome.binding = state.outcome->binding;
  }
}

}  // namespace

double time_share(const Degradation& degradation) { return std::min(1.0, degradation.lasting_s / degradation.every_s); }

Scenario degraded(const Scenario& scenario, const Degradation& degradation) {
  Scenario slower = scenario;
  slower.faults->degraded.clear();
  for (Store& store : slower.stores)
    if (store.name == degradation.store) slow_down(store, degradation);
  for (Job& job : slower.jobs) {
    const std::uint64_t workers = job.loader.workers;
    const std::uint64_t lost = std::min(degradation.workers_lost, workers - 1);
    if (job.loader.outstanding > 0) job.loader.outstanding = job.loader.outstanding / workers * (workers - lost);
    job.loader.workers = workers - lost;
  }
  return slower;
}

Outcome with_degradations(const Scenario& scenario, const std::function<Outcome(const Scenario&)>& answer) {
  if (!scenario.faults || scenario.faults->degraded.empty()) return answer(scenario);
  const Outcome healthy = answer(scenario);
  std::vector<Outcome> slower;
  slower.reserve(scenario.faults->degraded.size());
  std::vector<TimeState> states{{1.0, &healthy}};
  for (const Degradation& degradation : scenario.faults->degraded) {
    const double share = time_share(degradation);
    for (TimeState& state : states) state.share *= 1.0 - share;
    if (!degradation.stops) slower.push_back(answer(degraded(scenario, degradation)));
    states.push_back({share, degradation.stops ? nullptr : &slower.back()});
  }
  Outcome outcome = healthy;
  for (Metric& metric : outcome.metrics) average(metric, states);
  average(outcome.blame, &Outcome::blame, states);
  average(outcome.relief, &Outcome::relief, states);
  average_states(outcome.gpu_states, states);
  const double epoch_s = healthy.find("epoch_time_s")->mean;
  lengthen_ledger(outcome.find("epoch_time_s")->mean / epoch_s, outcome);
  outcome.metrics.push_back(
      {"degraded_time_fraction", 1.0 - states.front().share, {}, {}, healthy.metrics.front().kind});
  charge_idle_time(scenario, outcome);
  decide(states, outcome);
  if (!outcome.jobs.empty()) outcome.jobs.front().metrics = outcome.metrics;
  return outcome;
}

}  // namespace headrace::models
