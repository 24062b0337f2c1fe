// A plan against running every configuration, where loaders contend for a store whose bandwidth is paid for.
#include <algorithm>
#include <map>

#include "models/answer/point_bound.hpp"
#include "models/base/task_pool.hpp"
#include "models/study/race_run.hpp"
#include "scenarios/planner/decisions.hpp"
#include "scenarios/planner/plan.hpp"
#include "tests/catch.hpp"
#include "tests/scenarios/load_shipped.hpp"

namespace headrace::scenarios {
namespace {

LoadedScenario contended() {
  return load_shipped(
      "image-node",
      {"/cluster/pools/0/nodes=1", "/cluster/pools/0/gpus_per_node=2",
       "/jobs/0/loader/cpu_per_sample={\"lognormal\": {\"mean\": \"1.6 ms\", \"cv\": 3}}",
       "/stores/0/latency={\"lognormal\": {\"mean\": \"1 ms\", \"cv\": 2}}", "/prices/gpu_hour=$2/h",
       "/prices/resources={\"core_hour\": \"$0.05/h\", \"store_hour\": \"$2/h\", \"memory\": \"$3/GB-month\"}"});
}

/// Cost of every point from runs `factor` times as long as a full race.
std::vector<double> exhaustive(const Space& space, std::uint64_t seed, std::uint64_t steps) {
  std::vector<double> cost(space.size());
  models::TaskPool pool(0);
  pool.run(space.size(), [&](std::size_t point) {
    const models::Scenario scenario = space.at(point);
    const models::PointBound bound = point_bound(scenario);
    models::RaceRun run(scenario, seed, models::RaceRun::Engine::contended);
    run.run_to(steps);
    cost[point] = bound.cost_usd(std::max(bound.step_time_s, run.step_time_s().mean));
  });
  return cost;
}

/// Cost of the plan's recommendation by those runs over the least of them, and the share of points that it ran.
struct Compared {
  double excess = 0.0;
  double share = 0.0;
  double confidence = 0.0;
};

Compared compare(const LoadedScenario& loaded, const std::vector<std::string>& flags, std::uint64_t seed,
                 const std::vector<double>& truth) {
  auto axes = decisions_of(loaded, flags);
  REQUIRE(axes);
  const auto space = Space::make(loaded, *axes, Catalogue::shipped());
  REQUIRE(space);
  ScenarioField field(*space, loaded.value, models::PlanGoal::cost_per_epoch, seed, 0);
  const SearchResult result = search(field, {});
  REQUIRE(result.found());
  const double best = *std::min_element(truth.begin(), truth.end());
  return {truth[result.visits[result.best].point] / best - 1.0,
          static_cast<double>(result.visits.size()) / static_cast<double>(space->size()), result.confidence};
}

}  // namespace

// The indifference zone is 1 %, runs have errors of some 0.1 %: a wrong choice at confidence 0.99 is no accident of the
// fixed seeds.
TEST_CASE("a plan under contention finds what running every configuration finds", "[planner][statistical]") {
  const LoadedScenario loaded = contended();
  const std::vector<std::string> flags{"/jobs/0/loader/workers=4:9", "/jobs/0/loader/prefetch=1:4",
                                       "/stores/0/bandwidth=560 MB/s:680 MB/s:30 MB/s"};
  auto axes = decisions_of(loaded, flags);
  REQUIRE(axes);
  const auto space = Space::make(loaded, *axes, Catalogue::shipped());
  REQUIRE(space);
  REQUIRE(space->size() == 120);
  const std::vector<double> truth = exhaustive(*space, 77, 3200);
  for (const std::uint64_t seed : {1U, 2U}) {
    const Compared compared = compare(loaded, flags, seed, truth);
    INFO("seed " << seed << ", excess " << compared.excess << ", runs " << compared.share);
    CHECK(compared.excess <= 0.012);
  }
}

namespace {

const std::vector<std::string> kLarge{"/jobs/0/loader/workers=3:10", "/jobs/0/loader/prefetch=1:5",
                                      "/stores/0/bandwidth=540 MB/s:720 MB/s:30 MB/s",
                                      "/jobs/0/loader/order=in_order,any_order_per_worker"};

Space large_space(const LoadedScenario& loaded) {
  auto axes = decisions_of(loaded, kLarge);
  REQUIRE(axes);
  auto space = Space::make(loaded, *axes, Catalogue::shipped());
  REQUIRE(space);
  REQUIRE(space->size() == 560);
  return std::move(*space);
}

}  // namespace

// Seeds at which the best by its mean has a wide interval at one time or another: below its upper limit lie many
// points that others exclude. At seed 8 what excludes them has a slightly worse mean than the best for a while.
TEST_CASE("a wide interval of the best does not open what another excludes", "[planner]") {
  const LoadedScenario loaded = contended();
  const Space space = large_space(loaded);
  for (const std::uint64_t seed : {8U, 11U, 16U, 19U}) {
    ScenarioField field(space, loaded.value, models::PlanGoal::cost_per_epoch, seed, 0);
    const SearchResult result = search(field, {});
    INFO("seed " << seed << ", runs " << result.visits.size());
    REQUIRE(result.found());
    CHECK(result.visits.size() <= space.size() / 10);
    CHECK(result.confidence >= 0.99);
    CHECK(result.confirmed);
  }
}

// Nothing waits in either scenario, so that no value of these decisions is better than another.
TEST_CASE("a plan keeps today's values where no other is better", "[planner][long_2]") {
  struct Case {
    const char* scenario;
    std::vector<std::string> settings;
  };
  for (const Case& one :
       {Case{"image-node", {}}, Case{"image-node", {"/jobs/0/loader/workers=8", "/jobs/0/loader/prefetch=5"}}}) {
    const LoadedScenario loaded = load_shipped(one.scenario, one.settings);
    auto axes = decisions_of(loaded, {});
    REQUIRE(axes);
    const auto plan = make_plan(loaded, *axes, Catalogue::shipped(), {});
    REQUIRE(plan);
    REQUIRE(plan->recommended);
    for (const ChosenValue& value : plan->recommended->values) CHECK(value.value == value.today);
    CHECK(plan->changes.empty());
  }
}

// Today's 20 workers of each loader are more than the cores of a node, and bring nothing.
TEST_CASE("a plan keeps no more workers than the node has cores for, if they bring nothing", "[planner][long_2]") {
  const LoadedScenario loaded = load_shipped("image-node", {"/jobs/0/loader/workers=20"});
  auto axes = decisions_of(loaded, {});
  REQUIRE(axes);
  const auto plan = make_plan(loaded, *axes, Catalogue::shipped(), {});
  REQUIRE(plan);
  REQUIRE(plan->recommended);
  CHECK(std::stoul(plan->recommended->values.front().value) <= 8);
}

TEST_CASE("40 seeds of a plan over 560 configurations against running all of them ten times as long",
          "[.nightly][planner]") {
  const LoadedScenario loaded = contended();
  const Space space = large_space(loaded);
  const std::vector<double> truth = exhaustive(space, 1000, 32000);
  std::size_t right = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Compared compared = compare(loaded, kLarge, seed, truth);
    WARN("seed " << seed << ": excess " << 100.0 * compared.excess << " %, points run " << 100.0 * compared.share
                 << " %, confidence " << compared.confidence);
    right += compared.excess <= 0.01 && compared.share <= 0.10 && compared.confidence >= 0.99 ? 1U : 0U;
  }
  CHECK(right == 40);
}

}  // namespace headrace::scenarios
