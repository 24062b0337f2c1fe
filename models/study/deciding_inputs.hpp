// The inputs that cause most of the variance of an answer over their ranges.
#pragma once

#include <cstddef>
#include <vector>

#include "models/outcome/outcome.hpp"
#include "models/study/uncertain_input.hpp"
#include "sim/first_order_effects.hpp"

namespace headrace::models {

/// The largest share first; inputs that cause next to nothing, or nothing that can be told from chance, are left out.
std::vector<InputEffect> deciding_inputs(const sim::Response& response, const sim::InputBasis& basis,
                                         const std::vector<UncertainInput>& inputs, double least_share,
                                         std::size_t most);

/// The three at most behind a yes or no: those that a person would measure first.
std::vector<InputEffect> inputs_behind_a_decision(const std::vector<double>& yes, const sim::InputBasis& basis,
                                                  const std::vector<UncertainInput>& inputs);

}  // namespace headrace::models
