#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>
#include <string>

#include "library/headrace.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

namespace {

using headrace::testing::Folder;
using headrace::testing::Run;
using headrace::testing::run;
using Json = nlohmann::json;

const std::vector<std::string> kSets{"/cluster/pools/0/nodes=1", "/jobs/0/loader/workers=6"};
const std::string kSetFlags = " --set /cluster/pools/0/nodes=1 --set /jobs/0/loader/workers=6 ";

/// A node of the shipped scenario, small enough for tests.
headrace::Scenario small_scenario() {
  auto scenario = headrace::load("image-node");
  REQUIRE(scenario);
  auto changed = scenario->set(kSets);
  REQUIRE(changed);
  return *changed;
}

}  // namespace

TEST_CASE("the library answers with the bytes of the command line", "[cli]") {
  const headrace::Scenario scenario = small_scenario();
  CHECK(scenario.bound()->json() == run("bound image-node --json" + kSetFlags).out);
  headrace::BoundOptions ranges;
  ranges.input_ranges = true;
  CHECK(scenario.bound(ranges)->json() == run("bound image-node --json --inputs ranges" + kSetFlags).out);
  headrace::BoundOptions other_seed;
  other_seed.seed = 7;
  CHECK(scenario.estimate(other_seed)->json() ==
        run("bound image-node --level estimate --seed 7 --json" + kSetFlags).out);
  headrace::SimulateOptions options;
  options.steps = 600;
  options.seed = 3;
  options.replications = 2;
  options.precision = 0.02;
  const auto outcome = scenario.simulate(options);
  REQUIRE(outcome);
  CHECK(outcome->json() ==
        run("simulate image-node --steps 600 --seed 3 --replications 2 --precision 2% --json" + kSetFlags).out);
  CHECK(scenario.validate() == run("validate image-node --json" + kSetFlags).out);
  CHECK(Json::parse(outcome->json())["scenario_sha256"] == scenario.sha256());
}

TEST_CASE("figures of an outcome of the library have names") {
  const auto outcome = small_scenario().bound();
  REQUIRE(outcome);
  const Json document = Json::parse(outcome->json());
  CHECK(document["verdict"] == outcome->verdict());
  CHECK(outcome->stopped_by() == "closed_form");
  REQUIRE(outcome->metric_names().size() == document["metrics"].size());
  for (const std::string& name : outcome->metric_names()) {
    INFO(name);
    CHECK(outcome->value(name) == document["metrics"][name]["mean"].get<double>());
    CHECK(document["metrics"][name]["unit"] == outcome->metric(name)->unit);
  }
  CHECK_FALSE(outcome->value("no_such_metric"));
}

TEST_CASE("a plan of the library has the bytes of the command line, and what to set", "[cli]") {
  headrace::PlanOptions options;
  options.decisions = {"/jobs/0/loader/workers=4:8", "/jobs/0/loader/prefetch=1,2"};
  options.input_ranges = false;
  std::atomic<int> told = 0;
  options.work.progress = [&told](const headrace::Progress& progress) {
    if (!progress.phase.empty()) ++told;
  };
  const std::string sets = "/prices/gpu_hour=$3/h";
  const auto priced = small_scenario().set({sets});
  REQUIRE(priced);
  const auto plan = priced->plan(options);
  REQUIRE(plan);
  CHECK(plan->json() ==
        run("plan image-node --inputs nominal --decide /jobs/0/loader/workers=4:8 --decide /jobs/0/loader/prefetch=1,2 "
            "--json --set '" +
            sets + "'" + kSetFlags)
            .out);
  CHECK(told > 0);
  CHECK(plan->stopped_by() == "none");
  REQUIRE(plan->has_recommendation());
  const auto recommended = priced->set(plan->sets());
  REQUIRE(recommended);
  CHECK(recommended->bound());
}

TEST_CASE("a sweep of the library has the rows of the command line", "[cli]") {
  const Folder folder;
  headrace::SweepOptions options;
  options.level = "bound";
  const auto sweep = headrace::sweep("loader-workers", options);
  REQUIRE(sweep);
  const std::string store = folder.path("results.db");
  const Run called = run("sweep loader-workers --level bound --json -o " + store);
  REQUIRE(called.status == 0);
  const Json tally = Json::parse(called.out);
  CHECK(tally["points"] == sweep->points());
  CHECK(Json::parse(sweep->json())["sweep"] == tally["sweep"]);
  CHECK(sweep->csv().value() == run("report " + store + " --format csv").out);
  CHECK(sweep->ndjson({"step_time_s"}).value() ==
        run("report " + store + " --format ndjson --metrics step_time_s").out);
  CHECK(sweep->csv({"step_tim_s"}).error().fix == "did you mean 'step_time_s'?");
  options.store = store;
  const auto again = headrace::sweep("loader-workers", options);
  REQUIRE(again);
  CHECK(Json::parse(again->json())["reused"] == tally["points"]);
}

TEST_CASE("what is wrong with a question comes back as a value", "[cli]") {
  const auto missing = headrace::load("imagenet-1250-node");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == "E0101");
  CHECK(missing.error().fix == "did you mean the shipped scenario 'imagenet-1250-nodes'?");
  CHECK(missing.error().text == run("simulate imagenet-1250-node").err);

  const auto unknown = small_scenario().set({"/jobs/0/loader/wokers=16"});
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().kind == headrace::Error::Kind::bad_input);
  CHECK(unknown.error().code == "E0203");
  CHECK(unknown.error().place.find("--set") != std::string::npos);
  CHECK(unknown.error().cause.find("wokers") != std::string::npos);

  const Folder folder;
  const std::string file = folder.write("mine.json", R"({"extends": "image-node", "jbos": []})");
  const auto wrong = headrace::load(file);
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().code == "E0203");
  CHECK(wrong.error().place.find("mine.json:1:") != std::string::npos);
  CHECK(wrong.error().fix == "did you mean 'jobs'?");
  CHECK(headrace::validate(file) == run("validate --json " + file).out);

  headrace::SimulateOptions many;
  many.replications = 0;
  CHECK(small_scenario().simulate(many).error().fix == "give 1 to 100000");
  headrace::SimulateOptions wide;
  wide.precision = 2.0;
  CHECK(small_scenario().simulate(wide).error().cause == "precision is outside of its range");
  headrace::SweepOptions level;
  level.level = "bond";
  CHECK(headrace::sweep("loader-workers", level).error().cause == "unknown level 'bond'");
  level.level = "bound";
  level.store = folder.path("mine.json");
  CHECK(headrace::sweep("loader-workers", level).error().code == "E0601");
}

TEST_CASE("a stop token ends a simulation of the library with what it has") {
  std::stop_source stop;
  headrace::SimulateOptions options;
  options.steps = 500'000'000;
  options.relief = false;
  options.work.stop = stop.get_token();
  options.work.progress = [&stop](const headrace::Progress& progress) {
    if (progress.count > 0) stop.request_stop();
  };
  const auto outcome = small_scenario().simulate(options);
  REQUIRE(outcome);
  CHECK(outcome->stopped_by() == "interrupted");
  CHECK(outcome->steps() < options.steps);
  CHECK(Json::parse(outcome->json())["stopped_by"] == "interrupted");
}

TEST_CASE("a wall limit ends a simulation of the library") {
  headrace::SimulateOptions options;
  options.steps = 500'000'000;
  options.relief = false;
  options.work.max_wall_s = 0.2;
  const auto outcome = small_scenario().simulate(options);
  REQUIRE(outcome);
  CHECK(outcome->stopped_by() == "max_wall");
}

TEST_CASE("a study of the library whose first step takes long has no result, and says so") {
  const auto scenario = headrace::load("imagenet-1250-nodes");
  REQUIRE(scenario);
  const auto large = scenario->set({"/cluster/pools/0/nodes=100000"});
  REQUIRE(large);
  headrace::SimulateOptions options;
  options.work.threads = 1;
  options.work.max_wall_s = 0.5;
  const auto late = large->simulate(options);
  REQUIRE_FALSE(late);
  CHECK(late.error().kind == headrace::Error::Kind::bad_input);
  CHECK(late.error().text.find("max_wall_s") != std::string::npos);
  options.work.max_wall_s = 0.0;
  std::stop_source source;
  source.request_stop();
  options.work.stop = source.get_token();
  CHECK_FALSE(large->simulate(options));  // soon, and not never
}

TEST_CASE("the library describes what a scenario and an outcome can have") {
  const auto has = [](const std::vector<headrace::Description>& all, const std::string& name, const std::string& unit) {
    return std::any_of(all.begin(), all.end(), [&](const headrace::Description& one) {
      return one.name == name && one.unit == unit && !one.meaning.empty();
    });
  };
  CHECK(has(headrace::described_parameters(), "/stores/*/bandwidth", "B/s"));
  CHECK(has(headrace::described_metrics(), "step_time_s", "s"));
}
