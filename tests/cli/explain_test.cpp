#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using headrace::testing::matches_golden;
using headrace::testing::run;

TEST_CASE("explain knows metrics, stages, states, verdicts and error codes", "[cli]") {
  CHECK(run("explain step_time_s").out.find("lower is better") != std::string::npos);
  CHECK(run("explain transfer").out.find("stage") != std::string::npos);
  CHECK(run("explain fed").out.find("verdict") != std::string::npos);
  CHECK(run("explain ingest_wait_peer").out.find("barrier") != std::string::npos);
  CHECK(run("explain E0203").out.find("unknown key") != std::string::npos);
  CHECK(run("explain verdict").out.find("inconclusive") != std::string::npos);
  CHECK(run("explain jobs/loader/workers").out.find("/jobs/*/loader/workers") != std::string::npos);
  const auto json = nlohmann::json::parse(run("explain step_time_s fed --json").out);
  CHECK(json["topics"].size() == 2);
  CHECK(json["topics"][0]["unit"] == "s");
}

TEST_CASE("the committed reference pages are what the program prints", "[golden]") {
  CHECK(matches_golden(run("explain --reference metrics").out, "docs/reference/metrics.md"));
  CHECK(matches_golden(run("explain --reference parameters").out, "docs/reference/parameters.md"));
  CHECK(matches_golden(run("explain --reference cli").out, "docs/reference/cli.md"));
}

TEST_CASE("the committed schemas are what the program prints", "[golden]") {
  CHECK(matches_golden(run("schema scenario").out, "schemas/scenario.schema.json"));
  CHECK(matches_golden(run("schema space").out, "schemas/space.schema.json"));
  CHECK(matches_golden(run("schema outcome").out, "schemas/outcome.schema.json"));
  CHECK(matches_golden(run("schema site").out, "schemas/site.schema.json"));
}
