// What is read back and written again is the same to the byte, for outcomes of every kind.
#include <limits>
#include <nlohmann/json.hpp>

#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/outcome/ledger_item.hpp"
#include "models/sizing/sizing.hpp"
#include "models/study/comparison.hpp"
#include "models/study/input_study.hpp"
#include "models/study/study.hpp"
#include "reports/outcome_json.hpp"
#include "reports/outcome_reader.hpp"
#include "reports/results_export.hpp"
#include "scenarios/document/embedded_texts.hpp"
#include "scenarios/document/scenario_file.hpp"
#include "tests/catch.hpp"
#include "tests/reports/sample_outcome.hpp"

using namespace headrace;
using PlainJson = nlohmann::ordered_json;

namespace {

/// As a file holds it.
PlainJson saved(const models::Outcome& outcome, const PlainJson& scenario) {
  return PlainJson::parse(reports::json_text(reports::outcome_json(outcome, {scenario, "2026-11-20"})));
}

void comes_back(const models::Outcome& outcome, const PlainJson& scenario) {
  const std::string text = reports::json_text(reports::outcome_json(outcome, {scenario, "2026-11-20"}));
  const auto recorded = reports::read_outcome(PlainJson::parse(text));
  REQUIRE(recorded);
  CHECK(reports::json_text(
            reports::outcome_json(recorded->outcome, {recorded->scenario, recorded->catalogue_version})) == text);
  // As a store of results keeps it.
  const std::string stored = reports::stored_outcome(outcome, "2026-11-20");
  CHECK(reports::stored_outcome(reports::outcome_of(PlainJson::parse(stored)), "2026-11-20") == stored);
  // What a document does not say is known from the items.
  REQUIRE(recorded->outcome.ledger.size() == outcome.ledger.size());
  for (std::size_t i = 0; i < outcome.ledger.size(); ++i) {
    INFO(outcome.ledger[i].item);
    CHECK(recorded->outcome.ledger[i].by_time == outcome.ledger[i].by_time);
  }
}

scenarios::LoadedScenario load(const std::string& name, const std::vector<std::string>& sets = {}) {
  const std::vector<std::string> names = {name};
  auto loaded = scenarios::load_scenario(names, sets);
  REQUIRE(loaded);
  return std::move(*loaded);
}

models::StudyOptions short_run() {
  models::StudyOptions options;
  options.steps = 64;
  options.threads = 2;
  return options;
}

}  // namespace

TEST_CASE("bounds, estimates and sizing sheets of every shipped scenario are read back to the byte", "[long_4]") {
  for (const scenarios::EmbeddedText& shipped : scenarios::embedded_scenarios()) {
    INFO(shipped.name);
    const std::vector<std::string> names = {std::string(shipped.name)};
    const auto loaded = scenarios::load_scenario(names);
    if (!loaded) continue;  // a layer of others
    models::Outcome bound = models::flow_bound(loaded->value);
    bound.sizing = models::sizing_sheet(loaded->value);
    comes_back(bound, loaded->resolved);
    comes_back(models::queueing_estimate(loaded->value, 1), loaded->resolved);
  }
}

TEST_CASE("simulated outcomes are read back to the byte", "[long_2]") {
  for (const char* name : {"unet3d-h100", "shared-store", "fine-tuning-fleet", "elastic-store", "protected-training",
                           "image-node", "object-store-start", "packed-documents", "streaming-source", "age-tiers"}) {
    INFO(name);
    const scenarios::LoadedScenario loaded = load(name);
    comes_back(models::simulate(loaded.value, short_run()), loaded.resolved);
  }
}

TEST_CASE("outcomes over the ranges of inputs are read back to the byte") {
  const scenarios::LoadedScenario loaded = load("image-node");
  const auto inputs = models::uncertain_inputs(loaded.value);
  comes_back(models::flow_bound_over(loaded.value, inputs, 1), loaded.resolved);
  comes_back(models::simulate_over(loaded.value, inputs, short_run()), loaded.resolved);
}

TEST_CASE("a saved outcome keeps control variates, stalls, states and the precision that was reached") {
  const models::Outcome outcome = reports::testing::sample_outcome();
  comes_back(outcome, PlainJson{{"title", "sample"}});
  const models::Outcome read = reports::outcome_of(saved(outcome, PlainJson::object()));
  REQUIRE(read.windows.size() == 2);
  CHECK(read.windows[0].control == "applied");
  CHECK(read.windows[0].variance_cut == 3.24);
  CHECK(read.windows[1].control == "not needed");
  REQUIRE(read.rare_stalls.size() == 1);
  CHECK(read.rare_stalls[0].delay_ci95->high == 30.6);
  CHECK(read.gpu_states.size() == outcome.gpu_states.size());
  REQUIRE(read.precision);
  CHECK(read.precision->reached == outcome.precision->reached);
  CHECK(read.precision->enough_data);
  CHECK(read.evidence.measured.size() == 1);
  CHECK(read.stations[1].capacity == outcome.stations[1].capacity);
}

TEST_CASE("an epoch of saved outcomes costs per hour what it does live") {
  // Energy in kWh and moves in bytes grow with time, too.
  const scenarios::LoadedScenario before = load("age-tiers");
  models::Comparison live;
  live.before = models::flow_bound(before.value);
  live.after = live.before;
  for (models::LedgerLine& line : live.after.ledger) line.usd *= line.by_time ? 0.5 : 1.0;
  models::PairedDifference time;
  time.metric = "epoch_time_s";
  time.before = live.before.find("epoch_time_s")->mean;
  time.after = 0.5 * time.before;
  live.differences = {time};
  models::Comparison recorded = live;
  recorded.before = reports::outcome_of(saved(live.before, before.resolved));
  recorded.after = reports::outcome_of(saved(live.after, before.resolved));
  const auto expected = models::gained_epochs(live);
  const auto found = models::gained_epochs(recorded);
  REQUIRE(expected);
  REQUIRE(found);
  CHECK(found->before_usd_per_hour == expected->before_usd_per_hour);
  CHECK(found->usd_per_epoch == expected->usd_per_epoch);
}

TEST_CASE("numbers that JSON cannot hold are null again") {
  models::Outcome outcome = reports::testing::sample_outcome();
  outcome.stations[0].capacity = std::numeric_limits<double>::infinity();
  outcome.metrics[0].ci95 = models::Interval{-std::numeric_limits<double>::infinity(), 1.0};
  comes_back(outcome, PlainJson::object());
}

TEST_CASE("lines of an older document that are counted in hours and months grow with time") {
  CHECK(models::grows_with_time({"racks", 1.0, "h", 1.0}));
  CHECK_FALSE(models::grows_with_time({"pigeons", 1.0, "flights", 1.0}));
  CHECK(models::grows_with_time({"energy of owned machines", 1.0, "kWh", 1.0}));
}
