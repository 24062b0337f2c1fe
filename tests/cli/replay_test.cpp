// --replay SEED:REPLICATION: one replication of a study, alone and to the last bit.
#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using headrace::testing::Run;
using headrace::testing::run;
using Json = nlohmann::json;

namespace {

/// Entries of one replication, as text: the same bytes or not.
std::string figures_of(const Json& document, int replication) {
  std::string text;
  for (const Json& entry : document["replications"])
    if (entry["replication"] == replication) text += entry.dump() + "\n";
  return text;
}

/// The last line of standard error, without its indent.
std::string last_line(const std::string& err) {
  const std::string text = err.substr(0, err.find_last_not_of('\n') + 1);
  const std::string line = text.substr(text.rfind('\n') + 1);
  return line.substr(line.find_first_not_of(' '));
}

}  // namespace

TEST_CASE("a replayed replication equals what the study saw, byte by byte", "[cli]") {
  // One window and several, contended and not.
  for (const std::string scenario :
       {"dataloader-50ms --set /jobs/0/loader/workers=8",
        "unet3d-h100 --set '/cluster/pools/0/drives/capacity=8 TB' "
        "--set '/cluster/pools/0/cache={\"policy\": \"lru\", \"bytes\": \"2.0524 TB\"}'"}) {
    INFO(scenario);
    const std::string arguments = "simulate " + scenario + " --no-relief --json --steps 400 ";
    const Run study = run(arguments + "--seed 7 --replications 4 --threads 2");
    INFO(study.err);
    const Json document = Json::parse(study.out);
    REQUIRE(document["replications"].size() >= 4);
    for (const int replication : {0, 2, 3}) {
      const Run replay = run(arguments + "--replay 7:" + std::to_string(replication));
      const Json replayed = Json::parse(replay.out);
      CHECK(replayed["seed"] == 7);
      CHECK(figures_of(replayed, replication) == figures_of(document, replication));
      CHECK(replayed["replications"].size() * 4 == document["replications"].size());
    }
    CHECK(figures_of(document, 1) != figures_of(document, 2));
  }
}

TEST_CASE("a study that stopped by itself names the steps that repeat its replications", "[cli]") {
  const Run study = run("simulate unet3d-h100 --no-relief --json --seed 3 --replications 2");
  const Json document = Json::parse(study.out);
  const Json& second = document["replications"][1];
  const Run replay = run("simulate unet3d-h100 --no-relief --json --replay 3:1 --steps " + second["steps"].dump());
  CHECK(Json::parse(replay.out)["replications"][0].dump() == second.dump());
  const Run open = run("simulate unet3d-h100 --no-relief --json --replay 3:1");
  CHECK(open.err.find("--steps") != std::string::npos);
}

TEST_CASE("an internal error prints the line that replays it, and the line does", "[cli]") {
  // A sample of 5 EB is more than a flow can carry: an invariant of the engine breaks, in some replications.
  const std::string scenario =
      "dataloader-50ms --set '/datasets/0/sample_bytes={\"mixture\": {\"parts\": [{\"weight\": 4999, \"value\": "
      "\"1 MB\"}, {\"weight\": 1, \"value\": \"5 EB\"}]}}'";
  const Run study = run("simulate " + scenario + " --seed 5 --replications=6 --max-wall 100 --threads 1");
  INFO(study.err);
  REQUIRE(study.status == 4);
  CHECK(study.out.empty());
  const std::string line = last_line(study.err);
  CHECK(line.starts_with("headrace simulate dataloader-50ms"));
  CHECK(line.find("--replay 5:") != std::string::npos);
  CHECK(line.find("--steps ") != std::string::npos);
  CHECK(line.find("--replications") == std::string::npos);
  CHECK(line.find("--max-wall") == std::string::npos);
  const Run replay = run(line.substr(std::string("headrace ").size()));
  CHECK(replay.status == 4);
  CHECK(last_line(replay.err) == line);
  // With half of the steps it does not happen.
  const std::size_t at = line.rfind(' ') + 1;
  const int steps = std::stoi(line.substr(at));
  REQUIRE(steps > 1);
  const std::size_t word = std::string("headrace ").size();
  const Run before = run(line.substr(word, at - word) + std::to_string(steps / 2));
  CHECK(before.status != 4);
}

TEST_CASE("a bad --replay is a usage error", "[cli]") {
  for (const char* value : {"7", "7:", ":1", "x:1", "7:1:2", "-1:0", "7:1000000000"}) {
    const Run result = run(std::string("simulate unet3d-h100 --replay ") + value);
    INFO(value << "\n" << result.err);
    CHECK(result.status == 2);
    CHECK(result.err.find("--help") != std::string::npos);
  }
  CHECK(run("simulate unet3d-h100 --replay 1:0 --seed 4").status == 2);
  CHECK(run("simulate unet3d-h100 --replay 1:0 --replications 4").status == 2);
  CHECK(run("simulate unet3d-h100 --replay 1:0 --inputs ranges").status == 2);
  CHECK(run("bound unet3d-h100 --replay 1:0").status == 2);
}
