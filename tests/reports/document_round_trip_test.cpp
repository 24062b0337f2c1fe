// Documents that are read back and written again: the same bytes.
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "reports/backtest_json.hpp"
#include "reports/campaign_json.hpp"
#include "reports/document_schema.hpp"
#include "reports/export/document_page.hpp"
#include "reports/gate_json.hpp"
#include "reports/growth_json.hpp"
#include "reports/most_fed_json.hpp"
#include "reports/outcome_json.hpp"
#include "reports/plan_json.hpp"
#include "reports/requirements_json.hpp"
#include "reports/sweep_json.hpp"
#include "reports/verification_json.hpp"
#include "tests/catch.hpp"
#include "tests/golden.hpp"
#include "tests/reports/sample_documents.hpp"

namespace headrace::reports {
namespace {

nlohmann::ordered_json saved(const std::string& name) {
  return nlohmann::ordered_json::parse(
      headrace::testing::file_text(HEADRACE_SOURCE_DIR "/tests/data/documents/" + name + ".json"));
}

/// Every key of an object is one of its schema, and every required one is there.
void check_keys(const nlohmann::ordered_json& value, const nlohmann::ordered_json& schema,
                const nlohmann::ordered_json& whole, const std::string& where) {
  CAPTURE(where);
  if (schema.contains("anyOf")) {
    if (!value.is_null()) check_keys(value, schema["anyOf"][0], whole, where);
    return;
  }
  if (schema.contains("$ref")) {
    const std::string name = schema["$ref"].get<std::string>().substr(std::string("#/$defs/").size());
    check_keys(value, whole.at("$defs").at(name), whole, where);
    return;
  }
  if (value.is_array() && schema.contains("items"))
    for (std::size_t i = 0; i < value.size(); ++i)
      check_keys(value[i], schema["items"], whole, where + "/" + std::to_string(i));
  if (!value.is_object() || !schema.contains("properties")) return;
  for (const auto& [key, member] : value.items()) {
    CAPTURE(key);
    REQUIRE(schema["properties"].contains(key));
    check_keys(member, schema["properties"][key], whole, where + "/" + key);
  }
  if (!schema.contains("required")) return;  // of a map
  for (const auto& key : schema["required"]) CHECK(value.contains(key.get<std::string>()));
}

}  // namespace

TEST_CASE("A campaign that is read back is written with the same bytes, and as its schema says") {
  const nlohmann::ordered_json document = saved("campaign");
  const auto recorded = read_recorded<models::CampaignOutcome>(document);
  CHECK(recorded.outcome.replications > 0);
  CHECK_FALSE(recorded.outcome.losses.empty());
  CHECK(json_text(recorded_json(recorded)) == json_text(document));
  check_keys(document, campaign_schema(), campaign_schema(), "");
}

TEST_CASE("A campaign of many jobs that is read back is written with the same bytes") {
  RecordedCampaign<models::FleetOutcome> fleet;
  models::FleetOutcome& outcome = fleet.outcome;
  fleet.model_version = "2026.5";
  fleet.scenario = {{"title", "two pools"}};
  outcome.replications = 3;
  outcome.steady = models::AnswerKind::bound;
  outcome.goodput = {0.75, models::Interval{0.5, 1.0}};
  models::FleetClassOutcome one;
  one.name = "train";
  one.priority = 2;
  one.wait.mean_s = models::CampaignFigure{12.5, {}};
  one.losses = {{models::LossCause::preempted, {2.0, {}}, 0.25}};
  outcome.classes = {one};
  outcome.pools = {{"pool", 4.0, 32.0, {0.5, {}}, {0.25, {}}, {0.25, {}}}};
  outcome.ledger = {{"gpu hours", 2.0, "h", 4.0, true}};
  outcome.warnings = {{"seen", "cause", "fix"}};
  const nlohmann::ordered_json document = recorded_json(fleet);
  CHECK(document["classes"][0]["losses"][0]["cause"] == "preempted");
  CHECK(json_text(recorded_json(read_recorded<models::FleetOutcome>(document))) == json_text(document));
  check_keys(document, fleet_schema(), fleet_schema(), "");
}

TEST_CASE("Growth that is read back is written with the same bytes, and as its schema says") {
  const nlohmann::ordered_json document = saved("growth");
  const RecordedGrowth recorded = read_growth(document);
  CHECK_FALSE(recorded.answer.layers.empty());
  CHECK(json_text(growth_json(recorded)) == json_text(document));
  check_keys(document, growth_schema(), growth_schema(), "");
}

TEST_CASE("Requirements that are read back are written with the same bytes, and as their schema says") {
  nlohmann::ordered_json document = saved("requirements");
  nlohmann::ordered_json& workload = document["workload"];  // a quotient, of which the saved file has fewer digits
  workload["request_bytes"] =
      workload["read_bytes_per_s"].get<double>() / workload["read_requests_per_s"].get<double>();
  const RecordedRequirements recorded = read_requirements(document);
  CHECK(recorded.found.any_required());
  CHECK(json_text(requirements_json(recorded)) == json_text(document));
  check_keys(document, requirements_schema(), requirements_schema(), "");
  document["possible"] = false;
  document["ample_waits"] = "decode";
  document["together"] = nullptr;
  document["limits"][0].erase("with_ample");
  CHECK(json_text(requirements_json(read_requirements(document))) == json_text(document));
}

TEST_CASE("A check, a comparison and a backtest that are read back are written with the same bytes") {
  const auto again = [](const nlohmann::ordered_json& document, const nlohmann::ordered_json& written,
                        const nlohmann::ordered_json& schema) {
    CHECK(json_text(written) == json_text(document));
    check_keys(document, schema, schema, "");
    CHECK_FALSE(fault_of(document));
  };
  nlohmann::ordered_json check = saved("check");
  CHECK(read_check(check).inputs->failing.size() == 2);
  CHECK(read_check(check).baseline->regressions.size() == 3);
  again(check, check_json(read_check(check)), check_schema());
  check.erase("inputs");
  check.erase("baseline");
  again(check, check_json(read_check(check)), check_schema());

  nlohmann::ordered_json comparison = saved("compare");
  CHECK(read_comparison(comparison).parts.size() == 3);
  CHECK(read_comparison(comparison).a.is_result);
  CHECK(read_comparison(comparison).differences.front().ci);
  again(comparison, comparison_json(read_comparison(comparison)), comparison_schema());
  comparison["gained_epochs"] = comparison["seed"] = nullptr;  // of saved results
  comparison["parts"] = nlohmann::ordered_json::object();
  again(comparison, comparison_json(read_comparison(comparison)), comparison_schema());

  nlohmann::ordered_json backtest = testing::sample_backtest_document();
  CHECK(read_backtest(backtest).runs.size() == 5);
  again(backtest, backtest_json(read_backtest(backtest)), backtest_schema());
  backtest["summary"]["au"]["count"] = 0;  // then nothing is known of its errors
  for (auto& [key, value] : backtest["summary"]["au"].items())
    if (key != "count" && key != "unit") value = nullptr;
  again(backtest, backtest_json(read_backtest(backtest)), backtest_schema());
}

TEST_CASE("A check, a comparison or a backtest that is not as its schema says is told with the place") {
  const auto fault = [](nlohmann::ordered_json document, const char* around, const char* key,
                        const std::optional<nlohmann::ordered_json>& value) {
    nlohmann::ordered_json& object = document[nlohmann::ordered_json::json_pointer(around)];
    REQUIRE(object.contains(key));
    if (value)
      object[key] = *value;
    else
      object.erase(key);
    const auto found = fault_of(document);
    return found ? found->pointer + ": " + found->what : std::string("nothing");
  };
  const auto check = saved("check");
  const auto comparison = saved("compare");
  const auto backtest = testing::sample_backtest_document();
  CHECK(fault(check, "", "headline", {}) == ": \"headline\" is missing");
  CHECK(fault(check, "/thresholds/0", "decision", {}) == "/thresholds/0: \"decision\" is missing");
  CHECK(fault(check, "/thresholds/0", "limit", "x") == "/thresholds/0/limit: this is not a number or null");
  CHECK(fault(check, "/inputs", "share", nlohmann::ordered_json::array({0.5})) ==
        "/inputs/share: 2 values are wanted, here are 1");
  CHECK(fault(check, "", "baseline", {}) == "nothing");
  CHECK(fault(comparison, "/differences/0", "metric", {}) == "/differences/0: \"metric\" is missing");
  CHECK(fault(comparison, "/differences/0/difference", "ci", "x") ==
        "/differences/0/difference/ci: this is not an array");
  CHECK(fault(comparison, "/parts/model", "note", {}) == "/parts/model: \"note\" is missing");
  CHECK(fault(comparison, "/b", "verdict", "good").starts_with("/b/verdict: \"good\" is none of [\"fed\","));
  CHECK(fault(comparison, "", "format_version", "2.0") == "/format_version: \"2.0\" is not \"1.0\"");
  CHECK(fault(backtest, "/rows/1/predicted", "au_percent", {}) == "/rows/1/predicted: \"au_percent\" is missing");
  CHECK(fault(backtest, "/rows/1", "hosts", -1) == "/rows/1/hosts: -1 is less than 0");
}

TEST_CASE("A verification that is read back is written with the same bytes: of a pipeline, a loader and a job") {
  using namespace models::verification;
  const auto again = [](const RecordedVerification& recorded) {
    const nlohmann::ordered_json document = verification_json(recorded);
    CHECK(json_text(verification_json(read_verification(document))) == json_text(document));
    check_keys(document, verification_schema(), verification_schema(), "");
    CHECK_FALSE(fault_of(document));
    return document;
  };
  RecordedVerification recorded{testing::sample_verification()};
  CHECK(again(recorded)["points"][0]["measured"].contains("blame"));
  recorded.verification.loader = "torch";
  recorded.verification.loader_version = "torch 2.4";
  VerifiedGroup group;
  group.name = "sleeps";
  group.bars.idle_points = std::nullopt;
  recorded.verification.groups = {group};
  const nlohmann::ordered_json torch = again(recorded);
  CHECK_FALSE(torch["points"][0]["measured"].contains("blame"));
  CHECK(torch["groups"][0]["bar"]["idle_points"].is_null());
  const nlohmann::ordered_json document = again(measured_job("a job", recorded.verification.points.front()));
  CHECK(document.size() == 2);
  CHECK(document["points"][0]["title"] == "a job");
  CHECK(read_verification(document).job == "a job");
}

TEST_CASE("A sweep is written as its schema says, ranked or not, as a whole or in part") {
  RecordedSweep sweep{"small", "r.db", "00ff", {6, 3, 1, 1, "", true}};
  const auto check = [&sweep] {
    const nlohmann::ordered_json document = sweep_json(sweep);
    check_keys(document, sweep_schema(), sweep_schema(), "");
    CHECK(document["left"] == 1);
    return document;
  };
  CHECK_FALSE(check().contains("ranking"));
  sweep.ranking = SweepRanking{"step_time_s", 0.01, 2, 8, 1};
  sweep.ranking->places = {{{"point", 3}, {"place", 1}}};
  CHECK_FALSE(check()["ranking"].contains("shard"));
  sweep.ranking->shard = "1/4";
  CHECK(check()["ranking"]["shard"] == "1/4");
}

TEST_CASE("A plan is written as its schema says, whatever it left out") {
  scenarios::Plan plan = testing::sample_plan();
  const auto check = [&plan] { check_keys(plan_json(plan, "00ff"), plan_schema(), plan_schema(), ""); };
  CHECK(testing::sample_plan_document()["search"]["proof"] == "flow_bounds");
  check();
  plan.total_cost = true;
  plan.horizon = models::HorizonCost{3.0, 0.08, 1e6, 2.5};
  plan.sampled = scenarios::SampledRuns{50, 1250, 80, scenarios::PlanFigure{0.001, models::Interval{-0.001, 0.003}}};
  plan.recommended->jobs = {{"train", 0.1, 500.0, 0.01, 0.99}};
  plan.recommended->room.rack_units = 42.0;
  const nlohmann::ordered_json document = plan_json(plan, "00ff");
  CHECK(document["recommended"]["metrics"].contains("total_cost_per_epoch_usd"));
  CHECK(document["recommended"]["jobs"][0]["goodput_fraction"] == 0.99);
  CHECK(document["search"]["sampled"]["difference"]["ci95"][1] == 0.003);
  CHECK(document["horizon"]["today"].is_null());
  check();
  plan = {};
  check();
}

TEST_CASE("The most that can be fed is written as its schema says, whether the search found it or not") {
  scenarios::LoadedScenario loaded;
  loaded.resolved = nlohmann::ordered_json::object();
  scenarios::MostFed found;
  found.limit_texts = {"GPUs idle <= 1 %"};
  found.at_most.limits = {{}};
  for (const auto& [none, open] : {std::pair(false, false), std::pair(true, false), std::pair(false, true)}) {
    found.none = none;
    found.open = open;
    const nlohmann::ordered_json document = most_fed_json(found, std::nullopt, loaded);
    check_keys(document, most_fed_schema(), most_fed_schema(), "");
    CHECK(document["most"].is_null() == none);
    CHECK(document["stopped_by"].is_null() == open);
  }
}

}  // namespace headrace::reports
