// The estimate of the step time against simulation, over what can be shared and how busy it is.
#include <cmath>

#include "models/answer/queueing_estimate.hpp"
#include "models/study/study.hpp"
#include "tests/catch.hpp"
#include "tests/models/error_table.hpp"

using namespace headrace::models;
using headrace::testing::ErrorTable;
using headrace::testing::number_text;

namespace {

constexpr double kStepBytes = 64.0 * 16.0 * 1e6;  ///< of one step of all loaders
constexpr double kComputeS = 0.1;

/// 64 loaders on 8 nodes, 4 workers each, batches of 16 samples of 1 MB in shards; nothing shared is near its limit.
Scenario wide_open(double latency_s) {
  Scenario scenario;
  Pool pool;
  pool.name = "pool";
  pool.nodes = 8;
  pool.nodes_per_leaf = 8;
  pool.nic.bandwidth_bytes_per_s = 100e9;
  scenario.cluster.pools = {pool};
  Store store;
  store.name = "store";
  store.bandwidth_bytes_per_s = 1e12;
  store.latency_s = DistributionSpec::lognormal(latency_s, 0.5);
  scenario.stores = {store};
  Dataset dataset;
  dataset.name = "data";
  dataset.store = "store";
  dataset.files = 1'000'000;
  dataset.sample_bytes = DistributionSpec::lognormal(1e6, 0.3);
  dataset.order = SampleOrder::shard_sequential;
  dataset.request_bytes = 1e6;
  scenario.datasets = {dataset};
  Job job;
  job.name = "job";
  job.pool = "pool";
  job.datasets = {{"data", 1.0}};
  job.loader.workers = 4;
  job.loader.prefetch = 2;
  job.step.batch = 16;
  job.step.step_time_s = DistributionSpec::constant(kComputeS);
  scenario.jobs = {job};
  return scenario;
}

/// A scenario in which one resource would be `busy` if every step took the compute time.
Scenario limited_by(const std::string& resource, double busy, double latency_s) {
  Scenario scenario = wide_open(latency_s);
  Store& store = scenario.stores[0];
  Pool& pool = scenario.cluster.pools[0];
  const double samples_per_s = 64.0 * 16.0 / kComputeS;
  if (resource == "store bandwidth") store.bandwidth_bytes_per_s = kStepBytes / kComputeS / busy;
  if (resource == "nic") pool.nic.bandwidth_bytes_per_s = kStepBytes / 8.0 / kComputeS / busy;
  if (resource == "store requests") store.requests_per_s = samples_per_s / busy;
  if (resource == "request limit") store.limit.requests_per_s_per_prefix = samples_per_s / busy;
  if (resource == "metadata") {
    scenario.datasets[0].order = SampleOrder::random;
    store.metadata.latency_s = DistributionSpec::constant(0.005);
    store.metadata.servers = static_cast<std::uint64_t>(std::llround(samples_per_s * 0.005 / busy));
  }
  if (resource == "cores") {
    scenario.jobs[0].loader.cpu_s_per_sample = DistributionSpec::constant(0.003);
    pool.host.cores = static_cast<std::uint64_t>(std::llround(samples_per_s * 0.003 / 8.0 / busy));
  }
  if (resource == "hand-over lock") {
    scenario.jobs[0].loader.lock.single_worker_s = busy * kComputeS;
    scenario.jobs[0].loader.lock.exponent = 0.0;
  }
  if (resource == "local drive") {
    store.kind = StoreKind::nvme;
    store.bandwidth_bytes_per_s = kStepBytes / 8.0 / kComputeS / busy;
  }
  return scenario;
}

struct GridRow {
  const char* resource;
  double latency_s;
  std::vector<double> busy;
};

/// Latencies that leave the workers slack (20 ms: a batch takes 80 % of what they may) and none (24 ms, 21 ms).
const std::vector<GridRow> kGrid = {
    {"store bandwidth", 0.005, {0.7, 0.97, 1.5}},
    {"store bandwidth", 0.020, {0.5, 0.7, 0.9, 1.2, 2.0}},
    {"store bandwidth", 0.024, {0.3, 0.5, 0.7, 0.9, 0.97, 1.05, 1.2, 2.0}},
    {"nic", 0.020, {0.7, 0.9, 1.5}},
    {"store requests", 0.024, {0.5, 0.9, 1.3}},
    {"request limit", 0.024, {0.5, 0.9, 1.3}},
    {"metadata", 0.021, {0.3, 0.5, 0.9, 1.1, 1.5}},
    {"cores", 0.021, {0.3, 0.5, 0.7, 0.9, 1.3}},
    {"hand-over lock", 0.021, {0.1, 0.3, 0.5, 0.7, 1.5}},
    {"local drive", 0.020, {0.5, 0.7, 0.9}},
};

}  // namespace

// Means over 600 steps of 64 loaders: standard errors of at most 0.25 % each, so that 0.8 points of noise are 2.3 of
// them; the seeds are fixed and the largest certified error is below half of what is promised.
TEST_CASE("the estimate's certified error holds, and what it misses is not certified", "[long_2]") {
  ErrorTable table({"limited by", "latency", "busy", "estimate", "simulated", "error", "certified"});
  int certified = 0;
  int points = 0;
  for (const GridRow& row : kGrid)
    for (const double busy : row.busy) {
      const Scenario scenario = limited_by(row.resource, busy, row.latency_s);
      const Outcome estimate = queueing_estimate(scenario, 1);
      StudyOptions options;
      options.steps = 800;
      options.relief = false;
      const double simulated_s = simulate(scenario, options).find("step_time_s")->mean;
      const double estimated_s = estimate.find("step_time_s")->mean;
      const double error = estimated_s / simulated_s - 1.0;
      REQUIRE(estimate.estimate.has_value());
      const bool promised = estimate.estimate->certified_error.has_value();
      INFO(row.resource << " at " << busy << ": error " << error);
      if (promised) CHECK(std::abs(error) <= *estimate.estimate->certified_error);
      const bool says_rank_only =
          !estimate.warnings.empty() && estimate.warnings.front().seen.find("rank only") != std::string::npos;
      CHECK(promised != says_rank_only);
      certified += promised ? 1 : 0;
      ++points;
      table.add({row.resource, number_text("%.0f ms", 1e3 * row.latency_s), number_text("%.2f", busy),
                 number_text("%.1f ms", 1e3 * estimated_s), number_text("%.1f ms", 1e3 * simulated_s),
                 number_text("%.1f %%", 100.0 * error), promised ? "2 %" : "rank only"});
    }
  CHECK(certified * 2 >= points);  // a promise that is hardly ever given is worth little
  const std::string difference = table.difference("docs/models/estimate.md", "errors", 1.5);
  INFO(difference);
  CHECK(difference.empty());
}

// 400,000 batches of 64 loaders are 6,250 steps.
TEST_CASE("an estimate with fewer steps is that of all within their noise, and the same where it has no more") {
  const Scenario scenario = wide_open(0.03);
  const auto step_s = [](const Outcome& outcome) { return outcome.find("step_time_s")->mean; };
  const double all_s = step_s(queueing_estimate(scenario, 1));
  CHECK(step_s(queueing_estimate(scenario, 1, 2048)) == Approx(all_s).epsilon(0.005));
  CHECK(step_s(queueing_estimate(scenario, 1, 6250)) == all_s);
}
