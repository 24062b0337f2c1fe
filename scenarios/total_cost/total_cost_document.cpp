#include "scenarios/total_cost/total_cost_document.hpp"

#include <fmt/format.h>

#include "scenarios/document/described_document.hpp"

namespace headrace::scenarios {

void describe(NothingDone& n, models::Visitor& v) {
  v.text("title", n.title, {.meaning = "Title of the present state"});
  v.text("scenario_sha256", n.scenario_sha256, {.meaning = "Fingerprint of its scenario"});
  v.record("answer", n.answer, {.meaning = "What it costs over the same years"});
  v.record("gain", n.gain, {.meaning = "What the change gains over it"});
}

void describe(TotalCostDocument& d, models::Visitor& v) {
  v.text("kind", d.kind, {.meaning = "total_cost"});
  v.text("format_version", d.format_version, {.meaning = "Version of this format"});
  v.text("model_version", d.model_version, {.meaning = "Version of the models"});
  v.text("title", d.title, {.meaning = "Title of the scenario"});
  v.text("scenario_sha256", d.scenario_sha256, {.meaning = "Fingerprint of the scenario"});
  v.text("level", d.level, {.meaning = "How the outcome was found: bound, estimate or simulated"});
  v.text("verdict", d.verdict, {.meaning = "Verdict of the outcome"});
  v.record("answer", d.answer, {.meaning = "What the scenario costs"});
  v.optional_record("confidence", d.confidence, {.meaning = "How far the outcome behind it can be trusted"});
  v.text("unpriced", d.unpriced, {.meaning = "What has no price and counts as free"});
  v.text("unpriced_change", d.unpriced_change,
         {.meaning = "What differs from doing nothing and has no price, so that the gain is an upper limit"});
  v.text("assumed", d.assumed, {.meaning = "What is assumed of the horizon, because nobody stated it"});
  v.optional_record("nothing", d.nothing, {.meaning = "The present state, where it was given"});
}

nlohmann::ordered_json total_cost_json(const TotalCostDocument& document) { return print_document(document); }

tl::expected<TotalCostDocument, Diagnostics> read_total_cost(const std::string& name, const std::string& text) {
  constexpr DocumentFacts kFacts{"total_cost", "headrace tco --json"};
  auto document = read_document<TotalCostDocument>(name, text, kFacts);
  if (document && document->answer.cash_flow.empty())
    return tl::unexpected(incomplete_document(name, "answer", kFacts));
  return document;
}

nlohmann::ordered_json total_cost_schema() {
  return document_schema<TotalCostDocument>("https://headrace.dev/tco.schema.json", "Total cost of headrace tco");
}

std::string cash_flow_csv(const std::vector<models::CashFlow>& rows) {
  std::string text =
      "end_years,capital_usd,lease_usd,rent_usd,support_usd,energy_usd,space_usd,staff_usd,storage_usd,migration_usd,"
      "total_usd,present_value_usd,useful_gpu_hours\r\n";
  for (const models::CashFlow& row : rows)
    text +=
        fmt::format("{:.4g},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{:.1f}\r\n",
                    row.end_years, row.capital, row.lease, row.rent, row.support, row.energy, row.space, row.staff,
                    row.storage, row.migration, row.total, row.present_value, row.useful_gpu_hours);
  return text;
}

}  // namespace headrace::scenarios
