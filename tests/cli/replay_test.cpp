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

TEST_CASE("a bad --replay is a usage error", "[cli]") {
  for (const char* value : {"7", "7:", ":1", "x:1", "7:1:2", "-1:0", "7:1000000000"}) {
    const Run result = run(std::string("simulate unet3d-h100 --replay ") + value);
    INFO(value << "\n" << result.err);
    CHECK(result.status == 2);
    CHECK((result.err.find("--help") != std::string::npos || result.err.find("--replay=-1:0") != std::string::npos));
  }
  CHECK(run("simulate unet3d-h100 --replay 1:0 --seed 4").status == 2);
  CHECK(run("simulate unet3d-h100 --replay 1:0 --replications 4").status == 2);
  CHECK(run("simulate unet3d-h100 --replay 1:0 --inputs ranges").status == 2);
  CHECK(run("bound unet3d-h100 --replay 1:0").status == 2);
}
