// A checkpoint beside the reads of another job that use nearly all of the store: readers are closed customers, so that
// they slow down and the write gets its share.
#include <vector>

#include "models/answer/queueing_estimate.hpp"
#include "models/cluster/cluster_run.hpp"
#include "models/cluster/fair_share.hpp"
#include "models/interruptions/checkpoint_writes.hpp"
#include "models/study/study.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"
#include "tests/twins/readers_and_writers.hpp"

using namespace headrace::models;

namespace {

/// A job of 128 GPUs reads 94.75 of the store's 100 GB/s with 1,280 workers, which decode for most of their time. A job
/// of 64 GPUs beside it writes 2 TB there every 20 minutes, and reads from a store of its own.
Scenario beside_reader() {
  Scenario scenario = test::small_scenario(16);
  Pool& pool = scenario.cluster.pools[0];
  pool.gpus_per_node = 8;
  pool.nodes_per_leaf = 0;
  pool.host.cores = 256;
  pool.nic.bandwidth_bytes_per_s = 50e9;
  Store& store = scenario.stores[0];
  store.bandwidth_bytes_per_s = 100e9;
  store.stream_bytes_per_s = 1e9;
  store.latency_s = DistributionSpec::constant(0.0);
  store.metadata.latency_s = DistributionSpec::constant(0.0);
  Job& reader = scenario.jobs[0];
  reader.name = "reader";
  reader.step.batch = 64;
  reader.step.step_time_s = DistributionSpec::constant(0.25);
  reader.step.overhead_s = DistributionSpec::constant(0.0);
  reader.loader.workers = 10;
  reader.loader.prefetch = 4;
  reader.loader.cpu_s_per_sample = DistributionSpec::lognormal(0.0348, 0.8);  // batches that do not march in step
  scenario.datasets[0].sample_bytes = DistributionSpec::lognormal(94.75e9 / 512.0 / 64.0, 0.8);
  scenario.cluster.pools.push_back(pool);
  scenario.cluster.pools[1].name = "others";
  scenario.cluster.pools[1].nodes = 8;
  scenario.stores.push_back(store);
  scenario.stores[1].name = "other store";
  scenario.datasets.push_back(scenario.datasets[0]);
  scenario.datasets[1].name = "texts";
  scenario.datasets[1].store = "other store";
  scenario.datasets[1].sample_bytes = DistributionSpec::constant(1e5);
  Job writer = reader;
  writer.name = "writer";
  writer.pool = "others";
  writer.datasets = {{"texts", 1.0}};
  Checkpoint checkpoint;
  checkpoint.store = "store";
  checkpoint.bytes = 2e12;
  checkpoint.interval_s = 1200.0;
  checkpoint.mode = CheckpointMode::async;
  writer.checkpoint = checkpoint;
  scenario.jobs.push_back(writer);
  return scenario;
}

twins::ReadersAndWriters network_of(double readers_away_s) {
  return {100e9, 1280, readers_away_s, 94.75e9 / 512.0, 64.0};
}

double metric_of(const Outcome& outcome, std::size_t job, std::string_view name) {
  for (const Metric& metric : outcome.jobs[job].metrics)
    if (metric.name == name) return metric.mean;
  return -1.0;
}

}  // namespace

TEST_CASE("a checkpoint beside reads that use 95 % of the store gets what closed readers leave") {
  const CheckpointWrites writes = checkpoint_writes(beside_reader());
  REQUIRE(writes.states.size() == 1);
  CHECK(writes.states[0].alone_s == Approx(20.0).epsilon(1e-3));
  // What reads leave at full speed would be 5.25 GB/s, for 381 s. An independent simulation of such a case had 111 s.
  const double written = twins::fluid_writes_bytes_per_s(network_of(64 * 0.0348));
  CHECK(writes.states[0].duration_s == Approx(2e12 / written).epsilon(1e-6));
  CHECK(writes.states[0].duration_s == Approx(111.0).epsilon(0.05));

  ClusterRun run(plan_cluster(writes.states[0].scenario, {}), 1, 0, {});
  run.run_to(260);  // the stock of batches is used up
  run.reset_totals();
  run.run_to(860);
  // Fixed seed: the same figure in every run. The barrier of the ranks takes a few per cent from what readers could
  // use.
  CHECK(2e12 / run.background()[0]->bytes_per_s() == Approx(111.0).epsilon(0.06));
}

TEST_CASE("a reader's idle time is what the checkpoint of another job takes from it") {
  const Scenario scenario = beside_reader();
  const double written = twins::fluid_writes_bytes_per_s(network_of(64 * 0.0348));
  const double slower = 1.0 - (100e9 - written) / 94.75e9;  // while the checkpoint is written, for D of 1,200 s
  const double idle = slower * 2e12 / written / 1200.0;
  CHECK(idle == Approx(0.0125).epsilon(0.02));
  CHECK(metric_of(queueing_estimate(scenario, 1), 0, "gpu_idle_fraction") == Approx(idle).epsilon(0.02));
  StudyOptions options;
  options.steps = 600;
  options.relief = false;
  // Fixed seed; the interval of the simulated idle time is about a tenth of it.
  CHECK(metric_of(simulate(scenario, options), 0, "gpu_idle_fraction") == Approx(idle).epsilon(0.2));
}

TEST_CASE("readers that are away from a store for a part of their time hold less of it") {
  for (const double away_s : {1e-9, 0.1, 1.0, 2.0}) {
    for (const double writers : {16.0, 64.0, 512.0}) {
      INFO(away_s << " s, " << writers << " writers");
      twins::ReadersAndWriters network = network_of(away_s);
      network.writers = writers;
      const std::vector<double> shares =
          weighted_max_min(100e9, {{1e12, 1280.0, 0, away_s / network.batch_bytes}, {1e12, writers}});
      CHECK(shares[1] == Approx(twins::fluid_writes_bytes_per_s(network)).epsilon(1e-9));
      CHECK(shares[0] + shares[1] == Approx(100e9).epsilon(1e-12));
      // Of this many customers the exact answer is hardly another.
      CHECK(shares[1] == Approx(twins::exact_writes_bytes_per_s(network)).epsilon(0.02));
    }
  }
}
