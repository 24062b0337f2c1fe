#include "reports/sizing_text.hpp"

#include <nlohmann/json.hpp>

#include "models/sizing/sizing.hpp"
#include "reports/outcome_json.hpp"
#include "reports/outcome_schema.hpp"
#include "tests/catch.hpp"

using namespace headrace;
using PlainJson = nlohmann::ordered_json;

namespace {

const models::SizingDescription* figure_of(const models::SizingRoom& room, std::string_view name) {
  for (const models::SizingDescription& figure : room.figures)
    if (figure.name == name) return &figure;
  return nullptr;
}

/// Two figures of one room, one of another, and one that is missing.
models::Outcome with_sheet() {
  const auto* demand = figure_of(models::kDemandRoom, "demand_bits_per_s");
  const auto* egress = figure_of(models::kEgressRoom, "egress_pass_usd");
  const auto* wait = figure_of(models::kWorkersRoom, "sample_wait_s");
  const auto* index = figure_of(models::kListingRoom, "list_pages");
  models::Outcome outcome;
  outcome.stopped_by = "closed_form";
  outcome.sizing = models::SizingSheet{};
  outcome.sizing->figures = {
      {"demand", "train", demand, 26.4e12, {{"n", "/jobs/0/readers", 10000.0, ""}, {"T", "/jobs/0/step", 0.1, "s"}}},
      {"workers", "train", wait, 0.05, {}},
      {"egress", "train", egress, 45000.0, {{"p", "/stores/0/price/egress", 0.09e-9, "USD/B"}}}};
  outcome.sizing->missing = {{"listing", "train", index}};
  return outcome;
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("beside the bound stand the headlines of the sizing sheet alone") {
  const std::string text = reports::sizing_summary(with_sheet(), {});
  CHECK(holds(text, "demand  demand_bits_per_s  26.40 Tb/s"));
  CHECK(holds(text, "egress  egress_pass_usd       $45,000"));
  CHECK(!holds(text, "sample_wait_s"));
  CHECK(reports::sizing_summary(models::Outcome{}, {}).empty());
}

TEST_CASE("the sheet shows formula, inputs with their places, source, and what is missing") {
  const std::string text = reports::sizing_text(with_sheet(), "Title", {});
  CHECK(text.starts_with("Title\n"));
  CHECK(holds(text, "demand_bits_per_s = 26.40 Tb/s"));
  CHECK(holds(text, "8 n B S / T;"));
  CHECK(holds(text, "n = 10,000"));
  CHECK(holds(text, "(/jobs/0/readers)"));
  CHECK(holds(text, "T = 100.0 ms"));
  CHECK(holds(text, "p = $0.09/GB"));
  CHECK(holds(text, "source: conservation of flow"));
  CHECK(holds(text, "not without jobs/index: list_pages"));
  CHECK(!holds(text, "Job train"));  // a lone job needs no heading
  models::Outcome two = with_sheet();
  two.sizing->figures.back().job = "other";
  CHECK(holds(reports::sizing_text(two, "Title", {}), "Job other"));
  CHECK(holds(reports::sizing_summary(two, {}), "  job other\n  egress"));
}

TEST_CASE("the sheet in a document fits the schema") {
  const PlainJson json = reports::outcome_json(with_sheet(), {PlainJson::object(), ""});
  REQUIRE(json["sizing"].size() == 3);
  CHECK(json["sizing"][0]["name"] == "demand_bits_per_s");
  CHECK(json["sizing"][0]["inputs"][0]["from"] == "/jobs/0/readers");
  CHECK(json["sizing_missing"][0]["needs"] == "jobs/index");
  const PlainJson properties = reports::outcome_schema()["properties"];
  for (const char* list : {"sizing", "sizing_missing"})
    for (const PlainJson& entry : json[list])
      for (const PlainJson& key : properties[list]["items"]["required"]) CHECK(entry.contains(key.get<std::string>()));
  CHECK(!reports::outcome_json(models::Outcome{}, {PlainJson::object(), ""}).contains("sizing"));
}
