// Faults that slow a job down without stopping it for good: a slow disk, a storage server that is down, a stuck worker.
//
// Each comes and goes on its own; while it lasts, the job trains as it would if it always lasted. A job is in the
// states in proportion to their time, so that rates and shares are averages over time, and durations of a number of
// steps are harmonic ones. Deviations: two at once and the moments of change are left out.
#pragma once

#include <functional>

#include "models/outcome/outcome.hpp"
#include "models/spec/faults.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

/// Share of time that a fault is there: lasting / every, at most 1.
double time_share(const Degradation& degradation);

/// The scenario while this fault lasts.
Scenario degraded(const Scenario& scenario, const Degradation& degradation);

/// `answer` of the scenario, and of it under each of its faults.
Outcome with_degradations(const Scenario& scenario, const std::function<Outcome(const Scenario&)>& answer);

}  // namespace headrace::models
