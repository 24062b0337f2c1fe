// A campaign of many jobs for a person at a terminal: goodput and use of the pools, a row per class of jobs, lost hours
// by cause; with --verbose every cause, quantiles and cost.
#pragma once

#include <optional>
#include <string>

#include "models/campaign/fleet.hpp"
#include "models/outcome/confidence.hpp"
#include "reports/style.hpp"

namespace headrace::reports {

std::string fleet_text(const models::FleetOutcome& outcome, const std::optional<models::Confidence>& confidence,
                       const std::string& title, bool verbose, const Style& style);

}  // namespace headrace::reports
