#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using headrace::testing::file_text;
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

TEST_CASE("the command that an import prints runs as it is printed", "[cli]") {
  const Folder folder;
  const std::string layer = folder.path("it's mine.json");
  const std::string quoted = "\"" + layer + "\"";
  for (const char* flags : {"", " --accelerators 8 --hosts 1", " --hosts 32", " --accelerators 512 --hosts 32",
                            " --beside", " --hosts 2 --beside", " --extends storage-nvme-host --accelerators 8"}) {
    const Run made = run("import dlio " + kWorkload + flags + " -o " + quoted);
    INFO(flags << "\n" << made.err);
    REQUIRE(made.status == 0);
    const std::size_t at = made.err.find("next: headrace simulate ");
    REQUIRE(at != std::string::npos);
    const std::string command = made.err.substr(at + 15, made.err.find('\n', at) - at - 15);
    const Run done = run(command + " --steps 16 --no-relief --json");
    INFO(done.err);
    REQUIRE(done.status != 2);
    CHECK(nlohmann::json::parse(done.out)["jobs"].size() == 1);
  }
  const Run small = run("import dlio " + kWorkload + " --hosts 32 --extends storage-nvme-host -o " + quoted);
  CHECK(small.status == 2);
  CHECK(small.err.find("(not written)") != std::string::npos);
  CHECK(small.err.find("leave --extends away") != std::string::npos);
}

TEST_CASE("a layer that replaces jobs does so over its own base, too", "[cli]") {
  const Folder folder;
  const std::string own = folder.path("own.json");
  REQUIRE(run("init --gpus '4 nodes x 8 H100' -o '" + own + "'").status == 0);
  const std::string layer = folder.path("layer.json");
  REQUIRE(run("import dlio " + kWorkload + " --hosts 4 --extends '" + own + "' -o '" + layer + "'").status == 0);
  for (const std::string& call : {"'" + layer + "'", "'" + own + "' '" + layer + "'"}) {
    const Run done = run("bound " + call + " --json");
    INFO(done.err);
    REQUIRE(done.status == 0);
    CHECK(nlohmann::json::parse(done.out)["jobs"].size() == 1);
  }
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

namespace {

bool installed(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

/// Runs the tool and imports what it wrote; the names of the figures. None, and a warning, where the tool is not
/// installed or does not run here.
std::vector<std::string> figures_of_tool(const std::string& format, const std::string& program,
                                         const std::string& command, const std::string& file) {
  if (!installed(program)) {
    WARN("skipped: " << program << " is not installed");
    return {};
  }
  if (std::system((command + " >/dev/null 2>&1 </dev/null").c_str()) != 0) {
    WARN("skipped: " << program << " does not run here: " << command);
    return {};
  }
  const Run imported = run("import " + format + " '" + file + "'");
  INFO(command << "\n" << file_text(file) << "\n" << imported.err);
  REQUIRE(imported.status == 0);
  std::vector<std::string> names;
  const auto layer = nlohmann::json::parse(imported.out);
  for (const auto& parameter : layer["calibration"]["parameters"]) {
    names.push_back(parameter["name"]);
    CHECK(parameter["value"].get<double>() > 0.0);
  }
  CHECK(!names.empty());
  return names;
}

bool holds(const std::vector<std::string>& names, const char* name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

// The samples show the form of an output; these are the outputs of what is installed, whatever its version.
TEST_CASE("what fio, ior and mdtest print on this machine can be imported", "[cli]") {
  const Folder folder;
  const std::string out = folder.path("out");
  const auto redirected = [&](const std::string& command) { return "{ " + command + "; } > '" + out + "'"; };
  CHECK(holds(figures_of_tool("fio", "fio",
                              "fio --name=t --filename='" + folder.path("data") +
                                  "' --size=4m --rw=randread --bs=4k --iodepth=1 --ioengine=psync --time_based "
                                  "--runtime=1 --lat_percentiles=1 --output-format=json+ --output='" +
                                  out + "'",
                              out),
              "storage.latency"));
  CHECK(holds(figures_of_tool("ior", "ior",
                              "ior -a POSIX -w -r -b 16m -t 1m -i 2 -o '" + folder.path("ior") +
                                  "' -O summaryFormat=JSON -O summaryFile='" + out + "'",
                              out),
              "storage.bandwidth"));
  CHECK(holds(
      figures_of_tool("mdtest", "mdtest",
                      "sh -c \"" + redirected("mdtest -F -n 200 -i 3 -d '" + folder.path("md") + "'") + "\"", out),
      "metadata.latency"));
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
