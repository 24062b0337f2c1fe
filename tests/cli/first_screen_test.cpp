// What people see first, of every shipped scenario.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using headrace::testing::Run;
using headrace::testing::run;
using Json = nlohmann::json;

namespace {

/// Lines of the screen of a terminal, which cuts a long warning to one; a pipe gets all of it.
std::ptrdiff_t lines_of_screen(const std::string& text) {
  std::istringstream stream(text);
  std::ptrdiff_t lines = 0;
  bool warning = false;
  for (std::string line; std::getline(stream, line);) {
    warning = line.find("arning") != std::string::npos || (warning && line.starts_with("  "));
    if (!warning || !line.starts_with("  ")) ++lines;
  }
  return lines;
}

}  // namespace

TEST_CASE("the first screen of every shipped scenario has 20 lines of 80 characters at most", "[cli][long_2]") {
  std::size_t answered = 0;
  for (const auto& file : std::filesystem::directory_iterator(HEADRACE_SOURCE_DIR "/scenarios/shipped")) {
    const std::string name = file.path().stem().string();
    const Run result = run("bound --level estimate " + name);
    if (result.status == 2) continue;  // a system without a workload
    INFO(name << "\n" << result.out);
    ++answered;
    CHECK(lines_of_screen(result.out) <= 20);
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) {
      CHECK(line.size() <= 80);
      CHECK_FALSE(line.ends_with(" .."));
    }
    CHECK(result.out.find("\nConfidence: ") != std::string::npos);
    CHECK(result.out.find("e+0") == std::string::npos);
  }
  CHECK(answered >= 45);
}

TEST_CASE("evidence names cases, measurements and parts without one, in words and JSON", "[cli][long_3]") {
  const Run text = run("evidence imagenet-threads");
  INFO(text.out << text.err);
  REQUIRE(text.status == 0);
  CHECK(text.out.find("\nConfidence: extrapolated") != std::string::npos);
  CHECK(text.out.find("  Computed, no measurement: ") != std::string::npos);
  CHECK(text.out.find("this scenario: ") != std::string::npos);
  const Run json = run("evidence imagenet-threads --json");
  REQUIRE(json.status == 0);
  const Json document = Json::parse(json.out);
  CHECK(document["confidence"]["grade"] == "extrapolated");
  CHECK(document["evidence"]["nearest_case"].get<std::string>().size() > 5);
  CHECK(document["scenario_sha256"].get<std::string>().size() == 64);
  CHECK(run("evidence no-such-scenario").status == 2);
  // What the ranges of the inputs leave open stands beside it, and what says more.
  CHECK(text.out.find("By the queueing estimate: ") != std::string::npos);
  CHECK(text.out.find("From p10 to p90 of them: GPU idle time ") != std::string::npos);
  CHECK(text.out.find("headrace simulate imagenet-threads gives the intervals") != std::string::npos);
  CHECK(document["inputs"]["points"].get<int>() > 1);
  // Where the verdict turns: the other one on the far side of the value, and not on the near one.
  const headrace::testing::Folder folder;
  const std::string made = headrace::testing::made_by_init(
      folder,
      "--workload images --gpus '16 nodes x 8 H100' --data '20 TB JPEG' --layout files --store '40 GB/s NFS' "
      "--network 2x200G");
  const Json turns = Json::parse(run("evidence " + made + " --json").out)["turning_points"];
  REQUIRE(turns.size() >= 2);
  for (const Json& turn : turns) {
    const auto verdict_at = [&](double factor) {
      const std::string unit = turn["unit"].get<std::string>();
      const std::string set = fmt::format(" --set '{}={:.9g}{}'", turn["parameter"].get<std::string>(),
                                          factor * turn["value"].get<double>(), unit.empty() ? "" : " " + unit);
      return Json::parse(run("bound " + made + set + " --level estimate --json").out)["verdict"];
    };
    INFO(turn.dump());
    if (turn["unit"] == "1" || turn["parameter"].get<std::string>().ends_with("servers")) continue;  // whole numbers
    const bool below = turn["side"] == "below";
    CHECK(verdict_at(below ? 0.999 : 1.001) == turn["verdict"]);
    CHECK(verdict_at(below ? 1.02 : 0.98) != turn["verdict"]);
  }
  CHECK(run("evidence " + made).out.find("Where the verdict turns, one figure at a time (estimate)") !=
        std::string::npos);
  const Run changed = run("simulate imagenet-threads --set /jobs/0/loader/workers=4 --steps 64 --verbose");
  INFO(changed.out);
  CHECK(headrace::testing::unbroken(changed.out)
            .find("Details: headrace evidence imagenet-threads --set /jobs/0/loader/workers=4") != std::string::npos);
}

TEST_CASE("every measurement names system, source, date and error, and the program prints what evidence refers to",
          "[cli][long_1]") {
  for (const char* scenario :
       {"unet3d-h100", "fuse-mount", "torch-batch-cost", "unet3d-70-hosts", "llama3-405b-checkpoints"}) {
    const Json evidence = Json::parse(run(std::string("evidence ") + scenario + " --json").out)["evidence"];
    const std::string text = run(std::string("evidence ") + scenario).out;
    INFO(text);
    REQUIRE(!evidence["measured"].empty());
    for (const Json& part : evidence["measured"]) {
      for (const char* key : {"system", "source", "date"}) CHECK(part[key].get<std::string>().size() > 3);
      CHECK(part["error"]["cases"] > 0);
      CHECK(text.find("Measured: " + part["part"].get<std::string>().substr(0, 20)) != std::string::npos);
    }
    CHECK(text.find("docs/") == std::string::npos);
    std::istringstream calls(headrace::testing::unbroken(text));
    std::string word;
    std::size_t referred = 0;
    for (std::string before; calls >> word; before = word) {
      if (before != "explain") continue;
      ++referred;
      word.erase(std::remove_if(word.begin(), word.end(), [](char c) { return c == ')' || c == ','; }), word.end());
      CHECK(run("explain " + word).status == 0);
    }
    CHECK(referred >= 2);
  }
}

TEST_CASE("a pipe gets whole warnings, and an answer names every dimension that lies outside", "[cli]") {
  const headrace::testing::Folder folder;
  const std::string layer = folder.write("faster.json", R"({"stores": [{"name": "lustre", "bandwidth": "80 GB/s"}]})");
  const Run warned = run("bound image-node '" + layer + "'");
  INFO(warned.out);
  CHECK(headrace::testing::unbroken(warned.out)
            .find("Warning: store 'lustre' has no effect; a layer changes the store "
                  "whose name it has: name it") != std::string::npos);
  const Run outside = run("bound sizing-sheet --level estimate");
  const std::string text = headrace::testing::unbroken(outside.out);
  CHECK(text.find("workers is 10, computed cases reach 8; the workers are given 1.01 times the work that they can do, "
                  "computed cases reach 0.9 times.") != std::string::npos);
  CHECK(text.find("more dimension") == std::string::npos);
}

TEST_CASE("a slowdown of more than twice is a factor", "[cli]") {
  const Run result = run("compare prefetch-queue prefetch-queue --set-b '/jobs/0/step/step_time=3 s'");
  INFO(result.out << result.err);
  CHECK(result.out.find("A is faster: an epoch of B is 2.") != std::string::npos);
  CHECK(headrace::testing::unbroken(result.out).find(" times as long (") != std::string::npos);
}

TEST_CASE("the flag --verbose adds the tables", "[cli]") {
  const Run brief = run("bound unet3d-h100");
  const Run whole = run("bound unet3d-h100 --verbose");
  CHECK(brief.out.find("GPU time by state") == std::string::npos);
  CHECK(whole.out.find("GPU time by state") != std::string::npos);
  CHECK(whole.out.find("\nEvidence\n") != std::string::npos);
  CHECK(whole.out.find("\n  MLPerf AU") == std::string::npos);
}
