// The first thing to change in a scenario whose GPUs wait for data.
#pragma once

#include <optional>

#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::scenarios {

/// The easiest of the changes that gain at least four fifths of what the best one gains: more workers before more
/// hardware. Where it gains less than half of the wait, and a second change beside it twice as much, both: two limits
/// that lie close together. Gains are differences of queueing estimates. Nothing where no change gains one point of GPU
/// time. `idle_fraction` is the share of GPU time that waits for data now.
std::optional<models::RemedyReport> first_remedy(const models::Scenario& scenario, double idle_fraction);

}  // namespace headrace::scenarios
