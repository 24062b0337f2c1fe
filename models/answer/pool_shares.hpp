// Nodes of each pool that its jobs ask for, over those that it has. Jobs that grow may ask for more than there are:
// what does not fit does not run, and loads nothing else.
#pragma once

#include <vector>

#include "models/answer/busy_shares.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

/// Of the pools whose jobs state the nodes that they take, or have copies; jobs in a queue wait and are left out.
std::vector<BusyShare> pool_shares(const Scenario& scenario);

/// Takes copies away, those of the last job first, until the jobs of every pool fit; a job larger than its pool takes
/// all of it. One copy of each job stays.
void keep_what_fits(Scenario& scenario);

}  // namespace headrace::models
