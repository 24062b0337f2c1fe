// One price for GPUs that differ: pools of several models paid by the same figure.
#pragma once

#include <optional>

#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

/// Nothing where every pool that a job uses has a price of its own, or all have GPUs of one model.
std::optional<Warning> shared_price(const Scenario& scenario);

}  // namespace headrace::models
