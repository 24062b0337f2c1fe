#include "models/interruptions/degradation.hpp"

#include <algorithm>
#include <cmath>  // std::floor only

#include "models/base/limits.hpp"
#include "models/interruptions/time_states.hpp"

namespace headrace::models {

namespace {

void slow_down(Store& store, const Degradation& d) {
  store.bandwidth_bytes_per_s *= d.remaining;
  store.write_bandwidth_bytes_per_s *= d.remaining;
  if (store.write_cache) store.write_cache->slow_down(d.remaining);
  store.requests_per_s = times(store.requests_per_s, d.remaining);
  if (store.metadata.servers)
    store.metadata.servers = std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(std::floor(static_cast<double>(*store.metadata.servers) * d.remaining)));
  store.latency_s = scaled(store.latency_s, d.latency_factor);
  store.metadata.latency_s = scaled(store.metadata.latency_s, d.latency_factor);
}

/// How fast an epoch passes, over what it does in another outcome.
double speed(const Outcome& outcome, const Outcome& other) {
  const Metric* time = outcome.find("epoch_time_s");
  const Metric* other_time = other.find("epoch_time_s");
  return time == nullptr || other_time == nullptr || !(time->mean > 0.0) ? 1.0 : other_time->mean / time->mean;
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
  Outcome outcome = averaged_over_time(scenario, states);
  outcome.metrics.push_back(
      {"degraded_time_fraction", 1.0 - states.front().share, {}, {}, healthy.metrics.front().kind});
  for (std::size_t i = 1; i < states.size(); ++i)
    outcome.slowed.push_back(
        {states[i].share, states[i].outcome == nullptr ? 0.0 : speed(*states[i].outcome, healthy)});
  outcome.restate_lone_job();
  return outcome;
}

}  // namespace headrace::models
