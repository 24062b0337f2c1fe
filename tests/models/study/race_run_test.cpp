// Races on some of many like nodes: what a sample tells beside all nodes, on the same draws.
#include <cmath>

#include "models/study/race_run.hpp"
#include "tests/catch.hpp"
#include "tests/models/like_nodes_scenario.hpp"

using namespace headrace::models;
using headrace::models::test::many_nodes;

namespace {

/// 4,096 ranks on 2,048 nodes.
Scenario large_job(double store_bytes_per_s) {
  Scenario scenario = many_nodes(store_bytes_per_s);
  scenario.cluster.pools[0].nodes = 2048;
  return scenario;
}

RaceMean difference_of_all_nodes(const Scenario& scenario, std::uint64_t steps) {
  RaceRun some(scenario, 1, RaceRun::Engine::sampled);
  RaceRun all(scenario, 1, RaceRun::Engine::contended);
  CHECK(some.sampled_nodes() == 32);
  CHECK(all.sampled_nodes() == 0);
  some.run_to(steps);
  all.run_to(steps);
  return all.difference_from(some, 1.0, 1.0);
}

}  // namespace

TEST_CASE("a race on sampled nodes has the steps of all nodes where nothing is waited for") {
  const RaceMean difference = difference_of_all_nodes(large_job(1e13), 32);
  CHECK(difference.mean == 0.0);
}

// A fixed seed; by another one the difference would pass five standard errors, of 31 degrees of freedom, once in
// 45,000.
TEST_CASE("a race on sampled nodes waits like all of them beside a full store", "[statistical]") {
  const Scenario scenario = large_job(40e9 * 2048 / 160);
  const RaceMean difference = difference_of_all_nodes(scenario, 96);
  CHECK(std::abs(difference.mean) <= 5.0 * difference.standard_error + 0.001 * 0.128);
  CHECK(difference.standard_error < 0.03 * 0.128);
}

TEST_CASE("races of jobs that are not large, or whose nodes are not alike, run on all nodes") {
  CHECK(RaceRun(many_nodes(40e9), 1, RaceRun::Engine::sampled).sampled_nodes() == 0);
  Scenario any_order = large_job(1e13);
  any_order.jobs[0].loader.order = DeliveryOrder::any_order_shared;
  CHECK(RaceRun(any_order, 1, RaceRun::Engine::sampled).sampled_nodes() == 0);
}
