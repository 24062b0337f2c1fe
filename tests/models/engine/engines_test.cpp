// The two engines against each other and against conservation laws that hold on every path.
#include "models/cluster/cluster_run.hpp"
#include "models/engine/uncontended_run.hpp"
#include "models/hops/resource_floors.hpp"
#include "tests/catch.hpp"
#include "tests/models/engines_agree.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace::models;
namespace sim = headrace::sim;

namespace {

void check_accounts(const StepLog& log, std::uint32_t loaders) {
  for (std::size_t i = 0; i < log.steps(); ++i) {
    const StepRecord& record = log.records[i];
    const sim::TimeNs wait_ns = record.wait_own_ns + record.wait_peer_ns;
    REQUIRE(log.duration_ns(i) * loaders == record.busy_ns() * loaders + wait_ns);
    sim::TimeNs blamed_ns = 0;
    for (const StageBlame& stage : record.blame) blamed_ns += stage.queueing_ns + stage.service_ns;
    REQUIRE(blamed_ns == wait_ns);
  }
}

std::vector<StageVisit> visits_of(const ItineraryMaker& itineraries, std::uint32_t loader, std::uint64_t batch) {
  std::vector<StageVisit> visits(itineraries.most_visits());
  visits.resize(itineraries.make(loader, batch, visits));
  return visits;
}

StepLog event_log(const IngestPath& path, RunSwitches switches, std::uint64_t steps) {
  ClusterRun run(path, 7, 0, switches);
  run.run_to(steps);
  return run.log();
}

}  // namespace

TEST_CASE("with contention off both engines agree to the nanosecond") {
  Scenario scenario = test::small_scenario(3);
  Loader& loader = scenario.jobs[0].loader;
  loader.workers = GENERATE(1, 3, 4);
  const int ahead = GENERATE(0, 1, 2, 12, 15, 17);  // 0: in the training process; from 10: batches outstanding
  loader.synchronous = ahead == 0;
  if (ahead == 1 || ahead == 2) loader.prefetch = static_cast<std::uint64_t>(ahead);
  if (ahead > 10) loader.outstanding = static_cast<std::uint64_t>(ahead - 10);  // no multiple of the workers
  scenario.cluster.pools[0].host.speed_cv = 0.1;
  loader.lock.single_worker_s = 1e-4;
  Granularity granularity;
  granularity.kind = Granularity::Kind::chunk;
  granularity.chunks = GENERATE(1, 3);
  IngestPath path = resolve_path(scenario, 0, granularity);
  path.hit_ratio = 0.3;
  check_accounts(test::check_engines_agree(path, 300), path.loaders);
}

TEST_CASE("GPU states sum to the elapsed time and blame to the wait, whatever is shared") {
  Scenario scenario = test::small_scenario(4);
  scenario.stores[0].bandwidth_bytes_per_s = 1.2e9;  // about the demand: 128 MB per 0.102 s
  scenario.stores[0].metadata.servers = 2;
  scenario.stores[0].requests_per_s = 1500;
  scenario.cluster.pools[0].host.cores = 4;
  scenario.jobs[0].loader.lock.single_worker_s = 1e-3;
  scenario.jobs[0].loader.order =
      GENERATE(DeliveryOrder::in_order, DeliveryOrder::any_order_per_worker, DeliveryOrder::any_order_shared);
  Granularity granularity;
  granularity.kind = GENERATE(Granularity::Kind::batch, Granularity::Kind::chunk, Granularity::Kind::sample);
  granularity.chunks = 2;
  const IngestPath path = resolve_path(scenario, 0, granularity);
  const StepLog log = event_log(path, {}, 200);
  check_accounts(log, path.loaders);
  sim::TimeNs wait_ns = 0;
  for (const StepRecord& record : log.records) wait_ns += record.wait_own_ns;
  CHECK(wait_ns > 0);
}

TEST_CASE("contention never makes a path faster with static assignment and in-order delivery") {
  Scenario scenario = test::small_scenario(4);
  scenario.stores[0].bandwidth_bytes_per_s = 1.4e9;
  const IngestPath path = resolve_path(scenario, 0, {});
  RunSwitches off;
  off.contention = false;
  const StepLog free = event_log(path, off, 400);
  const StepLog shared = event_log(path, {}, 400);
  for (std::size_t i = 0; i <= 400; ++i) REQUIRE(shared.records[i].start_ns >= free.records[i].start_ns);
  CHECK(shared.records[400].start_ns > free.records[400].start_ns);
}

TEST_CASE("no window of a run beats the flow bound on the bytes that it moved") {
  Scenario scenario = test::small_scenario(4);
  scenario.datasets[0].sample_bytes = DistributionSpec::constant(1e6);
  scenario.stores[0].bandwidth_bytes_per_s = 0.8e9;
  const IngestPath path = resolve_path(scenario, 0, {});
  const StepLog log = event_log(path, {}, 300);
  // K batches per loader may be in stock at each edge of the window.
  const double steps = 300.0 - 100.0 - path.outstanding;
  const double elapsed_s = sim::seconds(log.records[300].start_ns - log.records[100].start_ns);
  CHECK(elapsed_s >= steps * step_time_bound_s(path));
  CHECK(step_time_bound_s(path) == Approx(8 * 16e6 / 0.8e9));
}

TEST_CASE("a stage that is relieved costs nothing and leaves the other draws alone") {
  const Scenario scenario = test::small_scenario();
  const IngestPath path = resolve_path(scenario, 0, {});
  RunSwitches relieved;
  relieved.relieved[index(Stage::request)] = true;
  const ItineraryMaker plain(path, 7, 0, {});
  const ItineraryMaker without(path, 7, 0, relieved);
  const std::vector<StageVisit> a = visits_of(plain, 1, 5);
  const std::vector<StageVisit> b = visits_of(without, 1, 5);
  REQUIRE(a.size() == b.size() + 1);
  std::size_t j = 0;
  for (const StageVisit& visit : a) {
    if (visit.stage() == Stage::request) continue;
    CHECK(visit.stage() == b[j].stage());
    CHECK(visit.service_ns() == b[j].service_ns());
    CHECK(visit.work == b[j].work);
    ++j;
  }
}

TEST_CASE("readers decide who reads, parallelism how much") {
  Scenario scenario = test::small_scenario(4);  // 8 GPUs
  Job& job = scenario.jobs[0];
  job.parallelism.tp = 2;
  job.readers = Readers::every_rank;
  IngestPath path = resolve_path(scenario, 0, {});
  CHECK(path.loaders == 8);
  CHECK(path.replicas == 4);
  CHECK(path.samples_per_step == 64.0);
  job.readers = Readers::one_per_replica;
  path = resolve_path(scenario, 0, {});
  CHECK(path.loaders == 4);
  CHECK(path.batch_samples == 16);
  job.parallelism.tp = 1;
  job.readers = Readers::one_per_node;
  path = resolve_path(scenario, 0, {});
  CHECK(path.loaders == 4);
  CHECK(path.batch_samples == 32);
  CHECK(path.samples_per_step == 128.0);
}

TEST_CASE("a request limit throttles, counts its 503 answers and keeps its rate") {
  Scenario scenario = test::small_scenario(2);
  scenario.stores[0].limit.requests_per_s_per_prefix = 300.0;  // 64 requests per step at 0.102 s ask for 627 a second
  scenario.stores[0].limit.burst_s = 0.0;
  const IngestPath path = resolve_path(scenario, 0, {});
  ClusterRun run(path, 7, 0, {});
  run.run_to(400);
  const double elapsed_s = sim::seconds(run.log().records[400].start_ns - run.log().records[100].start_ns);
  CHECK(run.totals().throttled_requests > 0);
  CHECK(elapsed_s >= 0.98 * 300.0 * 64.0 / 300.0);
  CHECK(elapsed_s <= 1.3 * 300.0 * 64.0 / 300.0);
}

TEST_CASE("chunks carry all samples and all hits of their batch") {
  Scenario scenario = test::small_scenario(1);
  scenario.jobs[0].step.batch = 8;
  scenario.datasets[0].sample_bytes = DistributionSpec::constant(1e6);
  scenario.cluster.pools[0].cache.bandwidth_bytes_per_s = 1e9;
  Granularity granularity;
  granularity.kind = Granularity::Kind::chunk;
  granularity.chunks = 5;
  IngestPath path = resolve_path(scenario, 0, granularity);
  path.hit_ratio = 0.7;
  const ItineraryMaker itineraries(path, 3, 0, {});
  for (std::uint64_t batch = 0; batch < 200; ++batch) {
    const std::vector<StageVisit> visits = visits_of(itineraries, 0, batch);
    double bytes = 0.0;
    for (const StageVisit& visit : visits)
      if (visit.stage() == Stage::transfer || visit.stage() == Stage::cache) bytes += visit.work;
    REQUIRE(bytes == Approx(8e6));
  }
}

TEST_CASE("a sample that takes part of a request, or several, asks for as many in the mean") {
  Scenario scenario = test::small_scenario(2);
  scenario.datasets[0].order = SampleOrder::shard_sequential;
  scenario.datasets[0].samples_per_file = 50;
  scenario.datasets[0].sample_bytes = DistributionSpec::constant(GENERATE(0.3e6, 6e6));
  scenario.stores[0].latency_s = DistributionSpec::constant(0.01);
  const IngestPath path = resolve_path(scenario, 0, {});
  const ItineraryMaker itineraries(path, 3, 0, {});
  double request_s = 0.0;
  for (std::uint64_t batch = 0; batch < 500; ++batch) {
    const std::vector<StageVisit> visits = visits_of(itineraries, 1, batch);
    for (const StageVisit& visit : visits)
      if (visit.stage() == Stage::request) request_s += sim::seconds(visit.service_ns());
  }
  CHECK(request_s / 0.01 == Approx(500 * 16 * path.requests_per_sample).margin(1.01));
}
