// The document of `headrace growth`, and the texts that are made from it: what is saved shows the same again.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "reports/style.hpp"
#include "scenarios/growth/growth.hpp"

namespace headrace::reports {

/// An answer as its document holds it.
struct RecordedGrowth {
  scenarios::GrowthAnswer answer;
  std::string model_version;
  std::string scenario_sha256;
  std::string title;
};

nlohmann::ordered_json growth_json(const RecordedGrowth& recorded);
/// By the present models.
nlohmann::ordered_json growth_json(const scenarios::GrowthAnswer& answer, const std::string& title,
                                   const std::string& scenario_sha256);
/// What the document lacks, or says in another form, keeps its default. Of purchases it has what the document says.
RecordedGrowth read_growth(const nlohmann::ordered_json& document);
nlohmann::ordered_json growth_schema();

/// The first screen; `all`: with every quarter and every shift.
std::string growth_text(const nlohmann::ordered_json& document, bool all, const Style& style);

/// Of the resource of a layer that is fullest when the layer is full, or at the end of the horizon if it never is.
inline const std::string kFullestHeading = "fullest then, or at end";
inline const std::string kFullestLaterHeading = "fullest (\u2192 later)";

/// Dollars with three digits: "$354 k", "-$10.1 M".
std::string round_usd(double usd);

/// "spine (a100 \u2192 h100)": the fullest resource today, and the one when the layer is full or at the end, where that
/// is another.
std::string fullest_text(const std::string& today, const std::string& later);

/// "+25 %": by how much of today's size one step makes the layer larger that it is bought for, which it names first.
std::string added_text(const models::GrowthPurchase& purchase);
/// "2 x file servers +25 %": so many steps of it; one has no number.
std::string bought_text(std::uint64_t steps, const models::GrowthPurchase& purchase);

/// "4 quarters before the stated need".
std::string moment_of(int shift);

/// What a way to buy costs until the horizon, in words.
struct GrowthCost {
  std::string what;
  std::string expected;   ///< average over the draws; empty in documents from before there was one
  std::string as_stated;  ///< with the inputs as stated
  std::string drawn;      ///< ends of 80 % of the draws; may be empty
};

/// Of buying nothing, and of buying as listed where anything is bought.
std::vector<GrowthCost> growth_costs(const nlohmann::ordered_json& document);

/// "cost, discounted at 8 % a year" of `cost`.
std::string cost_heading(const nlohmann::ordered_json& document, std::string_view cost);

/// What lack of space costs, where a store becomes full; else empty.
std::string capacity_sentence(const nlohmann::ordered_json& document);

/// Why buying nothing costs anything.
std::string why_nothing_costs(const nlohmann::ordered_json& document);

/// What the cost of buying as listed is made of, and by when it is paid back.
/// Empty where nothing is bought.
std::string buying_sentence(const nlohmann::ordered_json& document);

/// Why the orders stand where they do, and what they cost on the day of the need; empty where nothing is bought.
std::string moments_sentence(const nlohmann::ordered_json& document);

/// Busy share of every layer and quarter.
std::string growth_csv(const nlohmann::ordered_json& document);

}  // namespace headrace::reports
