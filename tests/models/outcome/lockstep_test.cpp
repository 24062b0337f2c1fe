// Batches without any spread march in step, and the answer is then that of resources that work in turn: the outcome
// says so, also where only a part of the epoch is like that.
#include "models/outcome/lockstep.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "models/hops/resource_floors.hpp"
#include "models/path/tier_path.hpp"
#include "models/study/study.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace::models;

namespace {

/// Eight ranks whose cache, in front of two limits of a store, keeps next to nothing: a batch asks all of them in turn.
Scenario three_limits() {
  Scenario scenario = test::small_scenario(2);
  Pool& pool = scenario.cluster.pools[0];
  pool.gpus_per_node = 4;
  pool.drives.capacity_bytes = 4e12;
  pool.cache.policy = CachePolicy::lru;
  pool.cache.scope = CacheScope::partitioned;
  pool.cache.medium = CacheMedium::nvme;
  pool.cache.bytes = 1e12;
  pool.cache.bandwidth_bytes_per_s = 6e9;
  pool.cache.write_bandwidth_bytes_per_s = 3e9;
  Store& store = scenario.stores[0];
  store.metadata = {};
  store.latency_s = DistributionSpec::constant(0.015);
  store.requests_per_s = 367.0;
  store.bandwidth_bytes_per_s = 2.4e9;
  store.stream_bytes_per_s = 150e6;
  scenario.datasets[0].files = 8000000;
  scenario.datasets[0].sample_bytes = DistributionSpec::constant(4e6);
  Job& job = scenario.jobs[0];
  job.loader.workers = 8;
  job.loader.lanes = 2;
  job.loader.cpu_s_per_sample = DistributionSpec::constant(0.004);
  job.step.batch = 32;
  job.step.step_time_s = DistributionSpec::constant(0.3);
  job.epochs = 20;
  return scenario;
}

Outcome briefly_simulated(const Scenario& scenario) {
  StudyOptions options;
  options.steps = 400;
  options.granularity = Granularity{};  // whole batches, as in large jobs
  options.threads = 1;
  options.relief = false;
  return simulate(scenario, options);
}

std::optional<Warning> lockstep_of(const Outcome& outcome) {
  const auto found = std::find_if(outcome.warnings.begin(), outcome.warnings.end(), [](const Warning& warning) {
    return warning.seen.find("lockstep") != std::string::npos;
  });
  return found == outcome.warnings.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

// Caches that answer nothing leave batches alike, whose workers begin spread over a step: it is then as long as the
// busiest resource asks for, where lockstep would make it nearly twice as long. The bar is 2 %, for the wait at the
// end.
TEST_CASE("constant times behind a cache that keeps next to nothing do not march in lockstep") {
  const Scenario alike = three_limits();
  const Outcome constant = briefly_simulated(alike);
  CHECK_FALSE(lockstep_of(constant));
  Scenario spread = alike;
  spread.stores[0].latency_s = DistributionSpec::lognormal(0.015, 0.05);
  const Outcome apart = briefly_simulated(spread);
  CHECK_FALSE(lockstep_of(apart));
  CHECK(constant.find("step_time_s")->mean == Approx(apart.find("step_time_s")->mean).epsilon(0.02));
}

// The step is then as long as the next resource asks for; in lockstep it would be a quarter longer. The bar is a point.
TEST_CASE("a stage that is taken out, with all that varies, does not leave the others in lockstep") {
  Scenario spread = three_limits();
  spread.stores[0].latency_s = DistributionSpec::lognormal(0.015, 0.05);
  StudyOptions options;
  options.steps = 600;
  options.threads = 1;
  options.granularity = Granularity{};
  const Outcome outcome = simulate(spread, options);
  const auto station = [&](Resource resource) {
    const auto found = std::find_if(outcome.stations.begin(), outcome.stations.end(),
                                    [&](const StationReport& one) { return one.resource == resource; });
    REQUIRE(found != outcome.stations.end());
    return found->floor_step_time_s;
  };
  const double requests_s = station(Resource::store_requests);
  const double bytes_s = station(Resource::store_bandwidth);
  REQUIRE(bytes_s < 0.7 * requests_s);
  const auto relief = std::find_if(outcome.relief.begin(), outcome.relief.end(),
                                   [](const StageShare& share) { return share.stage == Stage::request; });
  REQUIRE(relief != outcome.relief.end());
  CHECK(relief->mean == Approx(1.0 - bytes_s / requests_s).margin(0.01));
}

TEST_CASE("windows are judged one by one: a cache that fills makes the batches of an epoch unlike") {
  const Scenario scenario = three_limits();
  const double asked_s = step_time_bound_s(in_window(resolve_path(scenario, 0, {}), {0.75, 0.5, 0.0, {}}));
  const SimulatedWindow varied{{0.25, 0.5, 0.0, {}}, 0.4, asked_s, 0.1, 0.2};
  const SimulatedWindow alike{{0.75, 0.5, 0.0, {}}, 0.6, 2.0 * asked_s, 1.0, 1.0};
  Outcome outcome;
  warn_of_lockstep(scenario, 0, {varied, alike}, outcome);
  REQUIRE(lockstep_of(outcome));
  CHECK(outcome.warnings.front().seen.find("for 60 % of the time") != std::string::npos);
  CHECK(outcome.warnings.front().fix.find(
            "--set '/stores/0/latency={\"lognormal\": {\"mean\": \"0.015 s\", \"cv\": 0.5}}'") != std::string::npos);
  Outcome without;
  warn_of_lockstep(scenario, 0, {varied}, without);
  CHECK_FALSE(lockstep_of(without));
  SimulatedWindow as_asked = alike;  // a full resource, which a step waits for whatever its batches are like
  as_asked.step_time_s = asked_s;
  warn_of_lockstep(scenario, 0, {as_asked}, without);
  CHECK_FALSE(lockstep_of(without));
}
