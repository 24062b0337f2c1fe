// The closed form of a scenario as a page asks for it while a slider moves: compiled into the program and, as
// WebAssembly, into the page, so that both give the same answer.
#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/outcome/outcome.hpp"
#include "scenarios/document/scenario_file.hpp"

namespace headrace::reports {

/// A resolved scenario as its document holds it, with values set.
tl::expected<scenarios::LoadedScenario, scenarios::Diagnostics> load_resolved(
    const std::string& document, const std::vector<std::string>& changes = {});

/// Its flow bound; nothing where the scenario is refused or has none.
std::optional<models::Outcome> bound_of_resolved(const std::string& document,
                                                 const std::vector<std::string>& changes = {});

/// JSON: verdict, metrics and resources of the flow bound of a resolved scenario with values set
/// ("/jobs/0/loader/workers=8"), each number with its text; or {"error", "help"} where it is refused.
std::string live_answer(const std::string& document, const std::vector<std::string>& changes);

}  // namespace headrace::reports
