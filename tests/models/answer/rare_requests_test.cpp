#include "models/answer/queueing_estimate.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace::models;

TEST_CASE("the estimate ends where one request brings the samples of millions of batches") {
  Scenario scenario = test::small_scenario(1);
  scenario.cluster.pools[0].gpus_per_node = 1;
  scenario.stores[0].latency_s = DistributionSpec::lognormal(0.85, 1.0);
  scenario.datasets[0].files = 1000;
  scenario.datasets[0].samples_per_file = 1000;
  scenario.datasets[0].sample_bytes = DistributionSpec::constant(1.0);
  scenario.datasets[0].order = SampleOrder::shard_sequential;
  scenario.jobs[0].loader.workers = 1;
  scenario.jobs[0].step.batch = 1;
  scenario.jobs[0].step.step_time_s = DistributionSpec::constant(1.0);
  const Outcome outcome = queueing_estimate(scenario, 1);
  CHECK(outcome.find("step_time_s")->mean >= 1.0);
  CHECK(outcome.find("step_time_s")->mean < 1.1);
}
