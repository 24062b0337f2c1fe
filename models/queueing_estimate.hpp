// The estimate: a short uncontended run of every loader (max-plus where assignment is static and delivery in order),
// raised to the flow bound where a shared resource allows less. Under 16 ms up to about 100,000 batches.
#pragma once

#include <cstdint>

#include "models/outcome.hpp"
#include "models/scenario.hpp"

namespace headrace::models {

/// Metrics are of kind `estimate`. A warning marks the answer "rank only" where a shared resource is over 80 % busy:
/// there queueing, which this level does not see, decides.
Outcome queueing_estimate(const Scenario& scenario, std::uint64_t seed);

}  // namespace headrace::models
