// What prices leave open or count twice: one price for GPUs that differ, a store that is bought and paid by the month.
#pragma once

#include <vector>

#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

std::vector<Warning> price_warnings(const Scenario& scenario);

}  // namespace headrace::models
