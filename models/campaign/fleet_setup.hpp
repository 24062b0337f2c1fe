// A scenario of many jobs as one campaign: each job alone as a class of like jobs, by the phases and the course that a
// campaign of it alone has.
#pragma once

#include <vector>

#include "models/campaign/campaign.hpp"
#include "models/campaign/fleet_plan.hpp"
#include "models/campaign/fleet_speeds.hpp"

namespace headrace::models {

struct FleetSetup {
  FleetPlan plan;
  std::vector<Scenario> alone;      ///< by class
  std::vector<Outcome> answers;     ///< of these
  double useful_share_error = 0.0;  ///< largest half-width of a class, relative; 0 unless simulated
};

/// Throws UnusableRequest as run_fleet() does.
FleetSetup fleet_setup(const Scenario& scenario, const FleetAnswer& answer, const CampaignOptions& options);

}  // namespace headrace::models
