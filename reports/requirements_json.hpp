// What a store must deliver, as the JSON document that programs and tenders read.
#pragma once

#include <nlohmann/json.hpp>

#include "scenarios/requirements/requirements.hpp"

namespace headrace::reports {

inline constexpr std::string_view kRequirementsKind = "requirements";

/// SI units throughout; what is not known is null. No clock, host or number of threads.
nlohmann::ordered_json requirements_json(const scenarios::Requirements& found, const scenarios::LoadedScenario& loaded);

/// The limits, one object each, with what `standing` says about them.
nlohmann::ordered_json limits_json(const std::vector<scenarios::JobLimit>& limits, const models::Scenario& scenario,
                                   const scenarios::Standing& standing);
/// What runs at a point say about each limit.
nlohmann::ordered_json standing_json(const scenarios::Standing& standing);
/// What the jobs ask of the store.
nlohmann::ordered_json profile_json(const scenarios::WorkloadProfile& profile);

}  // namespace headrace::reports
