// The help of verbs: one layout, and examples that run.
#include <sstream>
#include <vector>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using headrace::testing::file_text;
using headrace::testing::Folder;
using headrace::testing::run;

namespace {

/// The verbs that the program lists.
std::vector<std::string> verbs_of_help() {
  std::vector<std::string> verbs;
  std::istringstream lines(run("--help").out);
  bool listed = false;
  for (std::string line; std::getline(lines, line);) {
    if (line == "Verbs:") listed = true;
    if (!listed || !line.starts_with("  ") || line.size() < 3 || line[2] == ' ') continue;
    verbs.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  return verbs;
}

/// The calls under "Examples:".
std::vector<std::string> examples_of(const std::string& help) {
  std::vector<std::string> calls;
  std::istringstream lines(help);
  bool listed = false;
  for (std::string line; std::getline(lines, line);) {
    if (line == "Examples:") listed = true;
    if (listed && line.empty()) break;
    if (listed && line.starts_with("  ")) calls.push_back(line.substr(2));
  }
  return calls;
}

/// A heading, an option with its meaning in column 30 or on the next line, or a line of a meaning.
bool is_layout_of_help(const std::string& line) {
  constexpr std::size_t kColumn = 30;
  const std::size_t indent = line.find_first_not_of(' ');
  if (indent == std::string::npos || indent == 0 || indent == kColumn) return true;
  const bool alone = line.find("  ", 2) == std::string::npos;
  return indent == 2 && (alone || (line.size() > kColumn && line[kColumn - 1] == ' ' && line[kColumn] != ' '));
}

}  // namespace

TEST_CASE("every option of every verb has the same layout, in words", "[cli]") {
  const std::vector<std::string> verbs = verbs_of_help();
  REQUIRE(verbs.size() > 20);
  for (const std::string& verb : verbs) {
    const std::string help = run(verb + " --help").out;
    std::istringstream lines(help.substr(0, help.find("\nExamples:")));
    for (std::string line; std::getline(lines, line);) {
      INFO(verb << ": '" << line << "'");
      CHECK(line.size() <= 80);
      CHECK(is_layout_of_help(line));
      CHECK_FALSE(line.starts_with("-"));
      for (const char* of_the_parser : {"Excludes:", "Needs:", "INT in [", "FLOAT in [", ":{", "REQUIRED"})
        CHECK(line.find(of_the_parser) == std::string::npos);
    }
    std::istringstream all(help);
    for (std::string line; std::getline(all, line);) CHECK(line.size() <= 80);
  }
  const std::string verify = headrace::testing::unbroken(run("verify --help").out);
  CHECK(verify.find("; not with --path") != std::string::npos);
  CHECK(verify.find("; only with --site") != std::string::npos);
  CHECK(run("simulate --help").out.find("\n  --replay SEED:REPLICATION ") != std::string::npos);
}

TEST_CASE("the examples in the help of every verb run", "[cli][long_1]") {
  for (const std::string& verb : verbs_of_help()) {
    const Folder folder;
    folder.write("results.csv", file_text(HEADRACE_SOURCE_DIR "/tests/validation/data/mlperf_storage_results.csv"));
    folder.write("fio.json", file_text(HEADRACE_SOURCE_DIR "/tests/data/imports/fio_1m.json"));
    folder.write("unet3d.yaml", file_text(HEADRACE_SOURCE_DIR "/scenarios/workloads/unet3d_h100.yaml"));
    std::string steps = "step,step_time_s,load_wait_s\n";
    for (int i = 1; i <= 200; ++i) steps += std::to_string(i) + ",0.102,0\n";
    folder.write("steps.csv", steps);
    const std::vector<std::string> calls = examples_of(run(verb + " --help").out);
    INFO(verb);
    CHECK(!calls.empty());
    for (const std::string& call : calls) {
      INFO(call);
      REQUIRE(call.starts_with("headrace "));
      const std::string script =
          folder.write("call.sh", "cd '" + folder.path("") + "' && headrace() { '" HEADRACE_PROGRAM "' \"$@\"; } && " +
                                      call + " >out 2>err </dev/null\n");
      const int raw = std::system(("sh '" + script + "'").c_str());
      INFO(file_text(folder.path("err")));
      CHECK(WIFEXITED(raw));
      CHECK((WEXITSTATUS(raw) == 0 || WEXITSTATUS(raw) == 1 || WEXITSTATUS(raw) == 3));
      CHECK(file_text(folder.path("err")).find("error") == std::string::npos);
    }
  }
}
