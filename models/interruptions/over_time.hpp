// Everything that makes a scenario another one for a part of the time, in one: faults that slow a job down, new data,
// a store whose capacity changes, writes of checkpoints beside reads.
#pragma once

#include <functional>

#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

/// Whether any of it is there.
bool changes_over_time(const Scenario& scenario);

/// `answer` of the scenario where nothing changes, averaged over its states of time.
Outcome over_time(const Scenario& scenario, const std::function<Outcome(const Scenario&)>& answer);

/// The same for limits that hold in any order of service: writes of checkpoints take their mean from what reads use.
Outcome bound_over_time(const Scenario& scenario, const std::function<Outcome(const Scenario&)>& bound);

}  // namespace headrace::models
