#include "models/outcome/input_warnings.hpp"

#include <utility>

#include "models/outcome/unused_inputs.hpp"

namespace headrace::models {
namespace {

void warn_of_superseded_inputs(const Scenario& scenario, Outcome& outcome) {
  for (const Pool& pool : scenario.cluster.pools)
    if (pool.host.contention.exponent > 0.0)
      outcome.warnings.push_back(
          {"host/contention of pool '" + pool.name + "' is a number: throughput over workers rises and cannot fall",
           "the number is the exponent of b^beta; measured loaders have a maximum and then fall",
           R"(give {"sigma": ..., "kappa": ...}, a preset such as "torch_processes", or headrace calibrate --only workers)"});
}

}  // namespace

void warn_of_inputs(const Scenario& scenario, Outcome& outcome) {
  for (Warning& warning : unused_inputs(scenario)) outcome.warnings.push_back(std::move(warning));
  warn_of_superseded_inputs(scenario, outcome);
}

}  // namespace headrace::models
