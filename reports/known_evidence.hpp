// What only the files of a scenario tell about the confidence in its outcome, and that confidence.
#pragma once

#include <optional>

#include "models/outcome/outcome.hpp"
#include "scenarios/document/scenario_file.hpp"

namespace headrace::reports {

/// Adds layers that were verified on their machine (headrace verify), and the assumed figure that limits the outcome.
/// Returns how far a scenario's answer can be trusted: every verb that has the same verdict of it says the same,
/// because the queueing estimate is judged, whatever level the verb answers at. Where the estimate has another verdict,
/// or none, and of a bound that finds no bottleneck, the outcome itself is judged.
models::Confidence add_known_evidence(models::Outcome& outcome, const scenarios::LoadedScenario& loaded);

/// The same of the speeds that many jobs have beside each other, by the estimate of all of them; nothing where that has
/// no answer.
std::optional<models::Confidence> confidence_of_jobs(const scenarios::LoadedScenario& loaded);

/// The same of a scenario of which only the verdict is known; nothing where the estimate has the other verdict.
std::optional<models::Confidence> confidence_of_scenario(const scenarios::LoadedScenario& loaded,
                                                         models::Verdict verdict);

}  // namespace headrace::reports
