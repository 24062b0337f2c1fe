// Several jobs and background load on one store: what they share, what they keep, and how their answers add up.
#include <cmath>

#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/cluster/cluster_plan.hpp"
#include "models/cluster/cluster_run.hpp"
#include "models/cluster/fair_share.hpp"
#include "models/study/study.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace::models;
namespace sim = headrace::sim;

namespace {

constexpr std::uint64_t kNodes = 2;

/// `copies` of a job of two nodes that together ask for `load` times what the store gives; nothing varies.
Scenario steady_scenario(std::uint64_t copies, double load) {
  Scenario scenario = test::small_scenario(kNodes * copies);
  scenario.cluster.pools[0].nic.bandwidth_bytes_per_s = 1e11;
  Job& job = scenario.jobs[0];
  job.nodes = kNodes;
  job.copies = copies;
  job.step.step_time_s = DistributionSpec::constant(0.1);
  job.step.overhead_s = DistributionSpec::constant(0.0);
  job.loader.cpu_s_per_sample = DistributionSpec::constant(0.0);
  scenario.datasets[0].sample_bytes = DistributionSpec::constant(1e6);
  Store& store = scenario.stores[0];
  store.latency_s = DistributionSpec::constant(1e-4);
  store.metadata = {};
  store.requests_per_s.reset();
  store.stream_bytes_per_s.reset();
  const IngestPath path = resolve_path(scenario, 0, {});
  store.bandwidth_bytes_per_s = static_cast<double>(copies) * path.loaders * path.batch_samples * 1e6 / 0.1 / load;
  return scenario;
}

Background steady_load(double bytes_per_s, std::uint64_t clients) {
  Background load;
  load.name = "load";
  load.store = "store";
  load.clients = clients;
  load.bandwidth_bytes_per_s = bytes_per_s;
  load.request_bytes = 1e6;
  return load;
}

StudyOptions steps(std::uint64_t count) {
  StudyOptions options;
  options.steps = count;
  options.relief = false;
  options.threads = 1;
  return options;
}

double metric(const std::vector<Metric>& metrics, std::string_view name) {
  for (const Metric& metric : metrics)
    if (metric.name == name) return metric.mean;
  FAIL("no metric " << name);
  return 0.0;
}

double mean_step_s(const StepLog& log, std::size_t from) {
  return sim::seconds(log.records.back().start_ns - log.records[from].start_ns) /
         static_cast<double>(log.records.size() - 1 - from);
}

}  // namespace

TEST_CASE("jobs on one store divide it: the step time is that of their bytes together") {
  const std::uint64_t copies = GENERATE(2, 3);
  const Scenario scenario = steady_scenario(copies, 1.6);
  ClusterRun run(plan_cluster(scenario, {}), 1, 0, {});
  run.run_to(200);
  REQUIRE(run.jobs() == copies);
  for (std::size_t i = 0; i < copies; ++i) CHECK(mean_step_s(run.job(i).log(), 50) == Approx(0.16).epsilon(0.01));
  // Alone, the same job finds store enough.
  ClusterRun alone(resolve_path(scenario, 0, {}), 1, 0, {});
  alone.run_to(200);
  CHECK(mean_step_s(alone.log(), 50) == Approx(0.1).epsilon(1e-6));
}

TEST_CASE("with contention off every job runs as if it were alone, the first with the draws of a lone job") {
  Scenario scenario = test::small_scenario(6);
  scenario.jobs[0].nodes = 2;
  scenario.jobs.push_back(scenario.jobs[0]);
  scenario.jobs[1].name = "other";
  scenario.jobs[1].step.step_time_s = DistributionSpec::constant(0.03);
  scenario.background.push_back(steady_load(1e9, 4));
  RunSwitches switches;
  switches.contention = false;
  const ClusterPlan plan = plan_cluster(scenario, {});
  ClusterRun together(plan, 5, 2, switches);
  together.run_to(60);
  CHECK(together.background().empty());
  for (std::size_t i = 0; i < 2; ++i) {
    ClusterRun alone(plan.jobs[i].path, 5, 2, switches);
    alone.run_to(60);
    for (std::size_t step = 0; step < 60; ++step)
      REQUIRE(together.job(i).log().records[step].start_ns == alone.log().records[step].start_ns);
  }
  CHECK(plan.jobs[0].path.draw_base == 0);
  CHECK(plan.jobs[1].path.draw_base >= plan.jobs[0].path.loaders);
}

TEST_CASE("an estimate of several jobs uses no store beyond its capacity") {
  const Scenario scenario = steady_scenario(2, 1.6);  // asked for more than it has
  for (const StationReport& station : queueing_estimate(scenario, 1).stations) {
    INFO(station.name << " " << station.utilization);
    if (station.name.find("store bandwidth") == 0) CHECK(station.capacity == scenario.stores[0].bandwidth_bytes_per_s);
    CHECK(station.utilization <= 1.02);
  }
}

TEST_CASE("copies draw independently of each other") {
  Scenario scenario = test::small_scenario(4);
  scenario.jobs[0].nodes = 2;
  scenario.jobs[0].copies = 2;
  RunSwitches off;
  off.contention = false;
  ClusterRun run(plan_cluster(scenario, {}), 1, 0, off);
  run.run_to(50);
  int equal = 0;
  for (std::size_t i = 0; i < 50; ++i)
    equal += run.job(0).log().records[i].start_ns == run.job(1).log().records[i].start_ns ? 1 : 0;
  CHECK(equal < 5);
}

TEST_CASE("jobs lie side by side: nodes of their own, leaves in common") {
  Scenario scenario = test::small_scenario(6);
  scenario.cluster.pools[0].nodes_per_leaf = 4;
  scenario.jobs[0].nodes = 3;
  scenario.jobs[0].copies = 2;
  const ClusterPlan plan = plan_cluster(scenario, {});
  REQUIRE(plan.jobs.size() == 2);
  CHECK(plan.jobs[1].path.first_node == 3);
  CHECK(plan.jobs[0].path.leaf_of(2) == 0);
  CHECK(plan.jobs[1].path.leaf_of(0) == 0);
  CHECK(plan.jobs[1].path.leaf_of(1) == 1);
  CHECK(plan.jobs[1].path.leaves == 2);
  REQUIRE(plan.stores[0].network);
  CHECK(plan.stores[0].network->leaves.size() == 2);
  CHECK(plan.stores[0].network->nodes.size() == 6);
}

TEST_CASE("several pools on one store keep their own uplinks") {
  Scenario scenario = test::small_scenario(4);
  scenario.cluster.pools[0].nodes_per_leaf = 0;
  scenario.cluster.pools.push_back(scenario.cluster.pools[0]);
  scenario.cluster.pools[1].name = "more";
  scenario.jobs.push_back(scenario.jobs[0]);
  scenario.jobs[1].name = "other";
  scenario.jobs[1].pool = "more";
  scenario.fabric.spine_oversubscription = 2.0;
  const ClusterPlan plan = plan_cluster(scenario, {});
  REQUIRE(plan.stores[0].network->leaves.size() == 2);
  CHECK(plan.jobs[1].path.first_leaf == 1);
  CHECK(plan.jobs[0].path.spine_bytes_per_s == plan.stores[0].network->leaves[0].bytes_per_s);
  CHECK(plan.stores[0].network->pool_bytes_per_s == scenario.stores[0].bandwidth_bytes_per_s);
  for (Pool& pool : scenario.cluster.pools) pool.nodes_per_leaf = 2;
  CHECK_THROWS_AS(plan_cluster(scenario, {}), UnusableRequest);
}

TEST_CASE("background load takes its fair share of a full store") {
  // 8 loaders of 4 workers with 32 transfers or fewer under way against 32 clients that ask for more than there is.
  Scenario scenario = steady_scenario(1, 0.8);
  const double capacity = scenario.stores[0].bandwidth_bytes_per_s;
  scenario.background.push_back(steady_load(10.0 * capacity, 1));
  const IngestPath path = resolve_path(scenario, 0, {});
  ClusterRun one(plan_cluster(scenario, {}), 1, 0, {});
  one.run_to(300);
  const double step_one_s = mean_step_s(one.log(), 50);
  scenario.background[0].clients = std::uint64_t{path.loaders} * path.workers;
  ClusterRun many(plan_cluster(scenario, {}), 1, 0, {});
  many.run_to(50);
  many.reset_totals();
  many.run_to(600);
  const double step_many_s = mean_step_s(many.log(), 50);
  CHECK(step_one_s < 0.12);
  // As many hands as the workers have: each side half of the store, so that 0.08 s of bytes take 0.16 s.
  CHECK(step_many_s == Approx(0.16).epsilon(0.05));
  CHECK(many.background()[0]->bytes_per_s() == Approx(capacity / 2.0).epsilon(0.1));
}

TEST_CASE("a limit holds background load down, and an idle store serves all that it asks for") {
  Scenario scenario = steady_scenario(1, 0.5);
  const double capacity = scenario.stores[0].bandwidth_bytes_per_s;
  scenario.background.push_back(steady_load(0.3 * capacity, 16));
  ClusterRun open(plan_cluster(scenario, {}), 1, 0, {});
  open.run_to(600);
  CHECK(open.background()[0]->bytes_per_s() == Approx(0.3 * capacity).epsilon(0.05));
  CHECK(mean_step_s(open.log(), 50) == Approx(0.1).epsilon(0.01));
  scenario.background[0].limit_bytes_per_s = 0.1 * capacity;
  ClusterRun limited(plan_cluster(scenario, {}), 1, 0, {});
  limited.run_to(600);
  CHECK(limited.background()[0]->bytes_per_s() == Approx(0.1 * capacity).epsilon(0.02));
}

TEST_CASE("writes take the store's write bandwidth") {
  Scenario scenario = steady_scenario(1, 0.5);
  const double capacity = scenario.stores[0].bandwidth_bytes_per_s;
  scenario.stores[0].write_bandwidth_bytes_per_s = capacity / 4.0;
  scenario.background.push_back(steady_load(10.0 * capacity, 64));
  scenario.background[0].direction = BackgroundDirection::write;
  scenario.jobs[0].step.step_time_s = DistributionSpec::constant(100.0);  // next to no reads
  ClusterRun run(plan_cluster(scenario, {}), 1, 0, {});
  run.run_to(2);  // by then every worker has begun
  run.reset_totals();
  run.run_to(4);
  CHECK(run.background()[0]->bytes_per_s() == Approx(capacity / 4.0).epsilon(0.03));
}

TEST_CASE("short bursts take place within the run, at their share of time") {
  Scenario scenario = steady_scenario(1, 0.5);
  const double capacity = scenario.stores[0].bandwidth_bytes_per_s;
  Background load = steady_load(0.4 * capacity, 4);
  load.bursts = Bursts{0.05, 0.15};
  scenario.background.push_back(load);
  ClusterPlan plan = plan_cluster(scenario, {});
  CHECK(take_slow_states(plan, 1).size() == 1);
  REQUIRE(plan.background[0].bursts);
  ClusterRun run(plan, 3, 0, {});
  run.run_to(20000);
  // 2,000 s hold 10,000 cycles; the active share has a relative standard deviation below 2 % (false failures: 1e-6).
  CHECK(run.background()[0]->bytes_per_s() == Approx(0.1 * capacity).epsilon(0.1));
}

TEST_CASE("slow bursts are told apart, and their states weigh as their shares of time") {
  Scenario scenario = steady_scenario(1, 0.8);
  const double capacity = scenario.stores[0].bandwidth_bytes_per_s;
  const IngestPath path = resolve_path(scenario, 0, {});
  Background load = steady_load(10.0 * capacity, std::uint64_t{path.loaders} * path.workers);
  load.bursts = Bursts{600.0, 1800.0};
  scenario.background.push_back(load);
  const Outcome outcome = simulate(scenario, steps(600));
  REQUIRE(outcome.jobs.size() == 1);
  REQUIRE(outcome.jobs[0].windows.size() == 2);
  const double busy_s = outcome.jobs[0].windows[0].step_time_s;
  const double quiet_s = outcome.jobs[0].windows[1].step_time_s;
  CHECK(busy_s > 1.4 * quiet_s);
  CHECK(quiet_s == Approx(0.1).epsilon(1e-6));
  const double steps_per_s = 0.25 / busy_s + 0.75 / quiet_s;
  CHECK(metric(outcome.metrics, "step_time_s") == Approx(1.0 / steps_per_s).epsilon(1e-9));
  CHECK(outcome.jobs[0].windows[0].weight == Approx(0.25 / busy_s / steps_per_s).epsilon(1e-9));
  CHECK(metric(outcome.metrics, "gpu_idle_fraction") == Approx(0.25 * (1.0 - 0.1 / busy_s)).epsilon(1e-6));
  // Active a quarter of the time, with half of the store.
  REQUIRE(outcome.background.size() == 1);
  CHECK(*outcome.background[0].served_bytes_per_s == Approx(capacity / 8.0).epsilon(0.1));
}

TEST_CASE("three slow loads have eight states whose shares sum to one") {
  Scenario scenario = steady_scenario(1, 0.5);
  for (int i = 0; i < 4; ++i) {
    scenario.background.push_back(steady_load(1e6, 1));
    scenario.background.back().bursts = Bursts{100.0 * (i + 1), 1000.0};
  }
  ClusterPlan plan = plan_cluster(scenario, {});
  const std::vector<LoadState> states = take_slow_states(plan, 4);
  REQUIRE(states.size() == 8);
  double share = 0.0;
  std::size_t active = 0;
  for (const LoadState& state : states) {
    share += state.share;
    active += in_state(plan, state).background.size();
  }
  CHECK(share == Approx(1.0));
  CHECK(active == 8 * 1 + 3 * 4);  // the fourth load is in all states, each other one in half of them
  CHECK_FALSE(plan.background[0].bursts);
  CHECK(plan.background[3].bursts);
}

TEST_CASE("the cluster's metrics are those of its jobs together") {
  Scenario scenario = test::small_scenario(5);
  scenario.jobs[0].nodes = 2;
  scenario.jobs.push_back(scenario.jobs[0]);
  scenario.jobs[1].name = "small";
  scenario.jobs[1].nodes = 1;
  scenario.jobs[1].copies = 3;
  scenario.stores[0].bandwidth_bytes_per_s = 0.7e9;
  scenario.prices.gpu_hour_usd = 4.0;
  StudyOptions options = steps(600);
  options.relief = true;
  const Outcome outcome = simulate(scenario, options);
  REQUIRE(outcome.jobs.size() == 2);
  const JobReport& large = outcome.jobs[0];
  const JobReport& small = outcome.jobs[1];
  CHECK(small.copies == 3);
  CHECK(small.nodes == 3);
  const double gpus = static_cast<double>(large.gpus + small.gpus);
  const auto weighted = [&](std::string_view name) {
    return (metric(large.metrics, name) * static_cast<double>(large.gpus) +
            metric(small.metrics, name) * static_cast<double>(small.gpus)) /
           gpus;
  };
  CHECK(metric(outcome.metrics, "gpu_idle_fraction") == Approx(weighted("gpu_idle_fraction")));
  CHECK(metric(outcome.metrics, "gpu_utilization") == Approx(weighted("gpu_utilization")));
  CHECK(metric(outcome.metrics, "samples_per_s") ==
        Approx(metric(large.metrics, "samples_per_s") + 3.0 * metric(small.metrics, "samples_per_s")));
  CHECK(metric(outcome.metrics, "epoch_time_s") ==
        std::max(metric(large.metrics, "epoch_time_s"), metric(small.metrics, "epoch_time_s")));
  double blamed = 0.0;
  for (const StageShare& share : outcome.blame) blamed += share.mean;
  CHECK(blamed == Approx(metric(outcome.metrics, "gpu_idle_fraction")).epsilon(1e-9));
  double states = 0.0;
  for (const GpuStateShare& state : outcome.gpu_states) states += state.share;
  CHECK(states == Approx(1.0));
  double paid = 0.0;
  for (const LedgerLine& line : outcome.ledger) paid += line.usd;
  CHECK(paid == Approx(metric(outcome.metrics, "cost_per_epoch_usd")));
  // The store is full, and its report says so for all jobs together.
  bool found = false;
  for (const StationReport& station : outcome.stations) {
    if (station.name != "store bandwidth (store)") continue;
    found = true;
    CHECK(station.utilization == Approx(1.0).epsilon(0.02));
    CHECK(station.throughput == Approx(std::min(metric(outcome.metrics, "store_bytes_per_s"), station.capacity)));
  }
  CHECK(found);
  CHECK(outcome.binding == Stage::transfer);
  CHECK_FALSE(small.relief.empty());
}

TEST_CASE("an outcome of several jobs is the same for any number of threads") {
  Scenario scenario = test::small_scenario(4);
  scenario.jobs[0].nodes = 2;
  scenario.jobs[0].copies = 2;
  scenario.background.push_back(steady_load(2e8, 3));
  scenario.background[0].bursts = Bursts{60.0, 60.0};
  StudyOptions options = steps(300);
  options.relief = true;
  const Outcome one = simulate(scenario, options);
  options.threads = 3;
  const Outcome three = simulate(scenario, options);
  REQUIRE(one.metrics.size() == three.metrics.size());
  for (std::size_t i = 0; i < one.metrics.size(); ++i) REQUIRE(one.metrics[i].mean == three.metrics[i].mean);
  REQUIRE(one.relief.size() == three.relief.size());
  for (std::size_t i = 0; i < one.relief.size(); ++i) REQUIRE(one.relief[i].mean == three.relief[i].mean);
  REQUIRE(one.background[0].served_bytes_per_s == three.background[0].served_bytes_per_s);
}

TEST_CASE("the bound of a job beside others is that of the job alone") {
  Scenario scenario = steady_scenario(2, 1.6);
  const Outcome both = flow_bound(scenario);
  const Outcome alone = flow_bound(job_alone(scenario, 0));
  CHECK(metric(both.jobs[0].metrics, "step_time_s") == metric(alone.metrics, "step_time_s"));
  CHECK(both.jobs[0].copies == 2);
}

TEST_CASE("an estimate of jobs that share a store gives each its fair share, for ranking") {
  const Outcome outcome = queueing_estimate(steady_scenario(2, 1.6), 1);
  CHECK(metric(outcome.jobs[0].metrics, "step_time_s") == Approx(0.16).epsilon(0.02));
  REQUIRE(outcome.estimate);
  CHECK_FALSE(outcome.estimate->certified_error);
}

TEST_CASE("weighted max-min shares by hand") {
  // 10 between claims of 1 (one hand), 6 and 9 (two hands each): 1, then 9 over 4 hands, 4.5 each.
  const std::vector<double> shares = weighted_max_min(10.0, {{1.0, 1.0}, {6.0, 2.0}, {9.0, 2.0}});
  CHECK(shares[0] == 1.0);
  CHECK(shares[1] == Approx(4.5));
  CHECK(shares[2] == Approx(4.5));
  const std::vector<double> enough = weighted_max_min(10.0, {{1.0, 1.0}, {2.0, 5.0}});
  CHECK(enough[0] == 1.0);
  CHECK(enough[1] == 2.0);
}

TEST_CASE("workers with different numbers of lanes share a request station by max-min") {
  // One job asks with 1 lane, one with 8: at 10 ms a worker reaches 100 and 800 requests/s. The store serves plenty.
  Scenario scenario = steady_scenario(2, 0.1);
  scenario.jobs[0].copies = 1;
  scenario.jobs.push_back(scenario.jobs[0]);
  scenario.jobs[1].name = "lanes";
  scenario.jobs[1].loader.lanes = 8;
  scenario.stores[0].latency_s = DistributionSpec::constant(0.01);
  scenario.stores[0].requests_per_s = 1e6;
  for (Job& job : scenario.jobs) {
    job.step.batch = 8;
    job.loader.workers = 1;
    job.loader.prefetch = 1;
    job.step.step_time_s = DistributionSpec::constant(1e-3);
  }
  const ClusterPlan plan = plan_cluster(scenario, {});
  REQUIRE(plan.stores[0].requests.contended);
  CHECK(!plan.stores[0].requests.cap_per_s);
  ClusterRun run(plan, 1, 0, {});
  run.run_to(100);
  CHECK(mean_step_s(run.job(0).log(), 10) > 0.08);
  CHECK(mean_step_s(run.job(1).log(), 10) < 0.03);
}
