// What a scenario states and nothing uses is told at every level of answer; what is used is not complained of.
#include "models/outcome/unused_inputs.hpp"

#include <algorithm>

#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/study/study.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace::models;

namespace {

bool tells(const std::vector<Warning>& warnings, const std::string& text) {
  return std::any_of(warnings.begin(), warnings.end(),
                     [&](const Warning& warning) { return warning.seen.find(text) != std::string::npos; });
}

Scenario with_other_job() {
  Scenario scenario = test::small_scenario(4);
  scenario.jobs[0].nodes = 2;
  scenario.jobs.push_back(scenario.jobs[0]);
  scenario.jobs[1].name = "other";
  return scenario;
}

}  // namespace

TEST_CASE("a scenario that uses all that it states has no unused inputs") {
  CHECK(unused_inputs(test::small_scenario()).empty());
  Scenario scenario = with_other_job();
  scenario.jobs[0].traffic.weight = 4;
  scenario.fabric.leaf_oversubscription = 2.0;
  scenario.fabric.transport.latency_s = 1e-4;
  scenario.cluster.pools[0].cache.policy = CachePolicy::lru;
  scenario.cluster.pools[0].cache.bytes = 1e9;
  CHECK(unused_inputs(scenario).empty());
}

TEST_CASE("a store that nothing reads or writes has no effect") {
  Scenario scenario = test::small_scenario();
  Store other = scenario.stores[0];
  other.name = "other";
  scenario.stores.push_back(other);
  const std::vector<Warning> unused = unused_inputs(scenario);
  REQUIRE(unused.size() == 1);
  CHECK(unused[0].seen == "store 'other' has no effect");
  CHECK(unused[0].fix.find("name it 'store'") != std::string::npos);
  scenario.jobs[0].staging = Staging{};
  scenario.jobs[0].staging->mode = StagingMode::prestage_store;
  scenario.jobs[0].staging->from = "other";
  CHECK(unused_inputs(scenario).empty());
}

TEST_CASE("a write cache of a store that no checkpoint reaches has no effect") {
  Scenario scenario = test::small_scenario();
  scenario.stores[0].write_cache = WriteCache{1e12, 80e9, {}};
  const std::vector<Warning> unused = unused_inputs(scenario);
  REQUIRE(unused.size() == 1);
  CHECK(unused[0].seen == "write_cache of store 'store' has no effect");
  Checkpoint checkpoint;
  checkpoint.store = "store";
  checkpoint.bytes = 1e9;
  scenario.jobs[0].checkpoint = checkpoint;
  CHECK(unused_inputs(scenario).empty());
}

TEST_CASE("a weight without other traffic is told at every level of answer") {
  Scenario scenario = test::small_scenario();
  scenario.jobs[0].traffic.priority = Priority::high;
  const std::string text = "weight and priority of job 'job' have no effect";
  CHECK(tells(flow_bound(scenario).warnings, text));
  CHECK(tells(queueing_estimate(scenario, 1).warnings, text));
  StudyOptions options;
  options.steps = 200;
  options.relief = false;
  CHECK(tells(simulate(scenario, options).warnings, text));
  Checkpoint checkpoint;
  checkpoint.store = "store";
  checkpoint.bytes = 1e9;
  checkpoint.interval_s = 60.0;
  scenario.jobs[0].checkpoint = checkpoint;  // of another priority
  CHECK_FALSE(tells(unused_inputs(scenario), text));
}

TEST_CASE("classes of traffic that are alike, on drives of a node or at a request limit are told") {
  Scenario scenario = with_other_job();
  for (Job& job : scenario.jobs) job.traffic.weight = 3;
  CHECK(tells(unused_inputs(scenario), "have no effect at store 'store'"));
  for (Job& job : scenario.jobs) job.traffic.weight_of = WeightOf::all;  // may differ in their number
  CHECK(unused_inputs(scenario).empty());
  scenario.jobs[1].traffic.weight = 1;
  scenario.stores[0].limit.requests_per_s_per_prefix = 5500.0;
  CHECK(tells(unused_inputs(scenario), "request limit of store 'store' ignores weights"));
  scenario.stores[0].limit = {};
  scenario.stores[0].kind = StoreKind::nvme;
  CHECK(tells(unused_inputs(scenario), "have no effect at store 'store'"));
}

TEST_CASE("bytes and weights of collectives without shared links are told") {
  Scenario scenario = test::small_scenario();
  scenario.fabric.collective_bytes = 1e8;
  scenario.fabric.ingest_weight = 0.8;
  CHECK(tells(unused_inputs(scenario), "fabric/collective_bytes takes no time"));
  CHECK(tells(unused_inputs(scenario), "fabric/ingest_weight has no effect"));
  scenario.fabric.collectives = CollectiveTraffic::shared;
  CHECK(unused_inputs(scenario).empty());
  scenario.jobs[0].nodes = 1;
  CHECK(tells(unused_inputs(scenario), "collectives: shared has no effect"));
}

TEST_CASE("a fabric before local stores, and uplinks to two stores, are told") {
  Scenario scenario = with_other_job();
  scenario.fabric.transport.latency_s = 1e-4;
  scenario.fabric.leaf_oversubscription = 2.0;
  scenario.stores.push_back(scenario.stores[0]);
  scenario.stores[1].name = "second";
  scenario.datasets.push_back(scenario.datasets[0]);
  scenario.datasets[1].name = "texts";
  scenario.datasets[1].store = "second";
  CHECK(unused_inputs(scenario).empty());
  scenario.jobs[1].datasets = {{"texts", 1.0}};
  CHECK(tells(unused_inputs(scenario), "uplinks of pool 'pool' are modelled separately for each of its stores"));
  for (Store& store : scenario.stores) store.kind = StoreKind::nvme;
  CHECK(tells(unused_inputs(scenario), "fabric (transport, oversubscription) has no effect"));
  scenario.cluster.pools[0].cache.policy = CachePolicy::lru;
  scenario.cluster.pools[0].cache.bytes = 1e9;
  scenario.cluster.pools[0].cache.scope = CacheScope::partitioned;  // peers are read over the NICs
  CHECK(unused_inputs(scenario).empty());
}

TEST_CASE("a cache without a policy or a size, and FLOPs beside a measured step, are told") {
  Scenario scenario = test::small_scenario();
  scenario.cluster.pools[0].cache.bytes = 1e12;
  CHECK(tells(unused_inputs(scenario), "the cache of pool 'pool' is not used"));
  scenario.cluster.pools[0].cache.policy = CachePolicy::pinned;
  CHECK(unused_inputs(scenario).empty());
  scenario.cluster.pools[0].cache.bytes = 0.0;
  CHECK(tells(unused_inputs(scenario), "the cache of pool 'pool' holds nothing"));
  scenario.decide.emplace_back().parameter = "/cluster/pools/0/cache/bytes";  // today's value of what is planned
  CHECK(unused_inputs(scenario).empty());
  scenario.cluster.pools[0].cache = {};
  scenario.jobs[0].step.arithmetic.emplace();
  CHECK(tells(unused_inputs(scenario), "step/arithmetic of job 'job' is not used"));
}

TEST_CASE("partitions that nothing splits are told") {
  Scenario scenario = test::small_scenario();
  scenario.stores[0].limit.split_s = 2700.0;
  CHECK(tells(unused_inputs(scenario), "limit/split of store 'store' has no effect"));
  scenario.stores[0].limit.requests_per_s_per_prefix = 5500.0;
  CHECK(tells(unused_inputs(scenario), "limit/split of store 'store' has no effect"));
  scenario.jobs[0].index.emplace();
  CHECK(unused_inputs(scenario).empty());
  scenario.jobs[0].index->mode = IndexMode::manifest;
  CHECK(tells(unused_inputs(scenario), "limit/split of store 'store' has no effect"));
}

TEST_CASE("staging without a cache that could hold anything is told") {
  Scenario scenario = test::small_scenario();
  scenario.jobs[0].staging.emplace();
  CHECK(tells(unused_inputs(scenario), "staging of job 'job' has no effect"));
  scenario.cluster.pools[0].host.page_cache.bytes = 1e9;  // kept warm by what ran before
  CHECK(unused_inputs(scenario).empty());
  scenario.jobs[0].staging->mode = StagingMode::prestage_caches;
  CHECK(tells(unused_inputs(scenario), "staging of job 'job' has no effect"));
  scenario.cluster.pools[0].cache.policy = CachePolicy::pinned;
  scenario.cluster.pools[0].cache.bytes = 1e9;
  CHECK(unused_inputs(scenario).empty());
  scenario.cluster.pools[0].cache = {};
  scenario.jobs[0].staging->mode = StagingMode::prestage_store;
  CHECK(unused_inputs(scenario).empty());
}
