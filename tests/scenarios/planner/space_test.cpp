#include "scenarios/planner/space.hpp"

#include "models/answer/flow_bound.hpp"
#include "models/answer/point_bound.hpp"
#include "models/study/race_run.hpp"
#include "models/study/study.hpp"
#include "scenarios/planner/decisions.hpp"
#include "scenarios/planner/plan.hpp"
#include "tests/catch.hpp"
#include "tests/scenarios/load_shipped.hpp"

namespace headrace::scenarios {
namespace {

std::vector<PlanAxis> axes_of(const LoadedScenario& loaded, const std::vector<std::string>& flags) {
  auto axes = decisions_of(loaded, flags);
  REQUIRE(axes);
  return std::move(*axes);
}

std::string complaint(const LoadedScenario& loaded, const std::vector<std::string>& flags) {
  auto axes = decisions_of(loaded, flags);
  if (!axes) return print_text(axes.error());
  const auto space = Space::make(loaded, std::move(*axes), Catalogue::shipped());
  return space ? "" : print_text(space.error());
}

}  // namespace

TEST_CASE("points hold what --set would have set", "[planner]") {
  const LoadedScenario base = load_shipped("image-node");
  const auto axes =
      axes_of(base, {"/jobs/0/loader/workers=2,5", "/cluster/pools/0/gpu=H100-SXM5-80GB,A100-SXM4-40GB",
                     "/jobs/0/loader/order=in_order,any_order_shared", "/stores/0/bandwidth=10 GB/s:40 GB/s:15 GB/s"});
  const auto space = Space::make(base, axes, Catalogue::shipped());
  REQUIRE(space);
  CHECK(space->size() == 2U * 2 * 2 * 3);
  for (Point point = 0; point < space->size(); ++point) {
    std::vector<std::string> overrides;
    const auto where = space->positions(point);
    for (std::size_t a = 0; a < axes.size(); ++a)
      overrides.push_back(axes[a].axis.parameters.front().pointer + "=" + axes[a].text(where[a]));
    CHECK(scenario_sha256(space->at(point)) == load_shipped("image-node", overrides).sha256);
    CHECK(space->point(where) == point);
  }
}

TEST_CASE("the bound of a point is the flow bound", "[planner]") {
  for (const char* name : {"image-node", "imagenet-1250-nodes", "tiered-cache", "ddp-1b-64-a100", "prefetch-queue",
                           "plan-1250-nodes", "llama3-405b-checkpoints"}) {
    const LoadedScenario loaded = load_shipped(name);
    if (!is_plain(loaded.value)) continue;
    INFO(name);
    const models::PointBound bound = point_bound(loaded.value);
    const models::Outcome outcome = flow_bound(loaded.value);
    const double step_s = outcome.find("step_time_s")->mean;
    CHECK(bound.step_time_s == Approx(step_s).epsilon(1e-12));
    CHECK(bound.epoch_time_s(step_s) == Approx(outcome.find("epoch_time_s")->mean).epsilon(1e-9));
    CHECK(bound.cost_usd(step_s) == Approx(outcome.find("cost_per_epoch_usd")->mean).epsilon(1e-9));
  }
}

TEST_CASE("a race without contention is never slower, and both keep to the bound", "[planner]") {
  const LoadedScenario loaded = load_shipped("image-node", {"/jobs/0/loader/workers=6", "/stores/0/bandwidth=12 GB/s"});
  models::RaceRun free(loaded.value, 3, models::RaceRun::Engine::uncontended);
  models::RaceRun shared(loaded.value, 3, models::RaceRun::Engine::contended);
  free.run_to(200);
  shared.run_to(200);
  CHECK(free.step_time_s().mean <= shared.step_time_s().mean * (1.0 + 1e-9));
  CHECK(shared.step_time_s().mean >= point_bound(loaded.value).step_time_s * 0.999);
}

TEST_CASE("decisions that cannot be read say what and where", "[planner][long_1]") {
  const LoadedScenario base = load_shipped("image-node");
  CHECK(complaint(base, {"/jobs/0/loader/workers"}).find("E0501") != std::string::npos);
  CHECK(complaint(base, {"/jobs/0/loader/wrkers=1,2"}).find("did you mean 'workers'") != std::string::npos);
  CHECK(complaint(base, {"/jobs/0/loader/workers=0,2"}).find("E0207") != std::string::npos);
  CHECK(complaint(base, {"/stores/0/bandwidth=1 GB/s:4 GB/s"}).find("E05") != std::string::npos);
  CHECK(complaint(base, {"/jobs/0/loader/workers=1:4", "/jobs/0/loader/workers=5:6"}).find("E0507") !=
        std::string::npos);
  CHECK(complaint(base, {"/stores/0/bandwidth=1 GB/s:9 GB/s/90000", "/jobs/0/loader/workers=1:256"}).find("E0506") !=
        std::string::npos);
  CHECK(complaint(base, {"/jobs/0/loader/workers=4:1"}).find("E0502") != std::string::npos);
}

TEST_CASE("a relation between parameters makes points infeasible, not the plan", "[planner]") {
  const LoadedScenario base =
      load_shipped("imagenet-1250-nodes", {"/cluster/pools/0/nodes=2", "/jobs/0/step/batch=32"});
  const auto axes = axes_of(base, {"/cluster/pools/0/cache/bytes=10 TB,20 TB,40 TB", "/jobs/0/loader/workers=4,8"});
  const auto space = Space::make(base, axes, Catalogue::shipped());
  REQUIRE(space);
  const ScenarioField field(*space, base.value, models::PlanGoal::cost_per_epoch, 1, 1);
  REQUIRE(field.obstacles().size() == 1);
  CHECK(field.obstacles().front().points == 2);
  CHECK(field.obstacles().front().text.find("larger than the local drives") != std::string::npos);
}

}  // namespace headrace::scenarios
