// A plan where loader workers slow the step.
#include <algorithm>
#include <vector>

#include "models/answer/flow_bound.hpp"
#include "scenarios/planner/decisions.hpp"
#include "scenarios/planner/scenario_field.hpp"
#include "scenarios/planner/search.hpp"
#include "tests/catch.hpp"
#include "tests/scenarios/load_shipped.hpp"

namespace headrace::scenarios {
namespace {

constexpr const char* kWithout = "/jobs/0/step/host_part=null";

/// Workers that the plan takes of 4 to 16 for the shortest epoch.
std::size_t planned_workers(const Strings& overrides) {
  const LoadedScenario loaded = load_shipped("loaders-slow-step", overrides);
  auto axes = decisions_of(loaded, Strings{"/jobs/0/loader/workers=4:16"});
  REQUIRE(axes);
  const auto space = Space::make(loaded, *axes, Catalogue::shipped());
  REQUIRE(space);
  REQUIRE(space->size() == 13);
  ScenarioField field(*space, loaded.value, models::PlanGoal::epoch_time, 1, 1);
  SearchOptions options;
  options.indifference = 0.002;
  const SearchResult result = search(field, options);
  REQUIRE(result.found());
  return space->at(result.visits[result.best].point).jobs.front().loader.workers;
}

double bound_step_s(std::size_t workers) {
  const auto loaded = load_shipped("loaders-slow-step", {"/jobs/0/loader/workers=" + std::to_string(workers)});
  return flow_bound(loaded.value).find("step_time_s")->mean;
}

}  // namespace

TEST_CASE("a plan takes no more workers than pay where they slow the step", "[planner]") {
  const std::size_t planned = planned_workers({});
  const std::size_t before = planned_workers({kWithout});
  CHECK(planned == 8);
  CHECK(before == 10);
  CHECK(bound_step_s(before) > 1.04 * bound_step_s(planned));
  CHECK(bound_step_s(planned - 2) > 1.04 * bound_step_s(planned));
}

}  // namespace headrace::scenarios
