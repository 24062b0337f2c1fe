// Every shipped scenario through the program: validate, bound, simulate. And every command of docs/features.md.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"
#include "tests/golden.hpp"

namespace headrace {
namespace {

using testing::Run;

const std::string kSource = HEADRACE_SOURCE_DIR;

std::vector<std::string> shipped_scenarios() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kSource + "/scenarios/shipped")) {
    // Layers (storage-*) are no scenarios of their own.
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() == ".json" && name.rfind("storage-", 0) != 0) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string file_of(const std::string& name) { return "'" + kSource + "/scenarios/shipped/" + name + ".json'"; }

/// Rows that answer a claim: "| ST-01 | ...".
std::size_t feature_rows() {
  std::size_t rows = 0;
  std::istringstream page(testing::file_text(kSource + "/docs/features.md"));
  for (std::string line; std::getline(page, line);)
    rows += line.size() > 7 && line.rfind("| ", 0) == 0 && line[4] == '-' && line[7] == ' ' ? 1 : 0;
  return rows;
}

/// Of each row of a page that has a command, the text between the backticks behind "| ".
std::vector<std::string> commands_of(const std::string& page_name) {
  std::vector<std::string> commands;
  std::istringstream page(testing::file_text(kSource + "/docs/" + page_name));
  for (std::string line; std::getline(page, line);) {
    const std::size_t begin = line.find("| `headrace ");
    if (begin == std::string::npos) continue;
    const std::size_t end = line.find('`', begin + 3);
    commands.push_back(line.substr(begin + 12, end - begin - 12));
  }
  return commands;
}

}  // namespace

TEST_CASE("every shipped scenario validates, bounds and simulates", "[cli][long_4]") {
  const std::vector<std::string> names = shipped_scenarios();
  CHECK(names.size() >= 12);
  for (const std::string& name : names) {
    INFO(name);
    CHECK(testing::run("validate " + file_of(name)).status == 0);
    const Run bound = testing::run("bound --json " + file_of(name));
    INFO(bound.err);
    REQUIRE(bound.status == 0);
    const auto bound_step = nlohmann::json::parse(bound.out)["metrics"]["step_time_s"]["mean"].get<double>();
    CHECK(bound_step > 0.0);
    // Every node of 10,000 GPUs takes its time: those get the fewest steps that show that they run.
    const bool large = name == "imagenet-1250-nodes";
    const Run simulated = testing::run("simulate --json --no-relief --steps " + std::string(large ? "2 " : "200 ") +
                                       (large ? "--set /cluster/pools/0/cache/policy=none " : "") + file_of(name));
    INFO(simulated.err);
    REQUIRE((simulated.status == 0 || simulated.status == 3));
    const auto outcome = nlohmann::json::parse(simulated.out);
    CHECK(outcome["metrics"]["step_time_s"]["mean"].get<double>() > 0.0);
    CHECK(outcome["scenario_sha256"].get<std::string>().size() == 64);
  }
}

void check_commands(const std::vector<std::string>& commands) {
  for (const std::string& command : commands) {
    INFO(command);
    const Run run = testing::run(command, "cd '" + kSource + "/scenarios' &&");
    INFO(run.err);
    // 1 where it says why: it cannot run, or a plan finds nothing that is fed in 90 % of the ranges.
    const bool told = run.out.find("infeasible: this configuration cannot run") != std::string::npos ||
                      run.out.find("(exit status 1)") != std::string::npos;
    CHECK((run.status == 0 || run.status == 3 || (run.status == 1 && told)));
    CHECK(!run.out.empty());
  }
}

/// Every fourth command of docs/features.md.
void check_features(std::size_t first) {
  const std::vector<std::string> commands = commands_of("features.md");
  CHECK(commands.size() == feature_rows());
  CHECK(commands.size() >= 158);
  std::vector<std::string> quarter;
  for (std::size_t i = first; i < commands.size(); i += 4) quarter.push_back(commands[i]);
  check_commands(quarter);
}

TEST_CASE("every command of docs/features.md answers: first, fifth and so on", "[cli][long_1]") { check_features(0); }
TEST_CASE("every command of docs/features.md answers: second, sixth and so on", "[cli][long_2]") { check_features(1); }
TEST_CASE("every command of docs/features.md answers: third, seventh and so on", "[cli][long_3]") { check_features(2); }
TEST_CASE("every command of docs/features.md answers: fourth, eighth and so on", "[cli][long_4]") { check_features(3); }

TEST_CASE("every command of docs/claims.md answers", "[cli][long_3]") {
  const std::vector<std::string> commands = commands_of("claims.md");
  CHECK(commands.size() == 41);
  check_commands(commands);
}

TEST_CASE("every command of docs/questions.md answers", "[cli][long_2]") {
  const std::vector<std::string> commands = commands_of("questions.md");
  CHECK(commands.size() == 23);
  check_commands(commands);
}

}  // namespace headrace
