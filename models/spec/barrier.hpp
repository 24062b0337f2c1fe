// The barrier at which the ranks of a job meet in each step, and what makes a rank late there although its batch was
// ready (models/hops/barrier.hpp).
#pragma once

#include "models/describe/declarations.hpp"
#include "models/describe/distribution_spec.hpp"

namespace headrace::models {

struct Barrier {
  double time_s = 0.0;          ///< of any number of ranks
  double per_doubling_s = 0.0;  ///< of the ranks
  DistributionSpec rank_delay_s = DistributionSpec::constant(0.0);
};

void describe(Barrier& b, Visitor& v);

}  // namespace headrace::models
