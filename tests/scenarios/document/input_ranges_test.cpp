// How well figures are known, as scenario files say it.
#include "scenarios/document/input_ranges.hpp"

#include <algorithm>

#include "scenarios/document/implausible.hpp"
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

TEST_CASE("a figure written again as the catalogue assumes it keeps its range, another one does not") {
  const std::string store = R"(/stores/0={"name": "objects", "catalogue": "generic-nvme-nas", "metadata": )";
  const auto inputs_with = [&](const std::string& metadata) {
    const LoadedScenario loaded = load_shipped("imagenet-1250-nodes", {store + metadata + "}"});
    return *uncertain_inputs(loaded.value, loaded.composition);
  };
  for (const char* same : {R"({"latency": "0.5 ms"})", R"({"latency": "500us"})", R"({"latency": "5e-4 s"})"}) {
    INFO(same);
    const auto inputs = inputs_with(same);
    const auto* latency = find(inputs, "/stores/0/metadata/latency");
    REQUIRE(latency != nullptr);
    CHECK(latency->stated);
    CHECK(latency->evidence == models::Evidence::assumed);
    CHECK(latency->low == Approx(2e-4));
    CHECK(latency->high == Approx(2e-3));
  }
  const auto other = inputs_with(R"({"latency": "0.6 ms"})");
  REQUIRE(find(other, "/stores/0/metadata/latency") != nullptr);
  CHECK_FALSE(find(other, "/stores/0/metadata/latency")->stated);
}

TEST_CASE("metadata servers that a class assumes are drawn in whole numbers, stated ones without a range are not") {
  const auto load = [](const std::string& metadata) {
    return load_shipped("imagenet-1250-nodes",
                        {R"(/stores/0={"name": "objects", "catalogue": "generic-nvme-nas")" + metadata + "}"});
  };
  const LoadedScenario loaded = load("");
  const auto inputs = *uncertain_inputs(loaded.value, loaded.composition);
  const auto* servers = find(inputs, "/stores/0/metadata/servers");
  REQUIRE(servers != nullptr);
  CHECK(servers->low == 128.0);
  CHECK(servers->high == 512.0);
  const std::vector<double> low(inputs.size(), 1e-9);
  CHECK(models::with_inputs(loaded.value, inputs, low).stores[0].metadata.servers == 128);
  const LoadedScenario stated = load(R"(, "metadata": {"servers": 100})");
  CHECK(find(*uncertain_inputs(stated.value, stated.composition), "/stores/0/metadata/servers") == nullptr);
  const LoadedScenario ranged =
      load_shipped("imagenet-1250-nodes",
                   {R"(/stores/0={"name": "objects", "catalogue": "generic-nvme-nas", "metadata": {"servers": 100}})",
                    R"(/input_ranges=[{"parameter": "/stores/0/metadata/servers", "low": "50", "high": "100"}])"});
  const auto in_range = *uncertain_inputs(ranged.value, ranged.composition);
  REQUIRE(find(in_range, "/stores/0/metadata/servers") != nullptr);
  CHECK(find(in_range, "/stores/0/metadata/servers")->low == 50.0);
}

TEST_CASE("a range of a file says nothing of another value that is set, and one that its figure left is warned of") {
  TestFiles files;
  const std::string range = R"("input_ranges": [{"parameter": "/stores/0/latency", "low": "1 ms", "high": "2 ms"}])";
  const std::string file = files.write("a.json", R"({"extends": "imagenet-1250-nodes", )" + range + "}");
  const auto as_written = load_scenario(std::vector<std::string>{file});
  REQUIRE(as_written);
  const auto stated = *uncertain_inputs(as_written->value, as_written->composition);
  CHECK(find(stated, "/stores/0/latency")->high == 0.002);
  const auto set = load_scenario(std::vector<std::string>{file}, std::vector<std::string>{"/stores/0/latency=9ms"});
  REQUIRE(set);
  const auto drawn = *uncertain_inputs(set->value, set->composition);
  CHECK_FALSE(find(drawn, "/stores/0/latency")->stated);
  const auto warned = [](const LoadedScenario& loaded) {
    for (const ImplausibleValue& value : implausible_values(loaded.value, loaded.composition))
      if (value.seen.find("outside the range that /input_ranges/0 states for it, 1 ms to 2 ms") != std::string::npos)
        return true;
    return false;
  };
  CHECK_FALSE(warned(*set));
  const std::string left = files.write(
      "b.json",
      R"({"extends": "imagenet-1250-nodes", "stores": [{"name": "objects", "latency": "9 ms"}], )" + range + "}");
  const auto outside = load_scenario(std::vector<std::string>{left});
  REQUIRE(outside);
  CHECK(warned(*outside));
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
