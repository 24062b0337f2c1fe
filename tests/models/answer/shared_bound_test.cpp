// The bound of jobs that together ask for more than they share has. By hand; no randomness.
#include "models/answer/shared_bound.hpp"

#include "models/answer/flow_bound.hpp"
#include "tests/catch.hpp"
#include "tests/models/two_sharers.hpp"

using namespace headrace::models;
using headrace::models::test::two_sharers;

TEST_CASE("jobs that are fed alone wait where together they ask for more than there is") {
  const Outcome outcome = flow_bound(two_sharers(0.8));
  for (const JobReport& job : outcome.jobs) CHECK(job.verdict == Verdict::fed);  // which of them waits is not known
  // One at full pace, and 0.2 of the other's 0.8: GPUs are busy for 1.25 of 2 at best, however they share.
  CHECK(mean_in(outcome.metrics, "gpu_idle_fraction") == Approx(0.375).epsilon(1e-9));
  CHECK(mean_in(outcome.metrics, "gpu_utilization") == Approx(0.625).epsilon(1e-9));
  const Metric* read = outcome.find("store_bytes_per_s");
  REQUIRE(read != nullptr);
  CHECK(read->mean == Approx(two_sharers(0.8).stores[0].bandwidth_bytes_per_s).epsilon(1e-9));
  CHECK(outcome.verdict == Verdict::ingest_bound);
  double sum = 0.0;
  for (const GpuStateShare& state : outcome.gpu_states) {
    sum += state.share;
    if (state.state == GpuState::ingest_wait_own) CHECK(state.share == Approx(0.375).epsilon(1e-9));
  }
  CHECK(sum == Approx(1.0).epsilon(1e-9));
}

TEST_CASE("a store is read at most as fast as jobs ingest, where saves take much of their time") {
  Scenario scenario = two_sharers(0.8);
  Checkpoint& saves = scenario.jobs[1].checkpoint.emplace();
  saves.store = scenario.stores[0].name;
  saves.bytes = 1e12;
  saves.interval_s = 60.0;
  scenario.stores[0].write_bandwidth_bytes_per_s = 5e9;
  const Outcome outcome = flow_bound(scenario);
  const double ingest = mean_in(outcome.metrics, "ingest_bytes_per_s");
  REQUIRE(ingest > 0.0);
  CHECK(mean_in(outcome.metrics, "store_bytes_per_s") == Approx(ingest).epsilon(1e-9));  // no cache answers any
}

TEST_CASE("the best way to share serves those first whose GPUs need least") {
  Scenario scenario = two_sharers(0.8);
  scenario.jobs[1].step.step_time_s =
      DistributionSpec::constant(2.0 * headrace::models::test::kSharedStep_s);  // asks for half as much
  // 0.4 for the slow one, 0.6 of 0.8 for the other: 1 + 0.75 of 2.
  CHECK(mean_in(flow_bound(scenario).metrics, "gpu_idle_fraction") == Approx(0.125).epsilon(1e-9));
}

TEST_CASE("jobs that share what is enough for all are bound each by itself") {
  const Outcome outcome = flow_bound(two_sharers(0.5));
  CHECK(outcome.verdict == Verdict::fed);
  CHECK(mean_in(outcome.metrics, "gpu_idle_fraction") == Approx(0.0).margin(1e-9));
}
