// An outcome with what only the files of its scenario tell, and the document of the two together: the command line and
// the library print the same bytes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "models/outcome/outcome.hpp"
#include "scenarios/document/scenario_file.hpp"

namespace headrace::reports {

/// Adds fingerprint, known evidence and the first remedy; returns how far the outcome can be trusted.
models::Confidence complete_outcome(models::Outcome& outcome, const scenarios::LoadedScenario& loaded);

/// Values that the user states outside their plausible ranges.
std::vector<models::Warning> implausible_warnings(const scenarios::LoadedScenario& loaded);

/// The document of a completed outcome, with those warnings.
nlohmann::ordered_json completed_outcome_json(models::Outcome outcome, const scenarios::LoadedScenario& loaded,
                                              const models::Confidence& confidence);

}  // namespace headrace::reports
