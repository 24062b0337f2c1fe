// Who waits at a resource that is asked for more than it has. By hand; no randomness.
#include "models/answer/busy_shares.hpp"

#include "tests/catch.hpp"
#include "tests/models/two_sharers.hpp"

using namespace headrace::models;
using headrace::models::test::kSharedStep_s;
using headrace::models::test::two_sharers;

TEST_CASE("alike jobs at a full store wait alike, for what it lacks") {
  const BusyShares busy = busy_shares(two_sharers(0.8));
  REQUIRE(busy.fullest(Layer::store) != nullptr);
  CHECK(busy.fullest(Layer::store)->share == Approx(1.6).epsilon(1e-9));
  for (const JobWaits& job : busy.jobs) CHECK(job.for_data / job.gpus == Approx(1.0 - 1.0 / 1.6).epsilon(1e-9));
}

TEST_CASE("a job that asks for less than its fair part of a full store does not wait") {
  Scenario scenario = two_sharers(0.8);
  scenario.jobs[1].step.step_time_s = DistributionSpec::constant(2.0 * kSharedStep_s);  // asks for 0.4
  const BusyShares busy = busy_shares(scenario);
  CHECK(busy.jobs[0].for_data / busy.jobs[0].gpus == Approx(1.0 - 0.6 / 0.8).epsilon(1e-9));
  CHECK(busy.jobs[1].for_data == Approx(0.0).margin(1e-9));
}

TEST_CASE("more readers take a larger part of a full store") {
  Scenario scenario = two_sharers(0.8);
  const double workers = static_cast<double>(scenario.jobs[0].loader.workers);
  scenario.jobs[1].loader.workers *= 3;  // three quarters, of which it needs 0.8
  const BusyShares busy = busy_shares(scenario);
  REQUIRE(workers > 0.0);
  CHECK(busy.jobs[0].for_data / busy.jobs[0].gpus == Approx(1.0 - 0.25 / 0.8).epsilon(1e-9));
  CHECK(busy.jobs[1].for_data / busy.jobs[1].gpus == Approx(1.0 - 0.75 / 0.8).epsilon(1e-9));
}

TEST_CASE("background load comes before the jobs") {
  Scenario scenario = two_sharers(0.5);
  const double bandwidth = scenario.stores[0].bandwidth_bytes_per_s;
  Background load;
  load.name = "backup";
  load.store = scenario.stores[0].name;
  load.bandwidth_bytes_per_s = 0.4 * bandwidth;
  scenario.background.push_back(load);
  const BusyShares busy = busy_shares(scenario);
  CHECK(busy.fullest(Layer::store)->share == Approx(1.4).epsilon(1e-9));
  for (const JobWaits& job : busy.jobs) CHECK(job.for_data / job.gpus == Approx(1.0 - 0.3 / 0.5).epsilon(1e-9));
}
