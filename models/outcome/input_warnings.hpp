// What an outcome of any level says about the inputs of its scenario: those that change nothing, those that hold for
// too much, and those that keep working as they did and have successors that say more.
#pragma once

#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

/// Adds one warning for each such input.
void warn_of_inputs(const Scenario& scenario, Outcome& outcome);

}  // namespace headrace::models
