// A small complete scenario for the engine tests: `nodes` nodes of two GPUs on a parallel file system.
#pragma once

#include "models/spec/scenario.hpp"

namespace headrace::models::test {

inline Scenario small_scenario(std::uint64_t nodes = 2) {
  Scenario scenario;
  scenario.title = "small";
  Pool pool;
  pool.name = "pool";
  pool.nodes = nodes;
  pool.gpus_per_node = 2;
  pool.nodes_per_leaf = 2;
  pool.host.cores = 64;
  pool.nic.bandwidth_bytes_per_s = 10e9;
  scenario.cluster.pools = {pool};
  Store store;
  store.name = "store";
  store.bandwidth_bytes_per_s = 40e9;
  store.stream_bytes_per_s = 2e9;
  store.latency_s = DistributionSpec::lognormal(0.02, 0.5);
  store.metadata.latency_s = DistributionSpec::exponential(0.001);
  scenario.stores = {store};
  Dataset dataset;
  dataset.name = "images";
  dataset.store = "store";
  dataset.files = 100000;
  dataset.sample_bytes = DistributionSpec::lognormal(1e6, 0.3);
  scenario.datasets = {dataset};
  Job job;
  job.name = "job";
  job.pool = "pool";
  job.datasets = {{"images", 1.0}};
  job.loader.workers = 4;
  job.loader.prefetch = 2;
  job.loader.cpu_s_per_sample = DistributionSpec::constant(0.002);
  job.step.batch = 16;
  job.step.step_time_s = DistributionSpec::constant(0.1);
  job.step.overhead_s = DistributionSpec::constant(0.002);
  scenario.jobs = {job};
  scenario.prices.gpu_hour_usd = 2.0;
  return scenario;
}

/// 64 MB a step over one store: at least 0.16 s at 0.4 GB/s, where compute takes 0.102 s.
inline Scenario starved_scenario(double bandwidth_bytes_per_s = 0.4e9) {
  Scenario scenario = small_scenario(2);
  scenario.stores[0].bandwidth_bytes_per_s = bandwidth_bytes_per_s;
  return scenario;
}

}  // namespace headrace::models::test
