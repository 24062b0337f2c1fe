// Runs of some of a job's like nodes beside runs of all of them, with the same draws.
#include "models/cluster/like_nodes.hpp"

#include <cmath>

#include "models/cluster/cluster_run.hpp"
#include "models/path/ingest_path.hpp"
#include "tests/catch.hpp"
#include "tests/models/like_nodes_scenario.hpp"

using namespace headrace::models;
using headrace::models::test::many_nodes;

namespace {

ClusterPlan whole_of(const Scenario& scenario) { return plan_alone(resolve_path(scenario, 0, {})); }

/// Steps per second are as in a full run where nothing is shared: these wait for workers and slow nodes.
Scenario slow_workers() {
  Scenario scenario = many_nodes(4e12);
  scenario.jobs[0].loader.workers = 4;
  scenario.jobs[0].loader.cpu_s_per_sample = DistributionSpec::lognormal(0.002, 2.0);
  scenario.cluster.pools[0].host.speed_cv = 0.3;
  return scenario;
}

struct Difference {
  double relative = 0.0;  ///< of the mean step of all nodes, over that of the sample
  double error = 0.0;     ///< of that, standard
};

/// Over 16 batches of whole rounds of the workers.
Difference difference_of(const Scenario& scenario, std::uint64_t seed) {
  constexpr std::size_t kFrom = 80;
  constexpr std::size_t kRounds = 16;
  const ClusterPlan plan = whole_of(scenario);
  REQUIRE(unlike_reason(plan).empty());
  const std::size_t length = std::size_t{8} * plan.jobs[0].path.workers;
  ClusterRun all(plan, seed, 0, {});
  ClusterRun sample(sample_nodes(plan, node_sample(plan.jobs[0].path)), seed, 0, {});
  all.run_to(kFrom + kRounds * length);
  sample.run_to(kFrom + kRounds * length);
  double sum = 0.0;
  double squares = 0.0;
  double step_s = 0.0;
  for (std::size_t i = 0; i < kRounds; ++i) {
    const auto mean_s = [&](const ClusterRun& run) {
      const auto& records = run.log().records;
      const std::size_t from = kFrom + i * length;
      return headrace::sim::seconds(records[from + length].start_ns - records[from].start_ns) /
             static_cast<double>(length);
    };
    const double difference_s = mean_s(all) - mean_s(sample);
    sum += difference_s;
    squares += difference_s * difference_s;
    step_s += mean_s(sample) / kRounds;
  }
  const double mean_s = sum / kRounds;
  return {mean_s / step_s, std::sqrt(std::max(0.0, squares / kRounds - mean_s * mean_s) / (kRounds - 1)) / step_s};
}

}  // namespace

TEST_CASE("a sample of the nodes has the very steps of all of them where nothing is shared") {
  const Scenario scenario = GENERATE(0, 1) == 0 ? many_nodes(4e12) : slow_workers();
  const ClusterPlan plan = whole_of(scenario);
  const NodeSample sampled = node_sample(plan.jobs[0].path);
  CHECK(sampled.nodes() == 32);
  ClusterRun all(plan, 7, 0, {});
  ClusterRun sample(sample_nodes(plan, sampled), 7, 0, {});
  all.run_to(100);
  sample.run_to(100);
  CHECK(sample.job(0).path().loaders == 64);
  std::size_t same = 0;
  for (std::size_t i = 0; i < 100; ++i)
    same += all.log().records[i].start_ns == sample.log().records[i].start_ns ? 1 : 0;
  CHECK(same == 100);
}

TEST_CASE("the last rank that is not simulated is blamed like a simulated one") {
  const ClusterPlan plan = whole_of(slow_workers());
  ClusterRun all(plan, 7, 0, {});
  ClusterRun sample(sample_nodes(plan, node_sample(plan.jobs[0].path)), 7, 0, {});
  all.run_to(200);
  sample.run_to(200);
  // What peers wait for is the same batch in both runs.
  const auto wait_s = [](const ClusterRun& run, Stage stage) {
    double sum_s = 0.0;
    for (const StepRecord& record : run.log().records)
      sum_s += headrace::sim::seconds(record.blame[index(stage)].queueing_ns + record.blame[index(stage)].service_ns);
    return sum_s / run.job(0).path().loaders;
  };
  const double of_all = wait_s(all, Stage::decode);
  CHECK(of_all > 0.0);
  CHECK(wait_s(sample, Stage::decode) == Approx(of_all).epsilon(0.02));
}

// Each of them fails by chance once in 16,000 (four standard errors); seeds are fixed.
TEST_CASE("a sample of the nodes waits like all of them", "[statistical][long_4]") {
  Scenario scenario = many_nodes(4e12);
  SECTION("for the store") { scenario.stores[0].bandwidth_bytes_per_s = 40e9; }
  SECTION("at the knee of the store") { scenario.stores[0].bandwidth_bytes_per_s = 51e9; }
  SECTION("for the spine") { scenario.fabric.spine_oversubscription = 40.0; }
  SECTION("for the leaves") { scenario.fabric.leaf_oversubscription = 20.0; }
  SECTION("for the adapters") { scenario.cluster.pools[0].nic.bandwidth_bytes_per_s = 0.28e9; }
  SECTION("for cores") { scenario.cluster.pools[0].host.cores = 1; }
  SECTION("for slow nodes on a busy store") {
    scenario = slow_workers();
    scenario.stores[0].bandwidth_bytes_per_s = 40e9;
  }
  const Difference difference = difference_of(scenario, 3);
  CAPTURE(difference.relative, difference.error);
  CHECK(std::abs(difference.relative) <= 4.0 * difference.error + 1e-9);
  CHECK(std::abs(difference.relative) <= 0.03);
}

TEST_CASE("a sample does not stand for a job whose nodes are not alike, or share too little") {
  Scenario scenario = many_nodes(40e9);
  const auto reason = [&] { return unlike_reason(whole_of(scenario)); };
  CHECK(reason().empty());
  SECTION("any order") {
    scenario.jobs[0].loader.order = DeliveryOrder::any_order_shared;
    CHECK(reason() == "batches come in any order");
  }
  SECTION("few nodes") {
    scenario.cluster.pools[0].nodes = 100;
    CHECK(reason() == "100 nodes are fewer than 4 times the 32 of a sample");
  }
  SECTION("few transfers") {
    scenario.stores[0].stream_bytes_per_s = 2e9;
    CHECK(reason() == "few transfers fill what the nodes share");
  }
  SECTION("pieces") {
    const IngestPath path = resolve_path(scenario, 0, {Granularity::Kind::chunk, 4});
    CHECK(unlike_reason(plan_alone(path)) == "batches are simulated in pieces");
  }
}

TEST_CASE("nodes are sampled by whole leaves where these are small") {
  IngestPath path;
  path.nodes = 1250;
  path.nodes_per_leaf = 25;
  path.leaves = 50;
  CHECK(node_sample(path).leaves == 2);
  CHECK(node_sample(path).nodes_per_leaf == 25);
  path.nodes_per_leaf = 1250;
  path.leaves = 1;
  CHECK(node_sample(path).leaves == 1);
  CHECK(node_sample(path).nodes_per_leaf == 32);
}
