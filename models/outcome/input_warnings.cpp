#include "models/outcome/input_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/outcome/price_warnings.hpp"
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

/// A slip in the size of the data, the batch or the step time shows in nothing else.
void warn_of_long_epoch(Outcome& outcome) {
  constexpr double kDay_s = 86400.0;
  constexpr double kLong_days = 365.0;
  const Metric* epoch = outcome.find("epoch_time_s");
  if (epoch == nullptr || !(epoch->mean > kLong_days * kDay_s) || !std::isfinite(epoch->mean)) return;
  outcome.warnings.push_back(
      {fmt::format("one epoch takes {:.3g} years", epoch->mean / (kLong_days * kDay_s)),
       "it is as many steps as there are samples over the batches of all GPUs, each as long as a step",
       "check the size of the data, the batch and the step time"});
}

}  // namespace

void warn_of_inputs(const Scenario& scenario, Outcome& outcome) {
  const bool come_again = std::any_of(scenario.jobs.begin(), scenario.jobs.end(),
                                      [](const Job& job) { return job.queue && mean_of(job.queue->every_s) > 0.0; });
  if (come_again) outcome.scope = "one job of each kind";
  for (Warning& warning : price_warnings(scenario)) outcome.warnings.push_back(std::move(warning));
  for (Warning& warning : unused_inputs(scenario)) outcome.warnings.push_back(std::move(warning));
  warn_of_superseded_inputs(scenario, outcome);
  warn_of_long_epoch(outcome);
}

}  // namespace headrace::models
