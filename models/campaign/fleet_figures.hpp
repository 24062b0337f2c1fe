// Replications of a campaign of many jobs as the figures of its outcome.
#pragma once

#include <vector>

#include "models/campaign/campaign_figures.hpp"
#include "models/campaign/fleet.hpp"
#include "models/campaign/fleet_course.hpp"

namespace headrace::models {

/// Means and quantiles of times of jobs, told per replication.
FleetTimes fleet_times(const std::vector<std::vector<double>>& times_s);

/// GPU seconds of one campaign that last, of all jobs.
double useful_gpu_s_of(const FleetPlan& plan, const FleetHistory& history);

/// Everything but cost and warnings.
void add_fleet_figures(const FleetPlan& plan, const std::vector<FleetHistory>& histories, FleetOutcome& outcome);

}  // namespace headrace::models
