// Epochs that a plan compares must read the same data.
#include "scenarios/planner/same_data.hpp"

#include "scenarios/planner/decisions.hpp"
#include "scenarios/planner/plan.hpp"
#include "tests/catch.hpp"
#include "tests/scenarios/load_shipped.hpp"

namespace headrace::scenarios {
namespace {

const std::vector<std::string> kSmall{"/cluster/pools/0/nodes=1", "/cluster/pools/0/gpus_per_node=1"};

tl::expected<Plan, Diagnostics> plan_of(const std::vector<std::string>& flags,
                                        std::vector<std::string> overrides = kSmall) {
  const LoadedScenario loaded = load_shipped("image-node", overrides);
  auto axes = decisions_of(loaded, flags);
  REQUIRE(axes);
  PlanOptions options;
  options.cancelled = [] { return true; };  // the decisions alone are of interest
  return make_plan(loaded, std::move(*axes), Catalogue::shipped(), options);
}

std::string plan_complaint(const std::vector<std::string>& flags) {
  const auto plan = plan_of(flags);
  return plan ? "" : print_text(plan.error());
}

std::string warned(const std::vector<std::string>& flags, std::vector<std::string> overrides = kSmall) {
  const auto plan = plan_of(flags, std::move(overrides));
  REQUIRE(plan);
  std::string all;
  for (const models::Warning& warning : plan->warnings) all += warning.seen + "; " + warning.cause + "\n";
  return all;
}

}  // namespace

TEST_CASE("shards of another size keep the samples of an epoch", "[planner]") {
  const std::vector<std::string> paths{"image-node"};
  const auto loaded = load_scenario(paths);
  REQUIRE(loaded);
  auto axes = decisions_of(*loaded, std::vector<std::string>{"/datasets/0/samples_per_file=100,1000,10000"});
  REQUIRE(axes);
  std::vector<models::Warning> notes;
  keep_samples(*loaded, *axes, notes);
  CHECK(notes.size() == 1);
  const auto space = Space::make(*loaded, *axes, Catalogue::shipped());
  REQUIRE(space);
  const double samples = loaded->value.datasets[0].samples();
  for (Point point = 0; point < space->size(); ++point) {
    CHECK(space->at(point).datasets[0].samples() >= samples);
    CHECK(space->at(point).datasets[0].samples() <= samples * 1.01);
  }
  CHECK(plan_complaint({"/datasets/0/samples_per_file=100,1000,10000"}).empty());
}

TEST_CASE("epochs of different data are refused, and `with` is named", "[planner]") {
  const std::string refused = plan_complaint({"/datasets/0/files=100,1000"});
  CHECK(refused.find("E0508") != std::string::npos);
  CHECK(refused.find("`with`") != std::string::npos);
  CHECK(plan_complaint({"/datasets/0/files=100,1000", "/datasets/0/samples_per_file=100,1000"}).find("E0508") !=
        std::string::npos);
  CHECK(plan_complaint({"/datasets/0/sample_bytes=50 kB,110 kB"}).empty());  // another format of the same samples
}

TEST_CASE("decisions that bring or cost nothing here are named", "[planner]") {
  CHECK(warned({"/jobs/0/step/batch=64,128,256"}).find("the largest batch always looks best") != std::string::npos);
  CHECK(warned({"/jobs/0/loader/workers=6,7"}).empty());
  std::vector<std::string> priced = kSmall;
  priced.emplace_back("/prices/gpu_hour=$3/h");
  const std::string gpus = warned({"/cluster/pools/0/gpu=H100-SXM5-80GB,A100-SXM4-40GB"}, priced);
  CHECK(gpus.find("a faster GPU has no effect") != std::string::npos);
  CHECK(gpus.find("an hour costs the same for every gpu") != std::string::npos);
  std::vector<std::string> arithmetic = kSmall;
  for (const char* one :
       {"/jobs/0/step/step_time=0 s", "/jobs/0/step/arithmetic={\"flops_per_sample\": 1.2e11, \"mfu\": 0.4}",
        "/cluster/pools/0/gpu=H100-SXM5-80GB"})
    arithmetic.emplace_back(one);
  CHECK(warned({"/jobs/0/step/batch=64,128,256"}, arithmetic).empty());
}

}  // namespace headrace::scenarios
