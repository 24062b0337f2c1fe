// Campaigns of one job and of many as the JSON documents that programs read, and the schemas of these documents.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "models/campaign/campaign.hpp"
#include "models/campaign/fleet.hpp"
#include "reports/outcome_json.hpp"

namespace headrace::reports {

/// Keys in the order of the description; what is not known is null. No clock, date or host.
nlohmann::ordered_json campaign_json(const models::CampaignOutcome& outcome, const std::string& scenario_sha256,
                                     const Provenance& provenance);

nlohmann::ordered_json fleet_json(const models::FleetOutcome& outcome, const std::string& scenario_sha256,
                                  const Provenance& provenance);

nlohmann::ordered_json campaign_schema();
nlohmann::ordered_json fleet_schema();

}  // namespace headrace::reports
