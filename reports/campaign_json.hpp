// A campaign as the JSON document that programs read, and the schema of that document.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "models/campaign/campaign.hpp"
#include "reports/outcome_json.hpp"

namespace headrace::reports {

/// Keys in the order of the description; what is not known is null. No clock, date or host.
nlohmann::ordered_json campaign_json(const models::CampaignOutcome& outcome, const std::string& scenario_sha256,
                                     const Provenance& provenance);

nlohmann::ordered_json campaign_schema();

}  // namespace headrace::reports
