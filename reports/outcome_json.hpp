// An outcome as the JSON document that programs read: names fixed by schemas/outcome.schema.json, no clock, date or
// host.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "models/outcome/outcome.hpp"

namespace headrace::reports {

inline constexpr std::string_view kOutcomeFormatVersion = "1.0";

/// What an outcome answers; embedded, so that an old result can be recomputed.
struct Provenance {
  const nlohmann::ordered_json& scenario;                       ///< resolved, catalogue figures in place
  std::string catalogue_version;                                ///< date of the catalogue that the program carries
  std::optional<models::Confidence> confidence = std::nullopt;  ///< nothing: as the outcome alone tells it
};

/// The document of one outcome. Key order is fixed; equal outcomes give equal documents.
nlohmann::ordered_json outcome_json(const models::Outcome& outcome, const Provenance& provenance);

/// How far a result can be trusted, as the outcome's document says it under "confidence".
nlohmann::ordered_json confidence_json(const models::Confidence& confidence);

/// The cases and measurements near a scenario, as the outcome's document says it under "evidence".
nlohmann::ordered_json evidence_json(const models::EvidenceReport& evidence);
nlohmann::ordered_json inputs_json(const models::InputReport& inputs);

/// Pretty-printed with two spaces and a final newline; numbers have as many digits as it takes to read them back
/// unchanged, numbers that JSON cannot hold (infinity, not-a-number) become null.
std::string json_text(const nlohmann::ordered_json& document);

}  // namespace headrace::reports
