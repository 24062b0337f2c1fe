// A distribution as a scenario states it, made into the one that the simulation draws from.
#pragma once

#include "models/describe/distribution_spec.hpp"
#include "sim/distribution.hpp"

namespace headrace::models {

/// Throws std::invalid_argument, naming the parameter, for a specification that is out of range.
sim::Distribution to_distribution(const DistributionSpec& spec);

}  // namespace headrace::models
