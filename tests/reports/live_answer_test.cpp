#include "reports/live_answer.hpp"

#include <nlohmann/json.hpp>

#include "models/answer/flow_bound.hpp"
#include "reports/sliders.hpp"
#include "scenarios/document/shipped_names.hpp"
#include "tests/catch.hpp"

namespace headrace::reports {
namespace {

scenarios::LoadedScenario shipped(const std::string& name, const std::vector<std::string>& sets = {}) {
  const std::vector<std::string> inputs{name};
  return scenarios::load_scenario(inputs, sets).value();
}

TEST_CASE("a page's answer is the flow bound to the bit, with the values that were set") {
  const std::string document = shipped("image-node").resolved.dump();
  for (const std::vector<std::string>& sets :
       {std::vector<std::string>{},
        std::vector<std::string>{"/jobs/0/loader/workers=4", "/stores/0/bandwidth=2 GB/s"}}) {
    const scenarios::LoadedScenario loaded = shipped("image-node", sets);
    const models::Outcome bound = models::flow_bound(loaded.value);
    const auto answer = nlohmann::json::parse(live_answer(document, sets));
    CHECK(answer["scenario_sha256"] == loaded.sha256);
    REQUIRE(answer["metrics"].size() == bound.metrics.size());
    for (const models::Metric& metric : bound.metrics) {
      INFO(metric.name);
      CHECK(answer["metrics"][metric.name]["mean"].get<double>() == metric.mean);
    }
  }
}

TEST_CASE("a page's answer refuses in words what the scenario refuses") {
  const auto answer =
      nlohmann::json::parse(live_answer(shipped("image-node").resolved.dump(), {"/stores/0/bandwidth=plenty"}));
  CHECK(answer.contains("error"));
  CHECK(!answer.contains("metrics"));
  CHECK(nlohmann::json::parse(live_answer("{", {})).contains("error"));
}

TEST_CASE("a value for which the scenario has no bound is no answer, and no end of the program") {
  const std::string document = shipped("shared-pool-campaign").resolved.dump();
  CHECK(bound_of_resolved(document));
  CHECK(!bound_of_resolved(document, {"/cluster/pools/0/nodes=20"}));
  CHECK(nlohmann::json::parse(live_answer(document, {"/cluster/pools/0/nodes=20"})).contains("error"));
}

TEST_CASE("sliders that the closed form answers leave out what only queues feel") {
  const scenarios::LoadedScenario loaded = shipped("image-node");
  const auto varied = [&](const std::string& pointer, const std::string& value) {
    return bound_of_resolved(loaded.resolved.dump(), {pointer + "=" + value});
  };
  const models::Outcome bound = models::flow_bound(loaded.value);
  const std::vector<scenarios::ParameterValue> sheet = scenarios::parameter_sheet(loaded);
  const auto has = [](const std::vector<std::string>& all, const std::string& pointer) {
    return std::find(all.begin(), all.end(), pointer) != all.end();
  };
  const std::vector<std::string> closed = sliders_of(loaded.value, sheet, bound, varied, SliderAnswer::closed_form);
  const std::vector<std::string> simulated = sliders_of(loaded.value, sheet, bound, varied, SliderAnswer::simulation);
  CHECK(!closed.empty());
  CHECK(has(closed, "/jobs/0/step/step_time/constant") != has(closed, "/jobs/0/step/step_time"));
  CHECK(has(simulated, "/jobs/0/loader/prefetch"));
  CHECK(!has(closed, "/jobs/0/loader/prefetch"));
}

}  // namespace
}  // namespace headrace::reports
