// --inputs ranges: what the uncertainty of inputs leaves open.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

namespace testing = headrace::testing;
using headrace::testing::Run;
using headrace::testing::run;
using Json = nlohmann::json;

TEST_CASE("what is named to be measured next has a bar in the tornado", "[cli]") {
  const Json inputs = Json::parse(run("simulate remote-preprocessing --inputs ranges --json").out)["inputs"];
  REQUIRE_FALSE(inputs["measure_next"].empty());
  for (const Json& parameter : inputs["measure_next"]) {
    INFO(parameter);
    CHECK(std::any_of(inputs["tornado"]["step_time_s"]["bars"].begin(), inputs["tornado"]["step_time_s"]["bars"].end(),
                      [&](const Json& bar) { return bar["parameter"] == parameter; }));
  }
}

TEST_CASE("bound --inputs ranges gives each metric a range and says what to measure next", "[cli]") {
  for (const char* level : {"flow", "estimate"}) {
    INFO(level);
    const Run result = run(std::string("bound unet3d-h100 --inputs ranges --json --level ") + level);
    INFO(result.err);
    REQUIRE(result.status == 0);
    const Json document = Json::parse(result.out);
    for (const auto& [name, metric] : document["metrics"].items()) {
      INFO(name);
      REQUIRE(metric.contains("input_range"));
      CHECK(metric["input_range"][0].get<double>() <= metric["input_range"][1].get<double>());
    }
    CHECK(document["inputs"]["measure_next"][0] == "/jobs/0/step/step_time");
    CHECK(document["inputs"]["drivers"]["step_time_s"][0]["share"].get<double>() > 0.8);
    double verdicts = 0.0;
    for (const auto& [verdict, share] : document["inputs"]["verdicts"].items()) verdicts += share.get<double>();
    CHECK(verdicts == Approx(1.0));
  }
  const Run fixed = run("bound unet3d-h100 --json");
  CHECK_FALSE(Json::parse(fixed.out).contains("inputs"));
  CHECK(run("bound unet3d-h100 --json --inputs fixed").out == fixed.out);
}

TEST_CASE("simulate --inputs ranges: the same bytes for 1, 2 and 8 threads, another seed draws other points", "[cli]") {
  const std::string arguments = "simulate unet3d-h100 --steps 200 --no-relief --inputs ranges --json --threads ";
  const Run one = run(arguments + "1");
  INFO(one.err);
  REQUIRE((one.status == 0 || one.status == 3));
  const Json document = Json::parse(one.out);
  CHECK(document["inputs"]["points"].get<int>() * document["inputs"]["steps"].get<int>() <= 10 * 200);
  CHECK(document["metrics"]["step_time_s"].contains("input_range"));
  CHECK(run(arguments + "2").out == one.out);
  CHECK(run(arguments + "8").out == one.out);
  CHECK(Json::parse(run(arguments + "1 --seed 2").out)["metrics"]["step_time_s"]["input_range"] !=
        document["metrics"]["step_time_s"]["input_range"]);
}

// At one of its points flows of 1.6 MB/s follow the clock of a store that was 460 times as fast before.
TEST_CASE("ranges of a scenario with bursts of small reads are simulated to their end", "[cli]") {
  const Run result = run("simulate llm-70b-tokens --steps 64 --inputs ranges --json");
  INFO(result.err);
  REQUIRE((result.status == 0 || result.status == 3));
  const Json inputs = Json::parse(result.out)["inputs"];
  CHECK(inputs["points"].get<int>() > 1);
}

TEST_CASE("simulated points have the verdicts of bounds, and no range leaves what is possible", "[cli][long_4]") {
  const testing::Folder folder;
  const std::string scenario = folder.path("text.json");
  REQUIRE(run("init --workload text --model '70B, tp=8, pp=2' --gpus '32 nodes with 8 H100' --data '300 TB parquet' "
              "--store s3 --network 4x200G -o '" +
              scenario + "'")
              .status == 0);
  const auto share = [&](const std::string& verb) {
    const Json document = Json::parse(run(verb + " '" + scenario + "' --inputs ranges --json").out);
    return document["inputs"]["verdicts"].value("checkpoint_bound", 0.0);
  };
  CHECK(share("simulate --no-relief --steps 256") == Approx(share("bound")).margin(0.15));
  const Json document = Json::parse(run("simulate unet3d-h100 --steps 200 --no-relief --inputs ranges --json").out);
  for (const auto& [name, metric] : document["metrics"].items()) {
    INFO(name);
    if (metric.contains("input_range")) CHECK(metric["input_range"][0].get<double>() >= 0.0);
  }
}

TEST_CASE("a step beyond the years that simulated time lasts is bad input", "[cli]") {
  const Run result = run("simulate unet3d-h100 --set '/stores/0/bandwidth=1 B/s' --steps 64");
  CHECK(result.status == 2);
  CHECK(result.err.find("146 years") != std::string::npos);
  CHECK(result.err.find("internal error") == std::string::npos);
}

TEST_CASE("the text names the figures to measure next, and a measured one leaves the list", "[cli]") {
  const Run text = run("bound unet3d-h100 --inputs ranges --verbose");
  CHECK(text.out.find("over input ranges") != std::string::npos);
  CHECK(text.out.find("measure next") != std::string::npos);
  CHECK(text.out.find("/jobs/0/step/step_time ") != std::string::npos);
  const Run measured =
      run("bound unet3d-h100 --inputs ranges "
          "--set '/input_ranges/0={\"parameter\": \"/jobs/0/step/step_time\", \"evidence\": \"measured\"}'");
  INFO(measured.err);
  CHECK(measured.status == 0);
  CHECK(measured.out.find("/jobs/0/step/step_time ") == std::string::npos);
}

TEST_CASE("a study of inputs that runs out of time says so", "[cli][long_3]") {
  const Run result = run("simulate unet3d-h100 --steps 2000000 --max-wall 2 --no-relief --inputs ranges --json");
  INFO(result.err);
  const Json document = Json::parse(result.out);
  CHECK_FALSE(document.contains("inputs"));
  CHECK(document["warnings"].dump().find("input ranges were not measured") != std::string::npos);
}

TEST_CASE("bad values of --inputs are usage errors", "[cli]") {
  for (const char* verb : {"simulate", "bound"}) {
    const Run result = run(std::string(verb) + " unet3d-h100 --inputs sometimes");
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    CHECK(result.err.find("sometimes") != std::string::npos);
    CHECK(result.err.find("--help") != std::string::npos);
  }
  CHECK(run("validate unet3d-h100 --inputs ranges").status == 2);
  CHECK(run("bound unet3d-h100 --set '/input_ranges/0={\"parameter\": \"/stores/0/x\"}'").err.find("E0216") !=
        std::string::npos);
}
