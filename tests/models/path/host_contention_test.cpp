// Workers that slow each other down, and adapters that land bytes on GPUs: the closed forms, and the three levels of
// answer against them. Simulated throughput: constant times, or 20,000 exponential ones (standard error below 1 %, held
// to 5 %: false failures below 1e-6), fixed seeds.
#include "models/path/host_contention.hpp"

#include <array>

#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/hops/resource_floors.hpp"
#include "models/path/gpu_landing.hpp"
#include "models/study/study.hpp"
#include "models/twins/closed_networks.hpp"
#include "tests/catch.hpp"
#include "tests/models/path/cpu_bound.hpp"
#include "tests/twins/scaling.hpp"

using namespace headrace::models;

namespace {

Outcome simulated(const Scenario& scenario, std::uint64_t steps) {
  StudyOptions options;
  options.steps = steps;
  options.threads = 1;
  options.relief = false;
  return simulate(scenario, options);
}

}  // namespace

TEST_CASE("workers that only compute reach N^(1-beta) times one of them, at all three levels") {
  for (const double beta : {0.0, 0.35, 1.0})
    for (const std::uint64_t workers : {1ULL, 2ULL, 8ULL}) {
      const Scenario scenario = test::cpu_bound(workers, {.exponent = beta});
      const double twin = 1000.0 * twins::contended_capacity(beta, static_cast<double>(workers));
      INFO(workers << " workers, beta " << beta);
      CHECK(test::samples_per_s(flow_bound(scenario)) == Approx(twin).epsilon(1e-5));
      CHECK(test::samples_per_s(queueing_estimate(scenario, 1)) == Approx(twin).epsilon(0.01));
      CHECK(test::samples_per_s(simulated(scenario, 4000)) == Approx(twin).epsilon(0.01));
    }
}

TEST_CASE("only workers that compute slow the others, and only as many as there are cores") {
  CHECK(contention_factor(0.35, 8.0, 0.0, 1.0) == 1.0);
  CHECK(contention_factor(0.35, 1.0, 1.0, 0.0) == 1.0);
  CHECK(contention_factor(0.5, 9.0, 1.0, 0.0) == Approx(3.0));
  CHECK(contention_factor(0.5, 9.0, 1e-6, 1.0) == Approx(1.0).margin(1e-5));
  // The fixed point: f^2 = 1 + 8 f / (f + 1) for work that is as long as the rest.
  const double f = contention_factor(0.5, 9.0, 1.0, 1.0);
  CHECK(f * f == Approx(1.0 + 8.0 * f / (f + 1.0)).epsilon(1e-12));
  Scenario scenario = test::cpu_bound(8, {.exponent = 0.5});
  scenario.cluster.pools[0].host.cores = 4;  // 4 cores that take twice as long
  CHECK(test::samples_per_s(flow_bound(scenario)) == Approx(2000.0).epsilon(1e-6));
  CHECK(test::samples_per_s(simulated(scenario, 4000)) == Approx(2000.0).epsilon(0.01));
}

TEST_CASE("all CPU work of a batch is slowed, and nothing else") {
  Scenario scenario = test::cpu_bound(4, {});
  scenario.fabric.transport.cpu_s_per_request = 2e-4;
  scenario.datasets[0].parse_s_per_sample = 3e-4;
  scenario.stores[0].latency_s = DistributionSpec::constant(1.5e-3);
  const auto times = [&](double beta) {
    scenario.cluster.pools[0].host.contention.exponent = beta;
    return mean_stage_times_s(resolve_path(scenario, 0, {}));
  };
  const auto alone = times(0.0);
  const auto beside = times(0.5);
  const double factor = contention_factor(0.5, 4.0, 1.5e-3, 1.5e-3);
  CHECK(factor > 1.3);
  for (const Stage stage : {Stage::decode, Stage::protocol}) {
    REQUIRE(alone[index(stage)] > 0.0);
    CHECK(beside[index(stage)] == Approx(factor * alone[index(stage)]).epsilon(1e-6));
  }
  CHECK(beside[index(Stage::request)] == alone[index(Stage::request)]);
}

TEST_CASE("bytes that land on GPUs: the closed network of an adapter and their links") {
  for (const std::uint64_t links : {1ULL, 2ULL, 4ULL})
    for (const std::uint64_t bursts : {1ULL, 8ULL, 64ULL}) {
      std::vector<double> demands{1.0 / 45.0};
      for (std::uint64_t i = 0; i < links; ++i) demands.push_back(1.0 / (27.0 * static_cast<double>(links)));
      const auto exact = twins::mean_value_analysis(demands, 0.0, static_cast<int>(bursts));
      CHECK(landing_bytes_per_s(45.0, 27.0, links, bursts) == Approx(exact.throughput_per_s).epsilon(1e-12));
    }
  CHECK(landing_bytes_per_s(45.0, 27.0, 1, 1000) == Approx(27.0));
  CHECK(landing_bytes_per_s(45.0, 27.0, 4, 1000) == Approx(45.0));
}

TEST_CASE("landing lowers the adapter of nodes with GPUDirect and nothing behind it") {
  Scenario scenario = test::cpu_bound(64, {});
  Pool& pool = scenario.cluster.pools[0];
  pool.gpus_per_node = 2;
  pool.nic.bandwidth_bytes_per_s = 45e9;
  pool.gpu.pcie_bytes_per_s = 27e9;
  pool.host.gpudirect = true;
  const IngestPath any = resolve_path(scenario, 0, {});
  CHECK(any.nic_bytes_per_s == 45e9);
  pool.nic.landing_bursts = 8;
  const IngestPath few = resolve_path(scenario, 0, {});
  CHECK(few.nic_bytes_per_s == landing_bytes_per_s(45e9, 27e9, 2, 8));
  CHECK(few.leaf_bytes_per_s == any.leaf_bytes_per_s);
  pool.gpu.pcie_shared_by = 2;  // one link for both
  CHECK(resolve_path(scenario, 0, {}).nic_bytes_per_s == landing_bytes_per_s(45e9, 27e9, 1, 8));
  scenario.stores[0].kind = StoreKind::nvme;
  CHECK(resolve_path(scenario, 0, {}).nic_bytes_per_s == 45e9);
}
