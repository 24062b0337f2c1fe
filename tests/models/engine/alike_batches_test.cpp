// Batches that are all alike: workers that begin in the same nanosecond must not use one resource after the other in
// step for ever (docs/decisions/0090-granularity.md). Nothing is drawn, so nothing can fail by chance.
#include "models/cluster/cluster_run.hpp"
#include "models/path/ingest_path.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace::models;
namespace sim = headrace::sim;

namespace {

constexpr double kFloorS = 0.016;  // 16 ranks open 16 files of a batch, 1 ms each, at 16 servers

/// 16 ranks of 8 workers. A batch needs 48 ms of a core and some transfer beside its 16 ms at the metadata service:
/// 8 workers are more than enough, if only some of them are at the service at any time.
Scenario alike() {
  Scenario scenario = test::small_scenario(8);
  Store& store = scenario.stores[0];
  store.latency_s = DistributionSpec::constant(1e-4);
  store.metadata.latency_s = DistributionSpec::constant(1e-3);
  store.metadata.servers = 16;
  scenario.datasets[0].sample_bytes = DistributionSpec::constant(1e5);
  Job& job = scenario.jobs[0];
  job.loader.workers = 8;
  job.loader.cpu_s_per_sample = DistributionSpec::constant(3e-3);
  job.step.step_time_s = DistributionSpec::constant(0.008);
  job.step.overhead_s = DistributionSpec::constant(0.0);
  return scenario;
}

double step_s(const Scenario& scenario, Granularity granularity) {
  ClusterRun run(resolve_path(scenario, 0, granularity), 1, 0, {});
  run.run_to(1000);
  const auto& records = run.log().records;
  return sim::seconds(records[1000].start_ns - records[200].start_ns) / 800.0;
}

}  // namespace

TEST_CASE("batches that are all alike keep the metadata service busy, as whole batches, in parts and by sample") {
  const Scenario scenario = alike();
  for (const Granularity granularity :
       {Granularity{}, Granularity{Granularity::Kind::chunk, 4}, Granularity{Granularity::Kind::sample, 1}})
    CHECK(step_s(scenario, granularity) == Approx(kFloorS).epsilon(0.01));
}

TEST_CASE("batches that are all alike take their exact time where nothing is scarce") {
  Scenario scenario = alike();
  scenario.stores[0].metadata.servers = 1000;
  scenario.jobs[0].loader.workers = 1;
  scenario.jobs[0].loader.prefetch = 1;
  const double batch_s = 16 * (1e-3 + 1e-4 + 3e-3) + 16e5 / 2e9;
  CHECK(step_s(scenario, {}) == Approx(batch_s).epsilon(1e-4));
}
