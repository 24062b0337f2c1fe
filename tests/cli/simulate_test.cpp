#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using headrace::testing::file_text;
using headrace::testing::Folder;
using headrace::testing::Run;
using headrace::testing::run;
using Json = nlohmann::json;

namespace {

std::string start_scenario(const Folder& folder) {
  return std::string("'").append(folder.write("start.json", run("init").out)).append("'");
}

}  // namespace

TEST_CASE("the starting scenario is valid and simulates to JSON with the same bytes for 1, 2 and 8 threads",
          "[cli][long_3]") {
  const Folder folder;
  const std::string start = start_scenario(folder);
  CHECK(run("validate " + start).status == 0);
  const std::string arguments = "simulate " + start + " --steps 300 --json --as-of 2026-11-20 --threads ";
  const Run one = run(arguments + "1");
  INFO(one.err);
  CHECK((one.status == 0 || one.status == 3));
  const Json document = Json::parse(one.out);
  CHECK(document["format_version"] == "1.0");
  CHECK(document["scenario_sha256"].get<std::string>().size() == 64);
  CHECK((one.status == 3) == (document["verdict"] == "inconclusive"));
  double states = 0.0;
  for (const auto& [state, share] : document["gpu_states"].items()) states += share.get<double>();
  CHECK(states == Approx(1.0).margin(1e-9));
  CHECK(run(arguments + "2").out == one.out);
  CHECK(run(arguments + "8").out == one.out);
  CHECK(run(arguments + "1 --seed 2").out != one.out);
}

TEST_CASE("an imported workload runs on a shipped system", "[cli]") {
  const Folder folder;
  const std::string workload = "'" HEADRACE_SOURCE_DIR "/scenarios/workloads/unet3d_h100.yaml'";
  const std::string layer = "'" + folder.path("unet3d.json") + "'";
  REQUIRE(run("import dlio " + workload + " --accelerators 8 --hosts 1 -o " + layer).status == 0);
  const Run result = run("simulate storage-nvme-host " + layer + " --json");
  INFO(result.err);
  REQUIRE(result.status == 0);
  const Json metrics = Json::parse(result.out)["metrics"];
  CHECK(metrics["step_time_s"]["mean"].get<double>() >= 0.323);
  CHECK(metrics["step_time_s"]["kind"] == "simulated");
  REQUIRE(run("import dlio " + workload + " --extends storage-nvme-host --accelerators 8 -o " + layer).status == 0);
  CHECK(run("bound " + layer + " --json").status == 0);
}

TEST_CASE("bounds say what kind of number they are", "[cli]") {
  const Folder folder;
  const std::string start = start_scenario(folder);
  const auto kind = [&](const std::string& level) {
    const Run result = run("bound " + start + " --json --level " + level);
    return Json::parse(result.out)["metrics"]["step_time_s"]["kind"].get<std::string>();
  };
  CHECK(kind("flow") == "bound");
  CHECK(kind("estimate") == "estimate");
}

TEST_CASE("overrides win and --dry-run tells where values come from", "[cli]") {
  const Folder folder;
  const std::string start = start_scenario(folder);
  const Run result = run("simulate " + start + " --dry-run --json --set /jobs/0/loader/workers=3");
  REQUIRE(result.status == 0);
  bool found = false;
  const Json document = Json::parse(result.out);
  for (const Json& value : document["values"]) {
    if (value["pointer"] == "/jobs/0/step/batch")
      CHECK(value["origin"].get<std::string>().find("start.json:") != std::string::npos);
    if (value["pointer"] != "/jobs/0/loader/workers") continue;
    found = true;
    CHECK(value["value"] == 3);
    CHECK(value["origin"].get<std::string>().find("--set") != std::string::npos);
  }
  CHECK(found);
}

TEST_CASE("a time limit ends a run and prints the steps that repeat it", "[cli]") {
  const Folder folder;
  const Run result = run("simulate " + start_scenario(folder) + " --precision 0.00001 --max-wall 0.05 --no-relief");
  INFO(result.err);
  CHECK((result.status == 0 || result.status == 3));
  CHECK(result.err.find("--steps ") != std::string::npos);
  CHECK(result.err.find("--max-wall") == std::string::npos);
}

TEST_CASE("bad scenarios end with 2, a message with a place, and no output file", "[cli]") {
  const Folder folder;
  const auto refused = [&](const std::string& text, const std::string& message) {
    const std::string file = "'" + folder.write("bad.json", text) + "'";
    const Run result = run("simulate " + file + " --json -o '" + folder.path("out.json") + "'");
    INFO(text.substr(0, 80) << "\n" << result.err);
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    CHECK(result.err.find(message) != std::string::npos);
    CHECK(result.err.find("bad.json") != std::string::npos);
    CHECK(folder.file_count() == 1);
  };
  refused("", "E0103");
  refused("{\"cluster\": {", "E0105");
  refused("{\"clutser\": {}}", "did you mean 'cluster'");
  refused(std::string(1000, '['), "E0106");
  const std::string start = run("init").out;
  const auto changed = [&start](const std::string& from, const std::string& to) {
    std::string text = start;
    return text.replace(text.find(from), from.size(), to);
  };
  refused(changed("\"40 GB/s\"", "\"40 GB\""), "E0205");
  refused(changed("\"40 GB/s\"", "40"), "E0204");
  refused(changed("\"40 GB/s\"", "\"-40 GB/s\""), "E0207");
  refused(changed("\"workers\": 8", "\"workers\": 0"), "E0207");
  refused(changed("\"bytes\": \"100 GB\"", "\"bytes\": \"100 TB\""), "the cache is larger than the local drives");
  refused(changed("\"pool\": \"gpus\"", "\"pool\": \"gpsu\""), "E0211");
  refused(changed("\"epochs\": 5", "\"epochs\": 1e999"), "E0107");
  refused(changed("\"epochs\": 5", "\"epochs\": NaN"), "E0107");
  CHECK(run("simulate '" + folder.path("") + "'").err.find("E0102") != std::string::npos);
  CHECK(run("simulate '" + folder.path("none.json") + "'").err.find("E0101") != std::string::npos);
  const Run json = run("validate '" + folder.path("bad.json") + "' --json");
  CHECK(json.status == 2);
  CHECK(Json::parse(json.out)["valid"] == false);
}

TEST_CASE("an interrupt hands over what there is and ends with 130", "[cli]") {
  // In the first round, in the runs of all nodes that it is held against, and in other starts.
  for (const char* after_s : {"0.3", "0.7", "1.2"}) {
    const Run result =
        run("simulate imagenet-1250-nodes --json", std::string("timeout --preserve-status -s INT ") + after_s);
    INFO(after_s << " s: " << result.err);
    CHECK(result.status == 130);
    CHECK(Json::parse(result.out)["stopped_by"] == "interrupted");
    CHECK(result.err.find("--steps") != std::string::npos);
  }
}
