// A scenario and its answer as one campaign: the course with its planned stops, the phases of its restarts, and what of
// steady work is useful.
#pragma once

#include <vector>

#include "models/campaign/campaign.hpp"
#include "models/interruptions/fault_course.hpp"

namespace headrace::models {

/// A part of steady work in which GPUs do not compute.
struct SteadyLoss {
  LossCause cause = LossCause::data_wait;
  double share = 0.0;  ///< of the time of steady work
};

struct CampaignSetup {
  TrainingCourse course;
  double until_s = 0.0;  ///< infinite: until the work is done
  PhaseTimes phases;
  double gpus = 0.0;
  double steps_per_epoch = 0.0;
  double useful_share = 0.0;              ///< of steady work
  double useful_share_error = 0.0;        ///< half-width of its interval, relative; 0 unless simulated
  std::vector<SteadyLoss> steady_losses;  ///< with the useful share they sum to 1
  double closed_form_goodput = 0.0;
  std::optional<double> bid_usd_per_gpu_hour;
  bool stops = false;  ///< something may stop it
};

/// Throws UnusableRequest as run_campaign() does.
CampaignSetup campaign_setup(const Scenario& scenario, const Outcome& steady, const CampaignOptions& options);

}  // namespace headrace::models
