// Mixes of datasets, and compute that follows the bytes of the batch.
#include <cmath>

#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/path/ingest_path.hpp"
#include "models/study/study.hpp"
#include "models/twins/order_statistics.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace::models;

namespace {

/// Three of four samples are images of 1 MB and 2 ms, one is a text of 4 kB in shards of 1,000.
Scenario mixed() {
  Scenario scenario = test::small_scenario(2);
  Dataset text;
  text.name = "text";
  text.store = "store";
  text.files = 50;
  text.samples_per_file = 1000;
  text.order = SampleOrder::shard_sequential;
  text.sample_bytes = DistributionSpec::constant(4000.0);
  scenario.datasets.push_back(text);
  scenario.jobs[0].datasets = {{"images", 3.0, {}}, {"text", 1.0, DistributionSpec::constant(0.0004)}};
  return scenario;
}

}  // namespace

TEST_CASE("a mix asks for the weighted means of its datasets") {
  const Scenario scenario = mixed();
  const IngestPath path = resolve_path(scenario, 0, {});
  CHECK(path.mean_sample_bytes() == Approx(0.75e6 + 1000.0).epsilon(1e-4));
  CHECK(path.opens_per_sample == Approx(0.75 + 0.25 / 1000));
  CHECK(path.requests_per_sample == Approx(0.75 + 0.25 * 4000.0 / (4 << 20)));
  CHECK(path.cpu_s_per_sample.mean() == Approx(0.75 * 0.002 + 0.25 * 0.0004).epsilon(1e-4));
  CHECK(path.samples_per_epoch == 150000.0);
  CHECK(corpus_of(scenario, scenario.jobs[0]).bytes == Approx(100000 * 1e6 + 50000 * 4000.0));
}

TEST_CASE("the order in which a mix names its datasets changes nothing") {
  Scenario scenario = mixed();
  scenario.datasets[0].order = SampleOrder::shard_sequential;
  scenario.datasets[0].files = 20;  // 70 shards for 16 workers
  scenario.datasets[0].samples_per_file = 5000;
  scenario.datasets[0].decoded_bytes_per_sample = 3e6;
  scenario.datasets[1].decoded_bytes_per_sample = 16e3;
  StreamSource stream;
  stream.bytes_per_s = 1e6;
  stream.buffer_bytes = 1e9;
  stream.uses = 3.0;
  scenario.datasets[1].stream = stream;
  scenario.cluster.pools[0].cache.policy = CachePolicy::pinned;
  scenario.cluster.pools[0].cache.holds = CacheContent::tensors;
  scenario.cluster.pools[0].cache.bytes = 20e9;
  scenario.cluster.pools[0].cache.write_bandwidth_bytes_per_s = 1e9;
  scenario.stores[0].redundancy = Redundancy{};
  scenario.stores[0].redundancy->degraded = 0.1;
  scenario.jobs[0].index = StartIndex{};
  scenario.jobs[0].staging = Staging{};
  scenario.jobs[0].staging->mode = StagingMode::prestage_caches;
  scenario.prices.gpu_hour_usd = 3.0;
  Scenario swapped = scenario;
  std::swap(swapped.jobs[0].datasets[0], swapped.jobs[0].datasets[1]);
  const Outcome one = flow_bound(scenario);
  const Outcome other = flow_bound(swapped);
  REQUIRE(one.metrics.size() == other.metrics.size());
  REQUIRE(one.find("list_requests") != nullptr);
  REQUIRE(one.find("staging_time_s") != nullptr);
  REQUIRE(one.find("store_rebuild_s") != nullptr);
  for (std::size_t i = 0; i < one.metrics.size(); ++i) {
    INFO(one.metrics[i].name);
    CHECK(one.metrics[i].mean == Approx(other.metrics[i].mean).epsilon(1e-9).margin(1e-12));
  }
  CHECK(one.warnings.size() == other.warnings.size());
}

TEST_CASE("a mix lists the objects of all its datasets, and waits for the stream that is used up first") {
  Scenario scenario = mixed();
  scenario.jobs[0].index = StartIndex{};
  scenario.jobs[0].index->mode = IndexMode::one_leader;
  CHECK(flow_bound(scenario).find("list_requests")->mean == 101.0);  // 100,050 objects by 1,000
  StreamSource stream;
  stream.buffer_bytes = 1e9;
  stream.bytes_per_s = 0.1e6;  // 25 texts a second, of which training asks for 157
  stream.uses = 2.0;
  scenario.datasets[1].stream = stream;
  const Outcome outcome = flow_bound(scenario);
  REQUIRE(outcome.find("fresh_wait_fraction") != nullptr);
  CHECK(outcome.find("fresh_wait_fraction")->mean == Approx(1.0 - 50.0 / (64.0 / 0.102 / 4.0)).epsilon(1e-3));
}

TEST_CASE("bound, estimate and simulation agree on a mix") {
  Scenario scenario = mixed();
  scenario.stores[0].bandwidth_bytes_per_s = 0.3e9;  // 48 MB a step: 160 ms
  const double bound_s = flow_bound(scenario).find("step_time_s")->mean;
  CHECK(bound_s == Approx(64 * 0.751e6 / 0.3e9).epsilon(1e-3));
  StudyOptions options;
  options.steps = 2048;
  const double simulated_s = simulate(scenario, options).find("step_time_s")->mean;
  CHECK(simulated_s > 0.99 * bound_s);
  CHECK(simulated_s < 1.10 * bound_s);
  CHECK(queueing_estimate(scenario, 1).find("step_time_s")->mean == Approx(simulated_s).epsilon(0.1));
}

TEST_CASE("compute that follows the bytes of a batch waits for the largest batch") {
  Scenario scenario = test::small_scenario(2);  // four replicas of 16 samples, cv 0.3
  scenario.jobs[0].step.follows_sample_size = 0.5;
  const double mean_s = resolve_path(scenario, 0, {}).compute_s.mean();
  const auto batch = twins::sum_of_samples(16, 1e6, 0.3);
  const double largest = twins::lognormal_max_ratio(4, batch.lognormal_sigma);
  CHECK(mean_s == Approx(0.1 * (0.5 + 0.5 * largest)).epsilon(2e-3));
  CHECK(mean_s > 0.103);
  StudyOptions options;
  options.steps = 1024;
  const Outcome run = simulate(scenario, options);
  CHECK(run.find("step_time_s")->mean == Approx(mean_s + 0.002).epsilon(0.01));
  CHECK(flow_bound(scenario).find("step_time_s")->mean == Approx(mean_s + 0.002));
  scenario.datasets[0].sample_bytes = DistributionSpec::constant(1e6);  // packed to one size
  CHECK(resolve_path(scenario, 0, {}).compute_s.mean() == 0.1);
}
