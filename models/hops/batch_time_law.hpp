// The law of a batch's time in its worker when nothing is shared: what the estimate draws in one number instead of
// stage by stage.
//
// Every stage is cut into strata of probability, narrow ones in the tails (down to 1e-8, since a barrier over 10,000
// loaders waits for what one batch in a million does), and the stages are added stratum by stratum. Sources:
// convolution of discretised laws as in P. Embrechts, M. Frei, Math. Methods Oper. Res. 69, 2009; own choice of strata.
// Deviations: the cache's hits in a batch vary apart from the latencies of the samples that miss; opens that are not
// whole per batch come at random instead of in turn; lasting speed differences between nodes are not part of the law.
#pragma once

#include "models/hops/path.hpp"
#include "sim/distribution.hpp"

namespace headrace::models {

/// Mean as mean_batch_time_s(path); quantiles within 2 % of those of the itineraries, with a cache within 3 % from 0.1
/// upward.
sim::Distribution batch_time_law(const IngestPath& path);

}  // namespace headrace::models
