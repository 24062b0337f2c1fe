// How well figures are known, as scenario files say it.
#include "scenarios/document/input_ranges.hpp"

#include <algorithm>

#include "tests/catch.hpp"
#include "tests/scenarios/load_shipped.hpp"
#include "tests/scenarios/test_files.hpp"

namespace headrace::scenarios {
namespace {

const models::UncertainInput* find(const std::vector<models::UncertainInput>& inputs, const std::string& pointer) {
  for (const models::UncertainInput& input : inputs)
    if (input.pointer == pointer) return &input;
  return nullptr;
}

std::string wrong_with_range(const std::string& entry) {
  return wrong("prefetch-queue", {"/input_ranges=[" + entry + "]"});
}

}  // namespace

TEST_CASE("a stated range wins, a measured figure is not drawn, the rest follows the rule") {
  const LoadedScenario loaded = load_shipped(
      "imagenet-1250-nodes", {R"(/input_ranges=[{"parameter": "/stores/0/latency", "low": "100 ms", "high": "200 ms"},
          {"parameter": "/jobs/0/step/step_time", "evidence": "measured"},
          {"parameter": "/stores/0/bandwidth", "evidence": "datasheet"},
          {"parameter": "/datasets/0/sample_bytes/lognormal/cv", "low": "0.3", "high": "0.9"},
          {"parameter": "/fabric/efficiency", "low": "80 %", "high": "0.98"},
          {"parameter": "/cluster/pools/0/cache/bytes", "low": "10 TB", "high": "28 TB"}])"});
  const auto inputs = uncertain_inputs(loaded.value, loaded.composition);
  REQUIRE(inputs);
  const auto* latency = find(*inputs, "/stores/0/latency");
  REQUIRE(latency != nullptr);
  CHECK(latency->stated);
  CHECK(latency->low == 0.1);
  CHECK(latency->high == 0.2);
  CHECK(find(*inputs, "/jobs/0/step/step_time") == nullptr);
  REQUIRE(find(*inputs, "/stores/0/bandwidth") != nullptr);
  CHECK(find(*inputs, "/stores/0/bandwidth")->high == Approx(4.4e12));
  REQUIRE(find(*inputs, "/datasets/0/sample_bytes/lognormal/cv") != nullptr);
  CHECK(find(*inputs, "/datasets/0/sample_bytes/lognormal/cv")->high == 0.9);
  REQUIRE(find(*inputs, "/fabric/efficiency") != nullptr);
  CHECK(find(*inputs, "/fabric/efficiency")->low == 0.8);
  REQUIRE(find(*inputs, "/cluster/pools/0/cache/bytes") != nullptr);  // a decision, but the scenario says otherwise
}

TEST_CASE("catalogue figures are those of data sheets, line rates are arithmetic") {
  const LoadedScenario loaded = load_shipped("imagenet-1250-nodes", {"/cluster/pools/0/nic=100GbE"});
  const auto inputs = uncertain_inputs(loaded.value, loaded.composition);
  REQUIRE(inputs);
  CHECK(find(*inputs, "/cluster/pools/0/nic/bandwidth") == nullptr);
  const auto* peak = find(*inputs, "/cluster/pools/0/gpu/peak");
  REQUIRE(peak != nullptr);
  CHECK(peak->evidence == models::Evidence::datasheet);
  CHECK(peak->high == Approx(1.1 * peak->value));
  CHECK(find(*inputs, "/cluster/pools/0/gpu/hbm") == nullptr);  // which GPU it is has been decided
}

TEST_CASE("ranges that cannot be meant are complaints with a place") {
  CHECK(wrong_with_range(R"({"parameter": "/stores/0/latncy"})").find("did you mean '/stores/0/latency'?") !=
        std::string::npos);
  CHECK(wrong_with_range(R"({"parameter": "/jobs/0/loader/workers"})").find("E0216") != std::string::npos);
  CHECK(wrong_with_range(R"({"parameter": "/stores/0/latency", "low": "1 ms", "high": "2 GB"})").find("E0205") !=
        std::string::npos);
  CHECK(wrong_with_range(R"({"parameter": "/stores/0/latency", "low": "1", "high": "2"})").find("E0204") !=
        std::string::npos);
  CHECK(wrong_with_range(R"({"parameter": "/stores/0/latency", "low": "2 ms", "high": "1 ms"})")
            .find("give the lower end first") != std::string::npos);
  CHECK(wrong_with_range(R"({"parameter": "/stores/0/latency", "low": "-2 ms", "high": "1 ms"})").find("E0207") !=
        std::string::npos);
  CHECK(wrong_with_range(R"({"parameter": "/stores/0/latency", "low": "1 ms"})").find("a range has two ends") !=
        std::string::npos);
  CHECK(wrong_with_range(R"({"parameter": "/stores/0/latency", "evidence": "hearsay"})").find("E0208") !=
        std::string::npos);
  CHECK(wrong_with_range(R"({"parameter": "/stores/0/latency", "low": "1 ms", "high": "2 ms"})").empty());
}

}  // namespace headrace::scenarios
