// Scenario files: models::Scenario from layered JSON. Load once with load_scenario; everything else that needs the list
// of parameters goes through describe_scenario.
#pragma once

#include <span>
#include <string>
#include <tl/expected.hpp>

#include "models/spec/scenario.hpp"
#include "scenarios/document/composition.hpp"

namespace headrace::scenarios {

using LoadedScenario = Loaded<models::Scenario>;

/// Layers the files, applies the overrides ("/jobs/0/loader/workers=16"), resolves and checks. All semantic complaints
/// come at once.
tl::expected<LoadedScenario, Diagnostics> load_scenario(std::span<const std::string> paths,
                                                        std::span<const std::string> overrides = {},
                                                        const LoadOptions& options = {});

/// Describes the scenario to any visitor; the one place where the description is compiled for scenarios/.
void describe_scenario(models::Scenario& scenario, models::Visitor& visitor);

/// Resolved JSON with units, and the fingerprint (`scenario_sha256`), of a scenario made in code.
nlohmann::ordered_json print_scenario(const models::Scenario& scenario);
std::string scenario_sha256(const models::Scenario& scenario);

/// JSON Schema of scenario files.
nlohmann::ordered_json scenario_schema();

}  // namespace headrace::scenarios
