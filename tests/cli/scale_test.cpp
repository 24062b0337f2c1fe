// Whether all nodes of a job are simulated, or some that stand for all.
#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using headrace::testing::Run;
using headrace::testing::run;

TEST_CASE("a job that a sample does not stand for is simulated whole, and says why", "[cli]") {
  const std::string ask = "simulate image-node --no-relief --json --steps 1024";
  const Run full = run(ask);
  const Run sampled = run(ask + " --scale sampled");
  INFO(sampled.err);
  REQUIRE(sampled.status == 0);
  const auto all = nlohmann::json::parse(full.out);
  const auto some = nlohmann::json::parse(sampled.out);
  CHECK(some["metrics"] == all["metrics"]);
  CHECK(sampled.out.find("every node was simulated") != std::string::npos);
  CHECK(full.out.find("every node was simulated") == std::string::npos);
  CHECK(run(ask + " --scale auto").out == full.out);
  CHECK(run(ask + " --scale full").out == full.out);
}

TEST_CASE("a scale that is none is refused", "[cli]") {
  const Run wrong = run("simulate image-node --scale some");
  CHECK(wrong.status == 2);
  CHECK(wrong.err.find("'some' is none of full, sampled, auto") != std::string::npos);
}
