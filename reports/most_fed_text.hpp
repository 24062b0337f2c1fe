// The most that a store and its fabric can feed: for a terminal, and as the JSON document that programs read.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "reports/style.hpp"
#include "scenarios/requirements/most_fed.hpp"

namespace headrace::reports {

inline constexpr std::string_view kMostFedKind = "most_fed";

/// `confidence`: in the scenario as it is, null if it has none.
std::string most_fed_text(const scenarios::MostFed& found, const std::string& title,
                          const nlohmann::ordered_json& confidence, const Style& style);
nlohmann::ordered_json most_fed_json(const scenarios::MostFed& found, const nlohmann::ordered_json& confidence,
                                     const scenarios::LoadedScenario& loaded);

}  // namespace headrace::reports
