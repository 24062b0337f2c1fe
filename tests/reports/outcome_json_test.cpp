#include "reports/outcome_json.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/reports/sample_outcome.hpp"

using namespace headrace;
using PlainJson = nlohmann::ordered_json;

namespace {
const PlainJson kScenario{{"title", "t"}};
}

TEST_CASE("the outcome document has the fixed names in the fixed order") {
  const PlainJson json = reports::outcome_json(reports::testing::sample_outcome(), {kScenario, "2026-11-20"});
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  CHECK(keys == std::vector<std::string>{"format_version",  "model_version", "catalogue_version",
                                         "scenario_sha256", "seed",          "verdict",
                                         "binding",         "stopped_by",    "steps",
                                         "precision",       "metrics",       "gpu_states",
                                         "blame",           "relief",        "stations",
                                         "windows",         "rare_stalls",   "replications",
                                         "ledger",          "jobs",          "confidence",
                                         "evidence",        "inputs",        "first_remedy",
                                         "warnings",        "scenario"});
  CHECK(json["format_version"] == "1.0");
  CHECK(json["model_version"] == "2026.5");
  CHECK(json["verdict"] == "ingest_bound");
  CHECK(json["binding"] == "transfer");
  CHECK(json["scenario"]["title"] == "t");
}

TEST_CASE("a metric carries mean, interval, unit and kind") {
  const PlainJson metrics = reports::outcome_json(reports::testing::sample_outcome(), {kScenario, ""})["metrics"];
  CHECK(metrics["step_time_s"].dump() == R"({"mean":0.3415,"ci95":[0.3405,0.3425],"unit":"s","kind":"simulated"})");
  CHECK(metrics["gpu_utilization"]["input_range"].dump() == "[0.9,0.97]");
  CHECK(metrics["ingest_bytes_per_s"].dump() == R"({"mean":25000000000.0,"ci95":null,"unit":"B/s","kind":"bound"})");
  CHECK(metrics["batch_load_time_s"]["p999"] == 2.0);
  CHECK(metrics["batch_load_time_s"]["mean"] == 0.75);
}

TEST_CASE("blame tells queueing from service, relief does not") {
  const PlainJson json = reports::outcome_json(reports::testing::sample_outcome(), {kScenario, ""});
  CHECK(json["blame"]["transfer"]["queueing"] == 0.012);
  CHECK(json["blame"]["transfer"]["service"].get<double>() == Approx(0.004));
  CHECK_FALSE(json["relief"]["transfer"].contains("queueing"));
}

TEST_CASE("no binding stage reads null") {
  models::Outcome outcome = reports::testing::sample_outcome();
  outcome.binding.reset();
  CHECK(reports::outcome_json(outcome, {kScenario, ""})["binding"].is_null());
}

TEST_CASE("numbers survive the way through text, what is no number becomes null") {
  CHECK(reports::json_text(PlainJson{{"x", 0.1}, {"y", 1.0 / 3.0}}) ==
        "{\n  \"x\": 0.1,\n  \"y\": 0.3333333333333333\n}\n");
  CHECK(reports::json_text(PlainJson{{"x", std::numeric_limits<double>::infinity()}}) == "{\n  \"x\": null\n}\n");
}
