// Quality of service: weights and priorities between jobs, background load and checkpoints, at every level of answer.
#include "models/spec/traffic_class.hpp"

#include <cmath>
#include <limits>

#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/cluster/cluster_plan.hpp"
#include "models/cluster/cluster_run.hpp"
#include "models/cluster/fair_share.hpp"
#include "models/interruptions/checkpoint_writes.hpp"
#include "tests/catch.hpp"
#include "tests/models/two_sharers.hpp"
#include "tests/stations/progressive_filling.hpp"
#include "tests/twins/quality_of_service.hpp"

using namespace headrace::models;
namespace sim = headrace::sim;

namespace {

constexpr double kStep = test::kSharedStep_s;

/// That ask for 0.8 of a store each.
Scenario two_jobs() { return test::two_sharers(0.8); }

Background load_of(std::uint64_t clients, double bytes_per_s) {
  Background load;
  load.name = "load";
  load.store = "store";
  load.clients = clients;
  load.bandwidth_bytes_per_s = bytes_per_s;
  load.request_bytes = 1e6;
  return load;
}

/// Of steps 40 to 200: workers in step with each other deliver their batches in groups of four and eight.
double step_s(const ClusterRun& run, std::size_t job) {
  const auto& records = run.job(job).log().records;
  return sim::seconds(records[199].start_ns - records[39].start_ns) / 160.0;
}

double step_s(const Outcome& outcome, std::size_t job) {
  for (const Metric& metric : outcome.jobs[job].metrics)
    if (metric.name == "step_time_s") return metric.mean;
  FAIL("no step time");
  return 0.0;
}

/// Step times of both jobs: simulated, estimated, bounded.
void check_levels(const Scenario& scenario, double first_s, double second_s, double tolerance = 0.015,
                  Granularity granularity = {}) {
  ClusterRun run(plan_cluster(scenario, granularity), 1, 0, {});
  run.run_to(200);
  CHECK(step_s(run, 0) == Approx(first_s).epsilon(tolerance));
  CHECK(step_s(run, 1) == Approx(second_s).epsilon(tolerance));
  const Outcome estimate = queueing_estimate(scenario, 1);
  CHECK(step_s(estimate, 0) == Approx(first_s).epsilon(0.03));
  CHECK(step_s(estimate, 1) == Approx(second_s).epsilon(0.03));
  const Outcome bound = flow_bound(scenario);
  CHECK(step_s(bound, 0) <= first_s * (1.0 + 1e-9));
  CHECK(step_s(bound, 1) <= second_s * (1.0 + 1e-9));
}

}  // namespace

TEST_CASE("jobs of different weight divide a full store by their weights, at every level of answer") {
  for (const std::uint64_t weight : {2U, 3U, 7U}) {
    INFO(weight);
    Scenario scenario = two_jobs();
    scenario.jobs[0].traffic.weight = 5 * weight;  // only the ratio counts
    scenario.jobs[1].traffic.weight = 5;
    const auto shares =
        twins::weighted_shares(1.0, std::vector<twins::WeightedDemand>{{0.8, static_cast<double>(weight)}, {0.8, 1.0}});
    check_levels(scenario, kStep * 0.8 / shares[0], kStep * 0.8 / shares[1]);
  }
}

TEST_CASE("a job of high priority runs as if it were alone, the other with what it leaves") {
  Scenario scenario = two_jobs();
  scenario.jobs[0].traffic.priority = Priority::low;
  const twins::PriorityRates rates = twins::priority_rates(1.0, 0.8, 0.8);
  check_levels(scenario, kStep * 0.8 / rates.low, kStep * 0.8 / rates.high);
}

TEST_CASE("requests per second of a store follow weights and priorities as its bandwidth does") {
  Scenario scenario = two_jobs();
  Store& store = scenario.stores[0];
  store.requests_per_s = store.bandwidth_bytes_per_s / 1e6;
  store.bandwidth_bytes_per_s *= 100.0;
  scenario.jobs[1].traffic.weight = 3;
  // A batch that has been let in is carried meanwhile: not all hands ask for requests all the time.
  check_levels(scenario, kStep * 0.8 / 0.25, kStep * 0.8 / 0.75, 0.03);
  scenario.jobs[1].traffic = {1, Priority::high};
  check_levels(scenario, kStep * 0.8 / 0.2, kStep);
}

TEST_CASE("requests are told apart by class sample by sample, too") {
  Scenario scenario = two_jobs();
  Store& store = scenario.stores[0];
  store.requests_per_s = store.bandwidth_bytes_per_s / 1e6;
  store.bandwidth_bytes_per_s *= 100.0;
  scenario.jobs[1].traffic = {1, Priority::high};
  const Granularity by_sample{Granularity::Kind::sample};
  CHECK(plan_cluster(scenario, by_sample).stores[0].requests.servers == 0);
  check_levels(scenario, kStep * 0.8 / 0.2, kStep, 0.015, by_sample);
  scenario.jobs[1].traffic = {};
  CHECK(plan_cluster(scenario, by_sample).stores[0].requests.servers > 0);  // alike: one after the other
}

TEST_CASE("a weight of all transfers together divides a full store however many there are") {
  Scenario scenario = two_jobs();
  scenario.jobs[1].loader.workers *= 2;
  for (Job& job : scenario.jobs) job.traffic.weight_of = WeightOf::all;
  check_levels(scenario, kStep * 0.8 / 0.5, kStep * 0.8 / 0.5);
  scenario.jobs[0].traffic.weight = 3;
  const auto shares = twins::weighted_shares(1.0, std::vector<twins::WeightedDemand>{{0.8, 3.0}, {0.8, 1.0}});
  check_levels(scenario, kStep * 0.8 / shares[0], kStep * 0.8 / shares[1]);
  // By transfer, the second job has twice as many: three against two.
  for (Job& job : scenario.jobs) job.traffic.weight_of = WeightOf::transfer;
  const auto each = twins::weighted_shares(1.0, std::vector<twins::WeightedDemand>{{0.8, 3.0}, {0.8, 2.0}});
  check_levels(scenario, kStep * 0.8 / each[0], kStep * 0.8 / each[1]);
}

/// Share of the store that a load gets whose clients are always late, beside others of `weight` in its weights. A late
/// client still waits by as much as a drawn gap is longer than the mean one: for exponential gaps, mean / e. Meanwhile
/// it holds none of the load's weight.
double share_of_late_clients(const Scenario& scenario, double weight) {
  const Background& load = scenario.background[0];
  const double pause_s =
      static_cast<double>(load.clients) * load.request_bytes / load.bandwidth_bytes_per_s / std::exp(1.0);
  double active = 1.0;
  for (int i = 0; i < 50; ++i) {
    const double share = active / (weight + active);
    const double client_bytes_per_s =
        share * scenario.stores[0].bandwidth_bytes_per_s / static_cast<double>(load.clients);
    active = 1.0 - pause_s * client_bytes_per_s / load.request_bytes;
  }
  return active / (weight + active);
}

TEST_CASE("a background load of many clients is held to the weight of all of them") {
  Scenario scenario = two_jobs();
  scenario.jobs.pop_back();
  const double capacity = scenario.stores[0].bandwidth_bytes_per_s;
  scenario.background.push_back(load_of(64, 2.0 * capacity));
  scenario.jobs[0].traffic = {3, Priority::normal, WeightOf::all};
  scenario.background[0].traffic = {1, Priority::normal, WeightOf::all};
  ClusterRun run(plan_cluster(scenario, {}), 1, 0, {});
  run.run_to(100);
  run.reset_totals();
  run.run_to(600);
  CHECK(step_s(run, 0) == Approx(kStep * 0.8 / 0.75).epsilon(0.015));
  CHECK(run.background()[0]->bytes_per_s() == Approx(share_of_late_clients(scenario, 3.0) * capacity).epsilon(0.01));
  // A little more: the worker that decodes holds none of the job's weight meanwhile.
  CHECK(served_bytes_per_s(scenario, 0) > 0.25 * capacity);
  CHECK(served_bytes_per_s(scenario, 0) == Approx(0.25 * capacity).epsilon(0.005));
}

TEST_CASE("a plan tells classes of traffic apart only where they differ") {
  Scenario scenario = two_jobs();
  for (Job& job : scenario.jobs) job.traffic = {7, Priority::high};
  ClusterPlan plan = plan_cluster(scenario, {});
  CHECK(plan.stores[0].users.empty());
  for (const auto& node : plan.stores[0].network->nodes) CHECK((node.weight == 1 && node.priority == 0));
  scenario.jobs[0].traffic.weight = 21;
  scenario.background.push_back(load_of(3, 1e8));
  scenario.background[0].traffic = {14, Priority::low};
  plan = plan_cluster(scenario, {});
  REQUIRE(plan.stores[0].users.size() == 3);
  const auto& nodes = plan.stores[0].network->nodes;
  CHECK((nodes[0].weight == 3 && nodes[1].weight == 3 && nodes[2].weight == 1 && nodes[4].weight == 2));
  CHECK((nodes[0].priority == 2 && nodes[4].priority == 0));
  CHECK(plan.jobs[1].path.service_user == 1);
  CHECK(plan.background[0].service_user == 2);
  scenario.jobs[0].traffic.weight_of = WeightOf::all;  // 21 over four loaders of four workers each: 1.3125
  plan = plan_cluster(scenario, {});
  REQUIRE(plan.stores[0].users.size() == 3);
  const auto weight = [&plan](std::size_t user) { return static_cast<double>(plan.stores[0].users[user].weight); };
  CHECK(weight(0) / weight(2) == Approx(21.0 / 16.0 / 14.0).epsilon(0.01));
  CHECK(weight(1) / weight(2) == Approx(0.5));
}

TEST_CASE("background load of low priority gets what jobs leave, and costs them nothing") {
  Scenario scenario = two_jobs();
  scenario.jobs.pop_back();
  const double capacity = scenario.stores[0].bandwidth_bytes_per_s;
  scenario.background.push_back(load_of(8, 2.0 * capacity));
  ClusterRun fair(plan_cluster(scenario, {}), 1, 0, {});
  fair.run_to(200);
  CHECK(step_s(fair, 0) > 1.1 * kStep);
  scenario.background[0].traffic.priority = Priority::low;
  ClusterRun run(plan_cluster(scenario, {}), 1, 0, {});
  run.run_to(100);
  run.reset_totals();
  run.run_to(1100);
  CHECK(step_s(run, 0) == Approx(kStep).epsilon(1e-3));
  CHECK(run.background()[0]->bytes_per_s() == Approx(0.2 * capacity).epsilon(0.05));
  CHECK(served_bytes_per_s(scenario, 0) == Approx(0.2 * capacity));
}

TEST_CASE("writes of a checkpoint with low priority take longer and leave ingest alone") {
  Scenario scenario = two_jobs();
  scenario.jobs.pop_back();
  const double capacity = scenario.stores[0].bandwidth_bytes_per_s;
  Checkpoint checkpoint;
  checkpoint.store = "store";
  checkpoint.bytes = 100.0 * capacity;
  checkpoint.interval_s = 3600.0;
  checkpoint.mode = CheckpointMode::async;
  checkpoint.writers = 64;
  scenario.jobs[0].checkpoint = checkpoint;
  const WriteState alike = checkpoint_writes(scenario).states.at(0);
  scenario.jobs[0].checkpoint->traffic.priority = Priority::low;
  const WriteState low = checkpoint_writes(scenario).states.at(0);
  CHECK(low.duration_s == Approx(100.0 / 0.2).epsilon(1e-3));
  CHECK(alike.duration_s < 0.4 * low.duration_s);
  CHECK(step_s(queueing_estimate(low.scenario, 1), 0) == Approx(kStep).epsilon(1e-3));
  CHECK(step_s(queueing_estimate(alike.scenario, 1), 0) > 1.5 * kStep);
  ClusterRun run(plan_cluster(low.scenario, {}), 1, 0, {});
  run.run_to(200);
  CHECK(step_s(run, 0) == Approx(kStep).epsilon(1e-3));
}

TEST_CASE("claims of classes: the higher ones first, the lower ones never without a thousandth") {
  const std::vector<double> shares = weighted_max_min(10.0, {{4.0, 1.0, 0}, {9.0, 3.0, 1}, {3.0, 1.0, 1}});
  CHECK(shares[1] == Approx(7.5));
  CHECK(shares[2] == Approx(2.5));
  CHECK(shares[0] == Approx(10.0 / 1024.0));
  CHECK(left_for_first(10.0, {{4.0, 1.0, 0}, {6.0, 1.0, 1}, {3.0, 1.0, 0}}) == Approx(2.0));
  CHECK(left_for_first(10.0, {{20.0, 1.0, 2}, {20.0, 1.0, 1}}) == Approx(10.0));
}

TEST_CASE("what serves in order of arrival knows no classes: the request limit, the drives of a node") {
  Scenario scenario = two_jobs();
  const double requests_per_s = 4.0 * 16.0 / kStep;
  scenario.stores[0].bandwidth_bytes_per_s *= 100.0;
  scenario.stores[0].limit.requests_per_s_per_prefix = requests_per_s;
  scenario.jobs[1].traffic = {9, Priority::high};
  CHECK(beside_others(scenario, 0).stores[0].limit.requests_per_s_per_prefix == Approx(0.5 * requests_per_s));
  CHECK(beside_others(scenario, 1).stores[0].limit.requests_per_s_per_prefix == Approx(0.5 * requests_per_s));
  CHECK(demand_of_job(scenario, 0, Resource::store_bandwidth).hands ==
        demand_of_job(scenario, 1, Resource::store_bandwidth).hands);
}

TEST_CASE("twins of quality of service agree with weighted progressive filling") {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const std::vector<twins::WeightedDemand> demands{{3.0, 2.0}, {1.0, 4.0}, {9.0, 1.0}, {9.0, 5.0}};
  const auto shares = twins::weighted_shares(12.0, demands);
  std::vector<sim::RoutedFlow> flows;
  for (const auto& demand : demands) flows.push_back({{0}, demand.demand, demand.weight});
  const auto rates = sim::progressive_filling({12.0}, flows);
  for (std::size_t i = 0; i < rates.size(); ++i) CHECK(shares[i] == Approx(rates[i]).epsilon(1e-12));
  for (const double second : {2.0, 7.0, 40.0}) {
    const twins::TwoLinkRates two = twins::two_link_rates(6.0, second, 2.0, 1.0, 3.0);
    const auto filled =
        sim::progressive_filling({6.0, second}, {{{0, 1}, kNone, 2.0}, {{0}, kNone, 1.0}, {{1}, kNone, 3.0}});
    CHECK(two.both == Approx(filled[0]).epsilon(1e-12));
    CHECK(two.first == Approx(filled[1]).epsilon(1e-12));
    CHECK(two.second == Approx(filled[2]).epsilon(1e-12));
  }
  const twins::PriorityRates priority = twins::priority_rates(10.0, 7.0, 7.0);
  const auto classes = sim::progressive_filling({10.0}, {{{0}, 7.0, 1.0, 1}, {{0}, 7.0, 1.0, 0}});
  CHECK(priority.high == classes[0]);
  CHECK(priority.low == classes[1]);
  CHECK_THROWS_AS(twins::weighted_shares(0.0, demands), std::invalid_argument);
}
