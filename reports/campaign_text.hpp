// A campaign for a person at a terminal: one screen of at most 20 lines, and with --verbose every cause and phase.
#pragma once

#include <string>

#include "models/campaign/campaign.hpp"
#include "reports/style.hpp"

namespace headrace::reports {

std::string campaign_text(const models::CampaignOutcome& outcome, const models::Confidence& confidence,
                          const std::string& title, bool verbose, const Style& style);

}  // namespace headrace::reports
