#include "scenarios/remedies/remedy.hpp"

#include <algorithm>
#include <optional>

#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "scenarios/remedies/remedy_judge.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"
#include "tests/scenarios/load_shipped.hpp"

using namespace headrace;
using models::DistributionSpec;

namespace {

double idle_of(const models::Scenario& scenario) {
  return models::queueing_estimate(scenario, 1).find("gpu_idle_fraction")->mean;
}

std::optional<models::RemedyReport> first_remedy(const models::Scenario& scenario, double idle_fraction) {
  const std::vector<scenarios::Remedy> all = scenarios::remedies(scenario, idle_fraction, 1);
  return all.empty() ? std::nullopt : std::optional(all.front().report);
}

/// Workers that spend twice the time of a step on CPU work for each batch.
models::Scenario short_of_workers() {
  models::Scenario scenario = models::test::small_scenario(2);
  models::Job& job = scenario.jobs[0];
  job.step.step_time_s = DistributionSpec::constant(0.1);
  job.loader.workers = 2;
  job.loader.cpu_s_per_sample = DistributionSpec::constant(0.4 / static_cast<double>(job.step.batch));
  return scenario;
}

}  // namespace

TEST_CASE("the first remedy of too few workers is more of them, although less work per sample gains as much") {
  const models::Scenario scenario = short_of_workers();
  const double idle = idle_of(scenario);
  REQUIRE(idle > 0.3);
  const auto remedy = first_remedy(scenario, idle);
  REQUIRE(remedy);
  CHECK(remedy->change == "double the workers of each loader");
  CHECK(remedy->parameter == "loader/workers");
  CHECK(remedy->options == "--set /jobs/0/loader/workers=4");
  models::Scenario doubled = scenario;
  doubled.jobs[0].loader.workers = 4;
  CHECK(remedy->gain == Approx(1.0 - (1.0 - idle) / (1.0 - idle_of(doubled))));
}

TEST_CASE("a full store is widened or avoided, more workers do not help it") {
  const models::Scenario scenario = models::test::starved_scenario();
  const double idle = idle_of(scenario);
  REQUIRE(idle > 0.3);
  const auto remedy = first_remedy(scenario, idle);
  REQUIRE(remedy);
  CHECK((remedy->parameter == "stores/bandwidth" || remedy->parameter == "pools/cache"));
}

TEST_CASE("two limits that lie close together need two changes") {
  models::Scenario scenario = models::test::small_scenario(1);
  scenario.stores[0].latency_s = DistributionSpec::constant(1e-4);
  scenario.stores[0].metadata.latency_s = DistributionSpec::constant(0.0);
  scenario.stores[0].stream_bytes_per_s = 0.2e9;  // two workers bring 16 MB in 40 ms
  scenario.cluster.pools[0].nic.bandwidth_bytes_per_s = 32e6 / 0.044;
  scenario.cluster.pools[0].cache.policy = models::CachePolicy::pinned;
  scenario.cluster.pools[0].cache.bytes = 1e6;  // one sample: more drives are no way around the network
  scenario.cluster.pools[0].cache.bandwidth_bytes_per_s = 1e9;
  models::Job& job = scenario.jobs[0];
  job.loader.workers = 2;
  job.loader.cpu_s_per_sample = DistributionSpec::constant(0.0);
  job.step.step_time_s = DistributionSpec::constant(0.018);
  const double idle = idle_of(scenario);
  REQUIRE(idle > 0.5);
  const auto remedy = first_remedy(scenario, idle);
  REQUIRE(remedy);
  INFO(remedy->change << ", gain " << remedy->gain << " of " << idle);
  CHECK(remedy->change.find(" and double the workers of each loader") != std::string::npos);
  CHECK(remedy->options.find("/cluster/pools/0/nic/bandwidth=") != std::string::npos);
  CHECK(remedy->options.find("/jobs/0/loader/workers=4") != std::string::npos);
  CHECK(remedy->gain > 0.25);
}

TEST_CASE("more remedies follow the first one, the largest gain first, each with its scenario") {
  const models::Scenario scenario = short_of_workers();
  const double idle = idle_of(scenario);
  const std::vector<scenarios::Remedy> all = scenarios::remedies(scenario, idle, 3);
  REQUIRE(all.size() >= 2);
  CHECK(all.size() <= 3);
  CHECK(all.front().report.change == first_remedy(scenario, idle)->change);
  CHECK(all.front().changed.jobs[0].loader.workers == 4);
  for (std::size_t i = 1; i < all.size(); ++i) {
    CHECK(all[i].report.change != all.front().report.change);
    CHECK(all[i].report.gain >= 0.01);
    if (i > 1) CHECK(all[i].report.gain <= all[i - 1].report.gain);
    CHECK(1.0 - (1.0 - idle) / (1.0 - idle_of(all[i].changed)) == Approx(all[i].report.gain));
    CHECK(all[i].report.cost_usd);  // GPU hours have a price here
  }
  CHECK(scenarios::remedies(scenario, idle, 0).empty());
}

TEST_CASE("short simulations are told as the long run, and no change waits less than its bound") {
  const models::Scenario scenario = short_of_workers();
  const double idle = 1.15 * idle_of(scenario);  // so far off that the estimate does not judge
  const scenarios::RemedyJudge judge(scenario, idle, 1, scenarios::RemedyGoal::waits);
  REQUIRE(judge.kind() == models::AnswerKind::simulated);
  REQUIRE(judge.now());
  CHECK(judge.now()->idle == idle);
  const auto same = judge.judge(scenario);
  REQUIRE(same);
  CHECK(same->idle == Approx(idle));
  CHECK(same->cost_usd == Approx(judge.now()->cost_usd));
  // A long run that waits less would make the short one wait less than the workers allow.
  const scenarios::RemedyJudge lower(scenario, 0.8 * idle_of(scenario), 1, scenarios::RemedyGoal::waits);
  const auto bounded = lower.judge(scenario);
  REQUIRE(bounded);
  const double bound = models::flow_bound(scenario).find("gpu_idle_fraction")->mean;
  REQUIRE(bound > 0.5);
  CHECK(bounded->idle == Approx(bound));
}

TEST_CASE("a gain is never more than the wait, and a fed job needs no remedy") {
  const models::Scenario scenario = short_of_workers();
  const auto remedy = first_remedy(scenario, 0.05);  // a simulation that waits less than the estimate
  REQUIRE(remedy);
  CHECK(remedy->gain == 0.05);
  models::Scenario fed = scenario;
  fed.jobs[0].loader.workers = 32;
  CHECK_FALSE(first_remedy(fed, idle_of(fed)));
}

TEST_CASE("a larger cache says where it holds all data, and what waits then is a share of the shorter time") {
  models::Scenario scenario = models::test::small_scenario(2);
  models::NodeCache& cache = scenario.cluster.pools[0].cache;
  cache.policy = models::CachePolicy::lru;
  cache.scope = models::CacheScope::partitioned;
  cache.bandwidth_bytes_per_s = 20e9;
  cache.bytes = 0.6 * scenario.datasets[0].bytes() / static_cast<double>(scenario.cluster.pools[0].nodes);
  scenario.jobs[0].step.step_time_s = DistributionSpec::constant(0.01);
  scenario.stores[0].bandwidth_bytes_per_s = 0.1e9;
  const double idle = idle_of(scenario);
  REQUIRE(idle > 0.3);
  bool told = false;
  for (const scenarios::Remedy& one : scenarios::remedies(scenario, idle, 15))
    told = told || (one.report.change.starts_with("double the cache of each node (") &&
                    one.report.change.find("the caches then hold all data") != std::string::npos);
  CHECK(told);
  models::RemedyReport change;
  change.gain = 0.4;
  CHECK(scenarios::idle_after(change, 0.58) == Approx(0.3));
}

TEST_CASE("a job bound by checkpoints is told to save in the background, at what its formulas gain") {
  models::Scenario scenario = models::test::small_scenario(2);
  models::Checkpoint& checkpoint = scenario.jobs[0].checkpoint.emplace();
  checkpoint.bytes = 200e9;
  checkpoint.store = scenario.stores[0].name;
  checkpoint.interval_s = 600.0;
  scenario.faults.emplace().node_mtbf_s = 30.0 * 86400.0;
  const auto goodput = [](const models::Scenario& of) {
    return models::mean_in(models::flow_bound(of).metrics, "goodput_fraction");
  };
  const std::vector<scenarios::Remedy> all =
      scenarios::remedies(scenario, 0.5, 4, std::nullopt, scenarios::RemedyGoal::interruptions);
  REQUIRE_FALSE(all.empty());
  CHECK(all.front().report.change.starts_with("save in the background"));
  CHECK(all.front().report.options.find("/jobs/0/checkpoint/mode=async") != std::string::npos);
  CHECK(all.front().report.kind == models::AnswerKind::bound);
  for (const scenarios::Remedy& one : all) {
    const double gain = 1.0 - goodput(scenario) / goodput(one.changed);
    CHECK(one.report.gain == Approx(std::min(0.5, gain)).epsilon(1e-9));
    CHECK(one.report.gain >= 0.01);
  }
}

TEST_CASE("a cache that loses its data before they are read again is told to evict nothing, before hardware") {
  models::Scenario scenario = models::test::small_scenario(2);
  models::Pool& pool = scenario.cluster.pools[0];
  pool.drives = {scenario.datasets[0].bytes(), 1.0, 5.0};
  pool.cache.policy = models::CachePolicy::lru;
  pool.cache.scope = models::CacheScope::partitioned;
  pool.cache.medium = models::CacheMedium::nvme;
  pool.cache.bandwidth_bytes_per_s = 20e9;
  pool.cache.bytes = 0.45 * scenario.datasets[0].bytes();
  scenario.jobs[0].step.step_time_s = DistributionSpec::constant(0.01);
  scenario.stores[0].bandwidth_bytes_per_s = 0.5e9;
  const double idle = idle_of(scenario);
  const auto remedy = first_remedy(scenario, idle);
  REQUIRE(remedy);
  CHECK(remedy->change == "keep what the caches hold, evict nothing");
  CHECK(remedy->options == "--set /cluster/pools/0/cache/policy=pinned");
  const auto warned = [](const models::Outcome& outcome, const char* text = "wear out in") {
    return std::any_of(outcome.warnings.begin(), outcome.warnings.end(),
                       [text](const models::Warning& one) { return one.seen.find(text) != std::string::npos; });
  };
  CHECK(warned(models::queueing_estimate(scenario, 1)));
  pool.drives.writes_per_day = 0.0;
  CHECK(warned(models::queueing_estimate(scenario, 1), "times a day, and their rating is not stated"));
  CHECK_FALSE(warned(models::queueing_estimate(scenario, 1)));
  pool.cache.policy = models::CachePolicy::pinned;  // which writes once
  CHECK_FALSE(warned(models::queueing_estimate(scenario, 1), "rating is not stated"));
  pool.drives.writes_per_day = 1.0;
  CHECK_FALSE(warned(models::queueing_estimate(scenario, 1)));
  CHECK_FALSE(first_remedy(scenario, idle)->parameter == "pools/cache/policy");
}

TEST_CASE("data that no node holds are cached once by all nodes, and by no more drives than they fill") {
  models::Scenario scenario = models::test::starved_scenario(0.05e9);
  scenario.cluster.pools[0].nodes = 4;
  scenario.datasets[0].files = 20'000'000;  // 20 TB
  const double idle = idle_of(scenario);
  const auto found = [&](const models::Scenario& of) {
    for (const scenarios::Remedy& one : scenarios::remedies(of, idle, 15))
      if (one.report.parameter == "pools/cache") return std::optional(one);
    return std::optional<scenarios::Remedy>();
  };
  const auto together = found(scenario);
  REQUIRE(together);
  CHECK(together->report.change.starts_with("cache the data on NVMe, 5 TB in each node, one cache of all nodes"));
  CHECK(together->report.options.find("/cluster/pools/0/cache/scope=partitioned") != std::string::npos);
  scenario.datasets[0].files = 208'000'000;
  const auto part = found(scenario);
  REQUIRE(part);
  CHECK(part->report.change.starts_with("cache 25 % of the data on NVMe, 13 TB in each node, one cache of all nodes"));
  scenario.datasets[0].files = 100'000;
  const auto each = found(scenario);
  REQUIRE(each);
  CHECK(each->report.change.starts_with("cache the data on NVMe, 1 TB in each node"));
  CHECK(each->report.options.find("scope") == std::string::npos);
}

TEST_CASE("a wider link also carries what GPUs exchange, and its gain counts that time") {
  const models::Scenario scenario = scenarios::load_shipped("roce-vs-tcp").value;
  const double idle = idle_of(scenario);
  REQUIRE(idle > 0.02);
  const auto time_of = [](const models::Scenario& of) {
    return models::queueing_estimate(of, 1).find("step_time_s")->mean;
  };
  bool found = false;
  for (const scenarios::Remedy& one : scenarios::remedies(scenario, idle, 15)) {
    if (one.report.parameter != "pools/nic/bandwidth") continue;
    found = true;
    CHECK(one.report.gain == Approx(1.0 - time_of(one.changed) / time_of(scenario)).epsilon(0.02));
    REQUIRE(one.report.lost_after);
    CHECK(scenarios::idle_after(one.report, idle) == Approx(idle_of(one.changed)));
    CHECK(one.report.options == "--set '/cluster/pools/0/nic/bandwidth=200 Gb/s'");  // links are bought by the bit
  }
  CHECK(found);
}

TEST_CASE("where new data come too slowly, they are written faster or wait in a larger buffer") {
  models::Scenario scenario = models::test::small_scenario(2);
  models::StreamSource& stream = scenario.datasets[0].stream.emplace();
  stream.bytes_per_s = 1e9;
  stream.bursts.emplace();
  stream.bursts->on_s = 60.0;
  stream.bursts->off_s = 60.0;
  stream.drain_bytes_per_s = 300e6;
  stream.buffer_bytes = 20e9;
  stream.uses = 2.0;
  const double idle = idle_of(scenario);
  REQUIRE(idle > 0.05);
  std::vector<std::string> changes;
  for (const scenarios::Remedy& one : scenarios::remedies(scenario, idle, 15)) {
    changes.push_back(one.report.change);
    CHECK(idle_of(one.changed) < idle);
  }
  REQUIRE_FALSE(changes.empty());
  CHECK(changes.front().starts_with("write new data to the store twice as fast"));
  CHECK(std::any_of(changes.begin(), changes.end(),
                    [](const std::string& one) { return one.starts_with("double the buffer for new data"); }));
}
