// What jobs ask of a resource that they share, where all together ask for more than there is: however it is shared,
// some of them wait, though each alone is fed.
#pragma once

#include <vector>

#include "models/outcome/cluster_outcome.hpp"

namespace headrace::models {

/// Holds what is said of all jobs to the best that the fullest of their shared resources allows. `each` has one bound
/// per copy of a job; `all` is their merged outcome. Figures of single jobs stay: which of them waits is not known.
void hold_to_shared_resources(const Scenario& scenario, const std::vector<JobOutcome>& each, Outcome& all);

}  // namespace headrace::models
