// What people see first, of every shipped scenario.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using headrace::testing::Run;
using headrace::testing::run;
using Json = nlohmann::json;

TEST_CASE("the first screen of every shipped scenario has 20 lines of 80 characters at most", "[cli]") {
  std::size_t answered = 0;
  for (const auto& file : std::filesystem::directory_iterator(HEADRACE_SOURCE_DIR "/scenarios/shipped")) {
    const std::string name = file.path().stem().string();
    const Run result = run("bound --level estimate " + name);
    if (result.status == 2) continue;  // a system without a workload
    INFO(name << "\n" << result.out);
    ++answered;
    CHECK(std::count(result.out.begin(), result.out.end(), '\n') <= 20);
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);
    CHECK(result.out.find("\nConfidence: ") != std::string::npos);
    CHECK(result.out.find("e+0") == std::string::npos);
  }
  CHECK(answered >= 45);
}

TEST_CASE("evidence names cases, measurements and parts without one, in words and JSON", "[cli]") {
  const Run text = run("evidence imagenet-threads");
  INFO(text.out << text.err);
  REQUIRE(text.status == 0);
  CHECK(text.out.find("\nConfidence: extrapolated") != std::string::npos);
  CHECK(text.out.find("Queues, order and barrier: ") != std::string::npos);
  CHECK(text.out.find("this scenario: ") != std::string::npos);
  const Run json = run("evidence imagenet-threads --json");
  REQUIRE(json.status == 0);
  const Json document = Json::parse(json.out);
  CHECK(document["confidence"]["grade"] == "extrapolated");
  CHECK(document["evidence"]["nearest_case"].get<std::string>().size() > 5);
  CHECK(document["scenario_sha256"].get<std::string>().size() == 64);
  CHECK(run("evidence no-such-scenario").status == 2);
}

TEST_CASE("a slowdown of more than twice is a factor", "[cli]") {
  const Run result = run("compare prefetch-queue prefetch-queue --set-b '/jobs/0/step/step_time=3 s'");
  INFO(result.out << result.err);
  CHECK(result.out.find("the step time of B is 2.") != std::string::npos);
  CHECK(headrace::testing::unbroken(result.out).find("that of A (") != std::string::npos);
}

TEST_CASE("the flag --verbose adds the tables", "[cli]") {
  const Run brief = run("bound unet3d-h100");
  const Run whole = run("bound unet3d-h100 --verbose");
  CHECK(brief.out.find("GPU time by state") == std::string::npos);
  CHECK(whole.out.find("GPU time by state") != std::string::npos);
  CHECK(whole.out.find("\nEvidence\n") != std::string::npos);
  CHECK(whole.out.find("MLPerf AU") == std::string::npos);
}
