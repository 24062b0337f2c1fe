#include "models/outcome/superseded_inputs.hpp"

namespace headrace::models {

void warn_of_superseded_inputs(const Scenario& scenario, Outcome& outcome) {
  for (const Pool& pool : scenario.cluster.pools)
    if (pool.host.contention.exponent > 0.0)
      outcome.warnings.push_back(
          {"host/contention of pool '" + pool.name + "' is a number: throughput over workers rises and cannot fall",
           "the number is the exponent of b^beta; measured loaders have a maximum and then fall",
           R"(give {"sigma": ..., "kappa": ...}, a preset such as "torch_processes", or headrace calibrate --only workers)"});
}

}  // namespace headrace::models
