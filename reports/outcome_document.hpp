// The document around an outcome: which versions gave it, and the scenario that it answers.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "models/outcome/outcome_description.hpp"
#include "reports/outcome_json.hpp"

namespace headrace::reports {

/// An outcome as its document holds it.
struct RecordedOutcome {
  models::Outcome outcome;
  std::string model_version;
  std::string catalogue_version;
  nlohmann::ordered_json scenario;  ///< resolved, as embedded
};

/// The document, by visitors of models/outcome/outcome_description.hpp that also know `json`: any value, kept as it is.
template <class V>
void describe_document(models::Outcome& outcome, std::string& model_version, std::string& catalogue_version,
                       nlohmann::ordered_json& scenario, V& v) {
  v.constant("format_version", kOutcomeFormatVersion);
  v.text("model_version", model_version, "changes whenever predicted numbers change");
  v.text("catalogue_version", catalogue_version, "date of the catalogue of hardware and prices");
  describe(outcome, v);
  v.json("scenario", scenario, "the resolved scenario, so that the result can be recomputed");
}

}  // namespace headrace::reports
