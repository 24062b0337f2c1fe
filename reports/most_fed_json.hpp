// The most that a store and its fabric can feed, as the JSON document that programs read.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "models/outcome/confidence.hpp"
#include "scenarios/requirements/most_fed.hpp"

namespace headrace::reports {

inline constexpr std::string_view kMostFedKind = "most_fed";

/// `confidence`: in the scenario as it is. No clock, host or number of threads.
nlohmann::ordered_json most_fed_json(const scenarios::MostFed& found,
                                     const std::optional<models::Confidence>& confidence,
                                     const scenarios::LoadedScenario& loaded);
nlohmann::ordered_json most_fed_schema();

}  // namespace headrace::reports
