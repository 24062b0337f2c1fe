#include "reports/completed_outcome.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "reports/known_evidence.hpp"
#include "reports/next_changes.hpp"
#include "reports/outcome_json.hpp"
#include "scenarios/document/implausible.hpp"

namespace headrace::reports {

models::Confidence complete_outcome(models::Outcome& outcome, const scenarios::LoadedScenario& loaded) {
  outcome.scenario_sha256 = loaded.sha256;
  const models::Confidence confidence = add_known_evidence(outcome, loaded);
  add_next_changes(outcome, loaded);
  return confidence;
}

std::vector<models::Warning> implausible_warnings(const scenarios::LoadedScenario& loaded) {
  std::vector<models::Warning> warnings;
  for (const scenarios::ImplausibleValue& value : scenarios::implausible_values(loaded.value, loaded.composition))
    warnings.emplace_back(value.seen, value.place, value.fix);
  return warnings;
}

nlohmann::ordered_json completed_outcome_json(models::Outcome outcome, const scenarios::LoadedScenario& loaded,
                                              const models::Confidence& confidence) {
  for (models::Warning& warning : implausible_warnings(loaded)) outcome.warnings.push_back(std::move(warning));
  return outcome_json(outcome, {loaded.resolved, loaded.composition.catalogue_version, confidence});
}

}  // namespace headrace::reports
