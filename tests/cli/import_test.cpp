#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using headrace::testing::Folder;
using headrace::testing::Run;
using headrace::testing::run;

namespace {

const std::string kWorkload = "'" HEADRACE_SOURCE_DIR "/scenarios/workloads/unet3d_h100.yaml'";

}  // namespace

TEST_CASE("a DLIO workload comes out as JSON, its unused keys on standard error", "[cli]") {
  const Run result = run("import dlio " + kWorkload + " --accelerators 8 --hosts 1");
  REQUIRE(result.status == 0);
  const auto layer = nlohmann::json::parse(result.out);
  CHECK(layer["jobs"][0]["gpus_per_node"] == 8);
  CHECK(layer["jobs"][0]["loader"]["workers"] == 4);
  CHECK(result.err.find("metric.au") != std::string::npos);
  CHECK(run("import dlio " + kWorkload + " --quiet").err.empty());
}

TEST_CASE("what cannot be imported leaves no file behind", "[cli]") {
  const Folder folder;
  const auto refused = [&](const std::string& text, const std::string& message) {
    const std::string file = folder.write("w.yaml", text);
    const Run result = run("import dlio '" + file + "' -o '" + folder.path("out.json") + "'");
    INFO(result.err);
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    CHECK(result.err.find(message) != std::string::npos);
    CHECK(folder.file_count() == 1);
  };
  refused("", "E0103");
  refused("a: [1\n", "w.yaml:");
  refused("workflow: {train: False, checkpoint: True}\n", "only writes and reads checkpoints");
  CHECK(run("import dlio '" + folder.path("none.yaml") + "'").status == 2);
  CHECK(run("import dlio '" + folder.path("") + "'").err.find("E0102") != std::string::npos);
  CHECK(run("import dlio " + kWorkload + " --accelerators 7 --hosts 2").status == 2);
}

TEST_CASE("third-party workload files import or say why not", "[cli]") {
  const char* folder = std::getenv("HEADRACE_DLIO_WORKLOADS");
  if (folder == nullptr) return;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".yaml") continue;
    const Run result = run("import dlio '" + entry.path().string() + "'");
    INFO(entry.path() << "\n" << result.err);
    const bool explained = result.err.find("E0209") != std::string::npos;
    CHECK((result.status == 0 || (result.status == 2 && explained)));
  }
}
