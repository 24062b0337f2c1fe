// Inputs of a job, its loader, exchange and checkpoints that another input makes meaningless.
#pragma once

#include <vector>

#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

void add_unused_training_inputs(const Scenario& scenario, const Job& job, std::vector<Warning>& unused);

}  // namespace headrace::models
