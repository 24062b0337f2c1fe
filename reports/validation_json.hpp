// Whether a scenario is valid, as the JSON document that programs read: its complaints, or its fingerprint and
// warnings. Other verbs refuse a file with the same complaints.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "scenarios/document/diagnostic.hpp"
#include "scenarios/document/scenario_file.hpp"

namespace headrace::reports {

/// {"diagnostics": [...]}, and how many "more" were only counted, if any.
nlohmann::ordered_json diagnostics_json(const scenarios::Diagnostics& diagnostics);
nlohmann::ordered_json validation_json(const tl::expected<scenarios::LoadedScenario, scenarios::Diagnostics>& loaded);
nlohmann::ordered_json validation_schema();

}  // namespace headrace::reports
