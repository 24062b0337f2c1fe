// Campaigns of one job and of many as the JSON documents that programs read, what these say, and their schemas.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "models/campaign/campaign.hpp"
#include "models/campaign/fleet.hpp"
#include "reports/outcome_json.hpp"

namespace headrace::reports {

/// A campaign as its document holds it: models::CampaignOutcome or models::FleetOutcome.
template <class Answer>
struct RecordedCampaign {
  Answer outcome;
  std::string model_version;
  std::string catalogue_version;
  std::string scenario_sha256;
  nlohmann::ordered_json scenario;                              ///< resolved, as embedded
  std::optional<models::Confidence> confidence = std::nullopt;  ///< in the steady answers
};

/// Keys in the order of the description; what is not known is null. No clock, date or host.
template <class Answer>
nlohmann::ordered_json recorded_json(const RecordedCampaign<Answer>& recorded);
/// What a document lacks, or says in another form, keeps its default.
template <class Answer>
RecordedCampaign<Answer> read_recorded(const nlohmann::ordered_json& document);
template <class Answer>
nlohmann::ordered_json recorded_schema();

/// By the present models.
nlohmann::ordered_json campaign_json(const models::CampaignOutcome& outcome, const std::string& scenario_sha256,
                                     const Provenance& provenance);
nlohmann::ordered_json fleet_json(const models::FleetOutcome& outcome, const std::string& scenario_sha256,
                                  const Provenance& provenance);

nlohmann::ordered_json campaign_schema();
nlohmann::ordered_json fleet_schema();

}  // namespace headrace::reports
