// Workers that do nothing but CPU work, a millisecond a sample, and are all busy.
#pragma once

#include "models/outcome/outcome.hpp"
#include "tests/models/small_scenario.hpp"

namespace headrace::models::test {

/// One loader of `workers` that do nothing but 1 ms of CPU work per sample, for a GPU that never makes them wait.
inline Scenario cpu_bound(std::uint64_t workers, const WorkerContention& contention) {
  Scenario scenario = test::small_scenario(1);
  Pool& pool = scenario.cluster.pools[0];
  pool.gpus_per_node = 1;
  pool.host.contention = contention;
  pool.nic.bandwidth_bytes_per_s = 1e12;
  scenario.stores[0].bandwidth_bytes_per_s = 1e12;
  scenario.stores[0].stream_bytes_per_s.reset();
  scenario.stores[0].latency_s = DistributionSpec::constant(0.0);
  scenario.stores[0].metadata.latency_s = DistributionSpec::constant(0.0);
  scenario.datasets[0].sample_bytes = DistributionSpec::constant(1.0);
  Job& job = scenario.jobs[0];
  job.loader.workers = workers;
  job.loader.cpu_s_per_sample = DistributionSpec::constant(1e-3);
  job.loader.order = DeliveryOrder::any_order_shared;
  job.step.batch = 1;
  job.step.step_time_s = DistributionSpec::constant(1e-9);
  job.step.overhead_s = DistributionSpec::constant(0.0);
  return scenario;
}

inline double samples_per_s(const Outcome& outcome) { return outcome.find("samples_per_s")->mean; }

}  // namespace headrace::models::test
