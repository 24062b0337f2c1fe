// The estimate: the max-plus recursion over every loader without sharing, its batch times drawn whole from one law,
// raised to the flow bound where a shared resource allows less. Under 16 ms up to about 1,000,000 batches.
#pragma once

#include <cstdint>

#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

/// Metrics are of kind `estimate`. Outcome::estimate tells the certified error of the step time; without one a warning
/// marks the answer "rank only".
Outcome queueing_estimate(const Scenario& scenario, std::uint64_t seed);

}  // namespace headrace::models
