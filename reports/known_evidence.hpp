// What only the files of a scenario tell about the confidence in its outcome, and that confidence.
#pragma once

#include <optional>
#include <string>

#include "models/outcome/outcome.hpp"
#include "scenarios/document/scenario_file.hpp"

namespace headrace::reports {

/// Adds layers that were verified on their machine (headrace verify), and the assumed figure that limits the outcome.
/// Returns how far a scenario's answer can be trusted: every verb that has the same verdict of it says the same,
/// because the queueing estimate is judged, whatever level the verb answers at. Where the estimate has another verdict,
/// or none, and of a bound that finds no bottleneck, the outcome itself is judged.
models::Confidence add_known_evidence(models::Outcome& outcome, const scenarios::LoadedScenario& loaded);

/// The same by the estimate alone, of a scenario without an outcome: many jobs that run beside each other, or one of
/// which only the verdict is known. Nothing where the estimate has no answer, or the other verdict.
std::optional<models::Confidence> confidence_of_scenario(const scenarios::LoadedScenario& loaded,
                                                         std::optional<models::Verdict> verdict = std::nullopt);

/// Of an estimate of a scenario that came from the loaded one. `assumed` says what the answer hangs on that nobody has
/// measured; empty: nothing.
models::Confidence confidence_of_estimate(models::Outcome estimate, const models::Scenario& scenario,
                                          std::string assumed, const scenarios::LoadedScenario& loaded);

}  // namespace headrace::reports
