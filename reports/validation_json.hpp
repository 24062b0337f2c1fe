// Whether a scenario is valid, as the JSON document that programs read: its complaints, or its fingerprint and
// warnings.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "scenarios/document/scenario_file.hpp"

namespace headrace::reports {

nlohmann::ordered_json validation_json(const tl::expected<scenarios::LoadedScenario, scenarios::Diagnostics>& loaded);

}  // namespace headrace::reports
