// Two like jobs on one store, of which each asks for the same part: what they do together is worked out by hand.
#pragma once

#include "models/path/ingest_path.hpp"
#include "tests/models/small_scenario.hpp"

namespace headrace::models::test {

inline constexpr double kSharedStep_s = 0.1;

/// Jobs of two nodes whose steps take 0.1 s and which ask for this part of the store each; nothing varies.
inline Scenario two_sharers(double part) {
  Scenario scenario = small_scenario(4);
  scenario.cluster.pools[0].nic.bandwidth_bytes_per_s = 1e11;
  Job& job = scenario.jobs[0];
  job.nodes = 2;
  job.step.step_time_s = DistributionSpec::constant(kSharedStep_s);
  job.step.overhead_s = DistributionSpec::constant(0.0);
  job.loader.cpu_s_per_sample = DistributionSpec::constant(0.0);
  scenario.datasets[0].sample_bytes = DistributionSpec::constant(1e6);
  Store& store = scenario.stores[0];
  store.latency_s = DistributionSpec::constant(1e-4);
  store.metadata = {};
  store.stream_bytes_per_s.reset();
  const IngestPath path = resolve_path(scenario, 0, {});
  store.bandwidth_bytes_per_s = path.loaders * path.batch_samples * 1e6 / kSharedStep_s / part;
  scenario.jobs.push_back(job);
  scenario.jobs[1].name = "other";
  return scenario;
}

}  // namespace headrace::models::test
