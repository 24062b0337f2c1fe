// The flow bound as an answer: the largest floor of models/hops/resource_floors.hpp in every window of the epoch.
#pragma once

#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

/// The bound as an outcome; metrics are of kind `bound`.
Outcome flow_bound(const Scenario& scenario);

}  // namespace headrace::models
