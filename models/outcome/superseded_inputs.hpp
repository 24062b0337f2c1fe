// Inputs that keep working as they did and have successors that say more.
#pragma once

#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

/// Adds one warning for each such input to an outcome of any level.
void warn_of_superseded_inputs(const Scenario& scenario, Outcome& outcome);

}  // namespace headrace::models
