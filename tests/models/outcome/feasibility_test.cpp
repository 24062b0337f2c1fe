// Room that is needed against room that there is.
#include "models/outcome/feasibility.hpp"

#include "models/answer/flow_bound.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

using namespace headrace::models;

TEST_CASE("a requirement is met up to the last byte, and not one byte further") {
  Requirement room{"GPU memory", 80e9, {{"states", 60e9}, {"nothing", 0.0}, {"activations", 20e9}}, "use more GPUs"};
  Outcome outcome;
  outcome.verdict = Verdict::fed;
  require(room, outcome);
  CHECK(outcome.verdict == Verdict::fed);
  CHECK(outcome.warnings.empty());
  room.needs[2].bytes += 1.0;
  require(room, outcome);
  CHECK(outcome.verdict == Verdict::infeasible);
  REQUIRE(outcome.warnings.size() == 1);
  CHECK(outcome.warnings[0].seen == "GPU memory does not suffice");
  CHECK(outcome.warnings[0].cause == "it would take 80.0 GB of 80.0 GB: states 60.0 GB + activations 20.0 GB");
  CHECK(outcome.warnings[0].fix == "use more GPUs");
}

TEST_CASE("room that is not stated is not checked") {
  Outcome outcome;
  outcome.verdict = Verdict::fed;
  require({"host memory", 0.0, {{"caches", 1e15}}, ""}, outcome);
  CHECK(outcome.verdict == Verdict::fed);
  CHECK(outcome.warnings.empty());
}

TEST_CASE("datasets and checkpoints must fit the store that they lie on") {
  Scenario scenario = test::small_scenario();  // 100,000 samples of 1 MB
  Store& store = scenario.stores[0];
  store.capacity_bytes = 100.1e9;
  CHECK(flow_bound(scenario).verdict != Verdict::infeasible);
  store.capacity_bytes = 99.9e9;
  const Outcome outcome = flow_bound(scenario);
  CHECK(outcome.verdict == Verdict::infeasible);
  REQUIRE_FALSE(outcome.warnings.empty());
  CHECK(outcome.warnings[0].seen == "capacity of store 'store' does not suffice");
  CHECK(outcome.warnings[0].cause.find("dataset 'images' 100.0 GB") != std::string::npos);
  store.capacity_bytes = 150e9;
  scenario.datasets.push_back(scenario.datasets[0]);  // nobody reads it, and it lies there
  scenario.datasets[1].name = "more";
  CHECK(flow_bound(scenario).verdict == Verdict::infeasible);
  scenario.datasets.pop_back();
  Checkpoint checkpoint;
  checkpoint.store = "store";
  checkpoint.bytes = 20e9;
  checkpoint.retained = 2;
  checkpoint.interval_s = 600.0;
  scenario.jobs[0].checkpoint = checkpoint;
  CHECK(flow_bound(scenario).verdict != Verdict::infeasible);
  scenario.jobs[0].checkpoint->retained = 3;
  CHECK(flow_bound(scenario).verdict == Verdict::infeasible);
  scenario.jobs[0].checkpoint.reset();
  store.kind = StoreKind::nvme;  // every node has its own copy
  CHECK(flow_bound(scenario).verdict != Verdict::infeasible);
  store.capacity_bytes = 50e9;
  CHECK(flow_bound(scenario).warnings[0].seen == "capacity of a node's drives does not suffice");
}
