// The document of `headrace tco --json`: what a cluster costs over years, beside doing nothing where that was asked.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "models/outcome/total_cost.hpp"
#include "scenarios/document/diagnostic.hpp"

namespace headrace::scenarios {

/// The present state, as a scenario, and what the change gains over it.
struct NothingDone {
  std::string title;
  std::string scenario_sha256;
  models::TotalCostAnswer answer;
  models::GainOverNothing gain;
};

struct TotalCostDocument {
  std::string kind = "total_cost";
  std::string format_version = "1.0";
  std::string model_version;
  std::string title;
  std::string scenario_sha256;
  std::string level;    ///< bound, estimate or simulated
  std::string verdict;  ///< of the outcome behind it
  models::TotalCostAnswer answer;
  std::optional<models::Confidence> confidence;  ///< in the outcome behind it
  std::string unpriced;                          ///< what has no price and counts as free; empty: nothing
  std::string unpriced_change;                   ///< what differs from doing nothing and has no price; empty: nothing
  std::string assumed;                           ///< of the horizon, because nobody stated it; empty: nothing
  std::optional<NothingDone> nothing;
};

void describe(NothingDone& n, models::Visitor& v);
void describe(TotalCostDocument& d, models::Visitor& v);

nlohmann::ordered_json total_cost_json(const TotalCostDocument& document);
tl::expected<TotalCostDocument, Diagnostics> read_total_cost(const std::string& name, const std::string& text);
nlohmann::ordered_json total_cost_schema();

/// A row per period, RFC 4180; dollars with cents.
std::string cash_flow_csv(const std::vector<models::CashFlow>& rows);

}  // namespace headrace::scenarios
