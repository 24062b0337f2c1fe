#include "models/interruptions/over_time.hpp"

#include <algorithm>

#include "models/cluster/cluster_plan.hpp"
#include "models/interruptions/capacity_states.hpp"
#include "models/interruptions/checkpoint_writes.hpp"
#include "models/interruptions/degradation.hpp"
#include "models/interruptions/stream_ingest.hpp"
#include "models/outcome/evidence.hpp"

namespace headrace::models {

namespace {

using Answer = std::function<Outcome(const Scenario&)>;

Outcome over_states(const Scenario& scenario, const Answer& writing) {
  return with_degradations(scenario, [&](const Scenario& state) {
    return with_streams(state, [&](const Scenario& fed) { return with_capacity_schedule(fed, writing); });
  });
}

}  // namespace

bool changes_over_time(const Scenario& scenario) {
  return (scenario.faults && !scenario.faults->degraded.empty()) ||
         std::any_of(scenario.jobs.begin(), scenario.jobs.end(),
                     [](const Job& job) { return job.checkpoint.has_value(); }) ||
         std::any_of(scenario.stores.begin(), scenario.stores.end(),
                     [](const Store& store) { return store.schedule.has_value(); }) ||
         std::any_of(scenario.datasets.begin(), scenario.datasets.end(),
                     [](const Dataset& dataset) { return dataset.stream.has_value(); });
}

Outcome over_time(const Scenario& scenario, const Answer& answer) {
  if (!changes_over_time(scenario)) return answer(scenario);
  return over_states(scenario, [&](const Scenario& state) { return with_checkpoint_writes(state, answer); });
}

Outcome bound_over_time(const Scenario& scenario, const Answer& bound) {
  if (!changes_over_time(scenario)) return bound(scenario);
  // Of several jobs each is bound alone, less its own writes.
  return over_states(scenario, [&](const Scenario& state) {
    if (is_shared(state)) return bound(state);
    const Scenario less = less_mean_writes(state);
    Outcome outcome = bound(less);
    const bool writes = less.jobs.front().checkpoint && less.jobs.front().checkpoint->load_s;
    if (writes) outcome.evidence.not_validated.emplace_back(kWritesNotValidated);
    return outcome;
  });
}

}  // namespace headrace::models
