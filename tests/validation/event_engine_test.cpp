// The engine that answers users, held against the simulated reference cases (closed_form_cases.json, groups
// prefetch_sim, barrier_sim and contention_sim), so that what those cases validate is said of the product. Each
// difference is compared at five combined standard errors; seeds are fixed, false-failure rate below 1e-5 in all.
#include <cmath>

#include "models/cluster/cluster_run.hpp"
#include "sim/steady_state_interval.hpp"
#include "tests/catch.hpp"

using namespace headrace::models;
namespace sim = headrace::sim;

namespace {

/// Loaders whose batch is one request of log-normal latency and, where bytes are given, one flow.
IngestPath loaders(std::uint32_t n, std::uint32_t workers, std::uint32_t prefetch, double batch_s, double cv,
                   double step_s) {
  IngestPath path;
  path.nodes = path.loaders = path.gpus = path.replicas = n;
  path.nodes_per_leaf = n;
  path.workers = workers;
  path.outstanding = workers * prefetch;
  path.opens_per_sample = 0.0;
  path.request_latency_s = sim::Distribution::lognormal(batch_s, cv);
  path.flow_cap_bytes_per_s = 1e9;
  path.compute_s = sim::Distribution::constant(step_s);
  return path;
}

struct Idle {
  double mean;
  double standard_error;
};

Idle idle_of(const IngestPath& path, bool contention, std::uint64_t steps, std::uint64_t warm_up) {
  RunSwitches switches;
  switches.contention = contention;
  ClusterRun run(path, 11, 0, switches);
  run.run_to(steps);
  std::vector<double> wait_s, duration_s;
  for (std::size_t i = warm_up; i < steps; ++i) {
    const StepRecord& record = run.log().records[i];
    wait_s.push_back(sim::seconds(record.wait_own_ns + record.wait_peer_ns) / path.loaders);
    duration_s.push_back(sim::seconds(run.log().duration_ns(i)));
  }
  const sim::SteadyStateResult result = sim::ratio_interval(wait_s, duration_s);
  REQUIRE(result.interval.has_value());
  return {result.mean, result.interval->half_width(result.mean) / 1.96};
}

void check_against(const Idle& own, double reference, double half_width) {
  const double error = std::hypot(own.standard_error, half_width / 1.96);
  INFO("idle " << own.mean << " +- " << own.standard_error << ", reference " << reference << " +- "
               << half_width / 1.96);
  CHECK(std::abs(own.mean - reference) <= 5.0 * error);
  CHECK(own.standard_error < 0.05 * reference + 1e-4);  // an error so large that anything passes is a failure too
}

}  // namespace

TEST_CASE("the event engine reproduces the prefetch queue in all three orders", "[validation]") {
  IngestPath path = loaders(1, 8, 2, 6.8, 1.0, 1.0);
  check_against(idle_of(path, false, 200'000, 2000), 0.354295, 0.00084);
  path.order = DeliveryOrder::any_order_shared;
  check_against(idle_of(path, false, 400'000, 2000), 0.003291, 0.000101);
  path.order = DeliveryOrder::any_order_per_worker;
  check_against(idle_of(path, false, 400'000, 2000), 0.009553, 0.000147);
}

TEST_CASE("the event engine reproduces the barrier over eight loaders", "[validation]") {
  check_against(idle_of(loaders(8, 8, 2, 6.8, 0.3, 1.0), false, 60'000, 2000), 0.051382, 0.000222);
}

TEST_CASE("the event engine reproduces a thousand loaders on leaves and a pool", "[validation][long_4]") {
  IngestPath path = loaders(1000, 4, 2, 0.7, 0.3, 0.25);
  path.nodes_per_leaf = 250;
  path.leaves = 4;
  path.sample_bytes = sim::Distribution::constant(32e6);
  path.flow_cap_bytes_per_s = 6.25e9;
  path.leaf_bytes_per_s = 33e9;
  path.pool_bytes_per_s = 125e9;
  check_against(idle_of(path, true, 5000, 200), 0.078414, 0.002020);
}
