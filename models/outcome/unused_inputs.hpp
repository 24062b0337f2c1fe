// Inputs that a scenario states and that change nothing in it: what was asked for must not be left out in silence.
#pragma once

#include <vector>

#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

/// One warning for each such input: what is not used, why, and what would make it count. Alternatives that a choice
/// leaves out by name (a remote pool beside preprocessing on_the_fly) are not told.
std::vector<Warning> unused_inputs(const Scenario& scenario);

/// Of these the stores that nothing uses.
std::vector<Warning> unused_stores(const Scenario& scenario);

/// Whether a warning, also of an outcome that was read back, says of a part of the scenario that nothing uses it.
bool has_no_effect(const Warning& warning);

}  // namespace headrace::models
