// The estimate: the max-plus recursion over every loader without sharing, its batch times drawn whole from one law,
// raised to the flow bound where a shared resource allows less. Under 16 ms up to about 1,000,000 batches.
#pragma once

#include <cstdint>
#include <optional>

#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

/// Metrics are of kind `estimate`. Outcome::estimate tells the certified error of the step time; without one a warning
/// marks the answer "rank only".
Outcome queueing_estimate(const Scenario& scenario, std::uint64_t seed);
/// With at most so many steps of a window, which matters to few loaders alone: they have 400,000 batches else.
Outcome queueing_estimate(const Scenario& scenario, std::uint64_t seed, std::uint64_t most_steps);

/// Step time of a plain scenario (point_bound.hpp) whose GPUs would not wait even if sharing did its worst to every
/// batch (worst_delay_s): queueing cannot add to it. nullopt where that is not certain. In seconds.
std::optional<double> surely_fed_step_s(const Scenario& scenario, std::uint64_t seed);

}  // namespace headrace::models
