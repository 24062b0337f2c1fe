// The law of a batch's whole time against itineraries, stage by stage; the estimate against runs without contention.
#include "models/hops/batch_time_law.hpp"

#include <algorithm>
#include <cmath>

#include "models/answer/queueing_estimate.hpp"
#include "models/cluster/cluster_run.hpp"
#include "models/engine/uncontended_run.hpp"
#include "models/hops/resource_floors.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace;
using namespace headrace::models;

namespace {

/// Uncontended times of many batches, sorted, seconds.
std::vector<double> itinerary_times_s(const IngestPath& path, std::size_t batches) {
  RunSwitches switches;
  switches.contention = false;
  const ItineraryMaker itineraries(path, 5, 0, switches);
  std::vector<double> times;
  for (std::size_t i = 0; i < batches; ++i)
    times.push_back(
        sim::seconds(itineraries.uncontended_ns(static_cast<std::uint32_t>(i % path.loaders), i / path.loaders)));
  std::sort(times.begin(), times.end());
  return times;
}

/// Quantiles from `from` on, in the body and in the tails.
void compare(const IngestPath& path, double tolerance, double from = 0.001) {
  const sim::Distribution law = batch_time_law(path);
  CHECK(law.mean() == Approx(mean_batch_time_s(path)).epsilon(1e-9));
  const std::vector<double> times = itinerary_times_s(path, 200'000);
  for (const double p : {0.001, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999}) {
    if (p < from) continue;
    INFO("quantile " << p);
    const double simulated = times[static_cast<std::size_t>(p * static_cast<double>(times.size()))];
    CHECK(law.quantile(p) == Approx(simulated).epsilon(tolerance));
  }
}

double uncontended_step_s(const IngestPath& path, std::uint64_t steps) {
  RunSwitches switches;
  switches.contention = false;
  ClusterRun run(path, 9, 0, switches);
  run.run_to(steps);
  const StepLog& log = run.log();
  const std::uint64_t from = steps / 4;
  return sim::seconds(log.records.back().start_ns - log.records[from].start_ns) / static_cast<double>(steps - from);
}

/// Workers that barely keep up, so that the spread of batch times decides.
Scenario at_the_knee() {
  Scenario scenario = test::small_scenario(8);
  scenario.stores[0].latency_s = DistributionSpec::lognormal(0.018, 0.9);
  return scenario;
}

double estimated_step_s(const Scenario& scenario) { return queueing_estimate(scenario, 3).find("step_time_s")->mean; }

}  // namespace

// 2e5 batches: the standard error of the 0.1 % quantiles is below 1 %; fixed seed, no false failures.
TEST_CASE("the law of a batch's time has the quantiles of its itineraries") {
  Scenario scenario = test::small_scenario();
  scenario.jobs[0].loader.cpu_s_per_sample = DistributionSpec::gamma(0.003, 0.8);
  scenario.cluster.pools[0].host.copy_bytes_per_s = 5e9;
  compare(resolve_path(scenario, 0, {}), 0.02);
}

TEST_CASE("the law knows hits, lanes and opens that are not whole") {
  Scenario scenario = test::small_scenario();
  scenario.jobs[0].loader.lanes = 2;
  scenario.datasets[0].order = SampleOrder::shard_sequential;
  scenario.datasets[0].samples_per_file = 100;
  scenario.stores[0].metadata.latency_s = DistributionSpec::exponential(0.01);
  scenario.cluster.pools[0].cache.policy = CachePolicy::pinned;
  scenario.cluster.pools[0].cache.bytes = 1e10;
  scenario.cluster.pools[0].cache.bandwidth_bytes_per_s = 4e9;
  IngestPath path = resolve_path(scenario, 0, {});
  path.hit_ratio = 0.4;
  // A batch of few misses also varies less, which the law does not know: its lower tail is too long.
  compare(path, 0.03, 0.1);
}

TEST_CASE("a batch without chance has a constant time") {
  Scenario scenario = test::small_scenario();
  scenario.stores[0].latency_s = DistributionSpec::constant(0.02);
  scenario.stores[0].metadata.latency_s = DistributionSpec::constant(0.001);
  scenario.datasets[0].sample_bytes = DistributionSpec::constant(1e6);
  const IngestPath path = resolve_path(scenario, 0, {});
  const sim::Distribution law = batch_time_law(path);
  CHECK(law.is_constant());
  CHECK(law.mean() == Approx(mean_batch_time_s(path)));
}

// Both are means over 4e5 and 6e4 batches with a barrier; their standard errors are below 0.3 %.
TEST_CASE("the estimate equals a run without contention, for every order of delivery") {
  for (const DeliveryOrder order :
       {DeliveryOrder::in_order, DeliveryOrder::any_order_per_worker, DeliveryOrder::any_order_shared}) {
    INFO(static_cast<int>(order));
    Scenario scenario = at_the_knee();
    scenario.jobs[0].loader.order = order;
    const double simulated = uncontended_step_s(resolve_path(scenario, 0, {}), 4000);
    CHECK(estimated_step_s(scenario) == Approx(simulated).epsilon(0.015));
  }
}

TEST_CASE("the estimate knows slow nodes and random compute times") {
  Scenario scenario = at_the_knee();
  scenario.cluster.pools[0].host.speed_cv = 0.3;
  scenario.jobs[0].loader.cpu_s_per_sample = DistributionSpec::constant(0.006);
  scenario.jobs[0].step.step_time_s = DistributionSpec::gamma(0.1, 0.3);
  const double uniform = [scenario]() mutable {
    scenario.cluster.pools[0].host.speed_cv = 0.0;
    return estimated_step_s(scenario);
  }();
  const double simulated = [&] {
    RunSwitches switches;
    switches.contention = false;
    const IngestPath path = resolve_path(scenario, 0, {});
    const ItineraryMaker itineraries(path, 3, 0, switches);
    UncontendedRun run(path, itineraries);
    run.run_to(4000);
    return sim::seconds(run.log().records.back().start_ns - run.log().records[1000].start_ns) / 3000.0;
  }();
  CHECK(estimated_step_s(scenario) == Approx(simulated).epsilon(0.02));
  CHECK(estimated_step_s(scenario) > 1.02 * uniform);
}
