// What a campaign of many jobs costs: the bill of each class, and nodes and GPUs that stand by.
#pragma once

#include <vector>

#include "models/campaign/campaign_cost.hpp"
#include "models/campaign/fleet_course.hpp"
#include "models/campaign/fleet_setup.hpp"

namespace headrace::models {

class FleetBill {
 public:
  explicit FleetBill(const FleetSetup& setup);

  /// Adds a campaign and returns its cost in dollars.
  double add(const FleetHistory& history);
  /// Means over so many campaigns, classes summed up.
  std::vector<LedgerLine> lines(std::uint32_t campaigns) const;

 private:
  struct Hour {
    double gpu_usd = 0.0;
    double node_usd = 0.0;
  };

  const FleetSetup& setup_;
  std::vector<CampaignBill> classes_;
  std::vector<Hour> hours_;  ///< by pool
  double free_gpu_hours_ = 0.0;
  double free_usd_ = 0.0;
};

}  // namespace headrace::models
