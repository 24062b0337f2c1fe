// Plans that are told to end before they are complete.
#include <atomic>

#include "scenarios/planner/decisions.hpp"
#include "scenarios/planner/plan.hpp"
#include "tests/catch.hpp"
#include "tests/scenarios/load_shipped.hpp"

namespace headrace::scenarios {
namespace {

/// A small plan that ends at question number `last` whether to go on.
Plan stopped_at(int last, bool ranges = false) {
  const LoadedScenario loaded = load_shipped(
      "image-node", {"/cluster/pools/0/nodes=1", "/cluster/pools/0/gpus_per_node=1", "/prices/gpu_hour=$3/h"});
  auto axes = decisions_of(loaded, std::vector<std::string>{"/jobs/0/loader/workers=5:8"});
  REQUIRE(axes);
  std::atomic<int> asked = 0;
  PlanOptions options;
  if (ranges) options.ranges = FedRequest{};
  options.cancelled = [&] { return ++asked > last; };
  auto plan = make_plan(loaded, std::move(*axes), Catalogue::shipped(), options);
  REQUIRE(plan);
  return std::move(*plan);
}

}  // namespace

TEST_CASE("a plan that was stopped says so, wherever that was", "[planner]") {
  const Plan whole = stopped_at(1000000);
  CHECK(whole.stopped_by == StoppedBy::none);
  CHECK(whole.advice_complete);
  CHECK(whole.search.confidence >= 0.99);
  for (const int last : {0, 1, 2, 4, 8, 12}) {
    INFO(last);
    const Plan plan = stopped_at(last);
    CHECK(plan.stopped_by == StoppedBy::interrupted);
    CHECK_FALSE(plan.advice_complete);
    if (!plan.search.confirmed) CHECK(plan.search.proof == Proof::none);
    if (!plan.search.confirmed) CHECK(plan.search.confidence == 0.0);
  }
  CHECK_FALSE(stopped_at(0).recommended);  // not even bounds
}

TEST_CASE("a plan over ranges can be stopped while draws are bounded and simulated", "[planner]") {
  const Plan whole = stopped_at(100000000, true);
  CHECK(whole.stopped_by == StoppedBy::none);
  REQUIRE(whole.ranges);
  CHECK(whole.ranges->complete);
  for (const int last : {30, 100, 400, 1000, 2000, 3000}) {
    INFO(last);
    const Plan plan = stopped_at(last, true);
    CHECK(plan.stopped_by == StoppedBy::interrupted);
    CHECK_FALSE(plan.advice_complete);
    if (plan.ranges && !plan.ranges->complete) CHECK_FALSE(plan.ranges->recommended);
  }
}

}  // namespace headrace::scenarios
