// The commands of docs/how-to/replay-production.md and import-measurements.md, as a reader types them.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

namespace headrace::testing {
namespace {

namespace fs = std::filesystem;

const std::string kSamples = HEADRACE_SOURCE_DIR "/tests/data/imports/";

/// All shell blocks of a page, one after the other.
std::string shell_blocks_of(const std::string& page) {
  std::istringstream lines(file_text(HEADRACE_SOURCE_DIR "/docs/how-to/" + page));
  std::string commands;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line == "```sh")
      inside = true;
    else if (line == "```")
      inside = false;
    else if (inside)
      commands += line + "\n";
  }
  return commands;
}

struct Ended {
  int status = -1;
  std::string text;
};

/// Runs the blocks in a folder that has this program as `headrace`; stops at the first command that fails.
Ended run_page(const Folder& folder, const std::string& page) {
  fs::create_directory(folder.path("bin"));
  fs::create_symlink(HEADRACE_PROGRAM, folder.path("bin/headrace"));
  folder.write("page.sh", "set -e\n" + shell_blocks_of(page));
  const std::string command =
      "cd '" + folder.path("") + "' && PATH='" + folder.path("bin") + "':\"$PATH\" sh page.sh >out.txt 2>&1 </dev/null";
  const int raw = std::system(command.c_str());
  return {WIFEXITED(raw) ? WEXITSTATUS(raw) : -1, file_text(folder.path("out.txt"))};
}

nlohmann::json layer_in(const Folder& folder, const std::string& name) {
  return nlohmann::json::parse(file_text(folder.path(name)));
}

}  // namespace

TEST_CASE("the page about replaying last Tuesday runs from its first to its last command", "[cli]") {
  const Folder folder;
  fs::copy(kSamples + "kineto_gpu.json", folder.path("trace.json"));
  fs::copy(kSamples + "prometheus_read_rate.json", folder.path("reads.json"));
  fs::copy(kSamples + "darshan.txt", folder.path("io.txt"));
  fs::copy(kSamples + "sacct.txt", folder.path("jobs.txt"));
  const Ended ended = run_page(folder, "replay-production.md");
  INFO(ended.text);
  CHECK(ended.status == 0);
  CHECK(layer_in(folder, "steps.json")["jobs"][0]["step"]["step_time"].contains("empirical"));
  CHECK(layer_in(folder, "others.json")["background"][0]["name"].get<std::string>().rfind("others", 0) == 0);
  CHECK(layer_in(folder, "faults.json")["faults"].contains("node_mtbf"));
  CHECK(ended.text.find("PyTorch profiler") != std::string::npos);
  const Run outcome = run("bound --json '" + folder.path("tuesday.json") + "'");
  REQUIRE(outcome.status == 0);
  CHECK(nlohmann::json::parse(outcome.out)["background"].size() >= 3);
}

TEST_CASE("imported figures are shown with source, version, date, interval and flags", "[cli]") {
  const Folder folder;
  const std::string site = folder.path("site.json");
  REQUIRE(run("import fio '" + kSamples + "fio_depth1.json' -o '" + site + "'").status == 0);
  const Run shown = run("calibrate --show '" + site + "'");
  REQUIRE(shown.status == 0);
  for (const char* text : {"fio_depth1.json", "fio-3.33", "2026-11-2", "storage.latency", "flags: short_run",
                           "evidence measured", "/stores/storage/latency"})
    if (shown.out.find(text) == std::string::npos) FAIL(text << " is not in\n" << shown.out);
  CHECK(run("calibrate --show '" + site + "' --json").out == file_text(site));
  const Run point = run("import gdsio '" + kSamples + "gdsio_wrapped.txt' -o '" + folder.path("gds.json") + "'");
  CHECK(point.err.find("does not show whether GPUDirect was used") != std::string::npos);
  CHECK(run("calibrate --show '" + folder.path("gds.json") + "'").out.find("point") != std::string::npos);
  CHECK(run("calibrate --compare '" + site + "' '" + site + "'").out.find("storage.latency") != std::string::npos);
  const Run simulated = run("bound --json image-node '" + site + "'");
  CHECK(simulated.status == 0);
}

TEST_CASE("an import that fails says where and why, ends with 2 and writes nothing", "[cli]") {
  const Folder folder;
  const auto refused = [&](const std::string& format, const std::string& text, const std::string& message) {
    const std::string file = folder.write("in.txt", text);
    const Run result = run("import " + format + " '" + file + "' -o '" + folder.path("out.json") + "'");
    INFO(format << "\n" << result.err);
    CHECK(result.status == 2);
    CHECK(result.err.find(message) != std::string::npos);
    CHECK(!fs::exists(folder.path("out.json")));
  };
  refused("fio", "fio: no such file\n", "E0141");
  refused("sacct", "JobID|State|NNodes|Elapsed\n1|COMPLETED|2|forever\n", "in.txt:2:");
  refused("mdtest", "", "E0103");
  refused("dlio-summary", file_text(kSamples + "dlio_summary.json"), "--workload unet3d");
  CHECK(run("import nothing x").status == 2);
  CHECK(run("import fio '" + folder.path("none.json") + "'").status == 2);
  CHECK(run("import kineto '" + kSamples + "kineto_gpu.json' --date tomorrow").status == 2);
  const Run json = run("import fio --json '" + kSamples + "mdtest.txt'");
  CHECK(json.status == 2);
  CHECK(nlohmann::json::parse(json.err)["diagnostics"][0]["code"] == "E0141");
}

TEST_CASE("a DLIO summary is predicted by backtest", "[cli]") {
  const Folder folder;
  const Run row =
      run("import dlio-summary '" + kSamples +
          "dlio_summary.json' --workload unet3d --accelerator h100 --name filer -o '" + folder.path("row.csv") + "'");
  REQUIRE(row.status == 0);
  const Run result = run("backtest --json '" + folder.path("row.csv") + "'");
  REQUIRE(result.status == 0);
  const auto document = nlohmann::json::parse(result.out);
  CHECK(document["rows"][0]["status"] == "predicted");
  CHECK(document["rows"][0]["measured"]["au_percent"].get<double>() == Approx(91.0));
}

}  // namespace headrace::testing
