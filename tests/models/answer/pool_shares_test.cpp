// Nodes that jobs ask for, over those of their pool, and what runs where they ask for more.
#include "models/answer/pool_shares.hpp"

#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

namespace headrace::models {
namespace {

/// Jobs of two nodes, so many copies, on a pool of eight nodes.
Scenario jobs_of_two(std::uint64_t copies) {
  Scenario scenario = test::small_scenario(8);
  scenario.jobs[0].nodes = 2;
  scenario.jobs[0].copies = copies;
  return scenario;
}

}  // namespace

TEST_CASE("the share of a pool is the nodes asked for over those that there are") {
  const std::vector<BusyShare> shares = pool_shares(jobs_of_two(5));
  REQUIRE(shares.size() == 1);
  CHECK(shares[0].layer == Layer::gpus);
  CHECK(shares[0].owner == "pool");
  CHECK(shares[0].share == 1.25);
  CHECK(pool_shares(test::small_scenario(8)).empty());  // a job that takes what there is asks for no number of nodes
}

TEST_CASE("copies that do not fit do not run, those of the last job first") {
  Scenario scenario = jobs_of_two(3);
  scenario.jobs.push_back(scenario.jobs[0]);
  scenario.jobs[1].name = "other";
  keep_what_fits(scenario);
  CHECK(scenario.jobs[0].copies == 3);
  CHECK(scenario.jobs[1].copies == 1);
  Scenario fits = jobs_of_two(4);
  keep_what_fits(fits);
  CHECK(fits.jobs[0].copies == 4);
  Scenario large = jobs_of_two(1);
  large.jobs[0].nodes = 20;
  keep_what_fits(large);
  CHECK(large.jobs[0].nodes == 8);
}

}  // namespace headrace::models
