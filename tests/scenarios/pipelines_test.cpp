// The pipelines of docs/how-to/ci are files that a CI system can read.
#include <yaml-cpp/yaml.h>

#include <string>

#include "tests/catch.hpp"

namespace {

const std::string kFolder = HEADRACE_SOURCE_DIR "/docs/how-to/ci/";

}  // namespace

TEST_CASE("the GitHub workflow is YAML with the keys that Actions needs") {
  const YAML::Node workflow = YAML::LoadFile(kFolder + "github-actions.yml");
  CHECK(workflow["on"]["pull_request"].IsDefined());
  const YAML::Node gate = workflow["jobs"]["gate"];
  CHECK(gate["runs-on"].as<std::string>() == "ubuntu-24.04");
  REQUIRE(gate["steps"].IsSequence());
  std::size_t gates = 0;
  for (const YAML::Node& step : gate["steps"]) {
    CHECK((step["uses"].IsDefined() != step["run"].IsDefined()));
    if (step["run"] && step["run"].as<std::string>().find("headrace check") == 0) ++gates;
  }
  CHECK(gates == 3);
}

TEST_CASE("the action is YAML whose steps take every input from the environment") {
  const YAML::Node action = YAML::LoadFile(HEADRACE_SOURCE_DIR "/action.yml");
  CHECK(action["runs"]["using"].as<std::string>() == "composite");
  CHECK(action["inputs"]["scenarios"]["required"].as<bool>());
  std::string taken;
  for (const YAML::Node& step : action["runs"]["steps"]) {
    INFO(step["name"].as<std::string>());
    CHECK((step["uses"].IsDefined() != step["run"].IsDefined()));
    if (!step["run"]) continue;
    CHECK(step["shell"].as<std::string>() == "bash");
    // Expressions in a script would be code of whoever fills the input.
    CHECK(step["run"].as<std::string>().find("${{") == std::string::npos);
    for (const auto& variable : step["env"]) taken += variable.second.as<std::string>();
  }
  for (const auto& input : action["inputs"]) {
    INFO(input.first.as<std::string>());
    CHECK(taken.find("inputs." + input.first.as<std::string>() + " ") != std::string::npos);
  }
}

TEST_CASE("the hook of pre-commit runs the program that is installed") {
  const YAML::Node hooks = YAML::LoadFile(HEADRACE_SOURCE_DIR "/.pre-commit-hooks.yaml");
  REQUIRE(hooks.size() == 1);
  CHECK(hooks[0]["language"].as<std::string>() == "system");
  CHECK(hooks[0]["entry"].as<std::string>().find("headrace validate") != std::string::npos);
}

TEST_CASE("the GitLab jobs are YAML with scripts and a JUnit report") {
  const YAML::Node pipeline = YAML::LoadFile(kFolder + "gitlab-ci.yml");
  const YAML::Node gate = pipeline["headrace-gate"];
  CHECK(gate["script"][0].as<std::string>().find("headrace check") != std::string::npos);
  // Every variable has a value, and every one of them is used.
  const std::string script = gate["before_script"][0].as<std::string>() + gate["script"][0].as<std::string>();
  for (const auto& variable : pipeline["variables"]) {
    INFO(variable.first.as<std::string>());
    CHECK(script.find("$" + variable.first.as<std::string>()) != std::string::npos);
  }
  CHECK(gate["artifacts"]["when"].as<std::string>() == "always");
  CHECK(gate["artifacts"]["reports"]["junit"].as<std::string>() == "headrace/*.xml");
  CHECK(pipeline["headrace-nightly"]["extends"].as<std::string>() == "headrace-gate");
}
