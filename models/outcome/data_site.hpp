// Data that must not leave the site where they arise (privacy, law, contract): whether a job reads them elsewhere.
#pragma once

#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

/// Makes the verdict infeasible where a dataset of the job must stay at its site and would leave it: over the long
/// link from there, over a long link to its store or into a copy elsewhere.
void require_data_stay(const Scenario& scenario, const Job& job, Outcome& outcome);

}  // namespace headrace::models
