// The most that a store and its fabric can feed, for a terminal.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "reports/style.hpp"
#include "scenarios/requirements/most_fed.hpp"

namespace headrace::reports {

/// `confidence`: in the scenario as it is, null if it has none.
std::string most_fed_text(const scenarios::MostFed& found, const std::string& title,
                          const nlohmann::ordered_json& confidence, const Style& style);

}  // namespace headrace::reports
