// What campaigns cost, line by line of the ledger of their epochs: what grows with time by the time for which the nodes
// are held, what is paid per read by the epochs that are read, with cold caches as the first one, listings by the LIST
// requests of every start, and nodes in reserve as those in use.
#pragma once

#include <vector>

#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

/// What one campaign used.
struct CampaignUse {
  double held_s = 0.0;
  double read_epochs = 0.0;
  double cold_epochs = 0.0;  ///< of these, read while caches filled
  double listings = 0.0;
  double gpu_usd = -1.0;  ///< of one GPU by a price trace; less than 0: the scenario's price
};

class CampaignBill {
 public:
  CampaignBill() = default;
  CampaignBill(const Scenario& scenario, const Outcome& steady, double gpus);

  /// Adds a campaign and returns its cost in dollars.
  double add(const CampaignUse& use);
  /// Means over so many campaigns.
  std::vector<LedgerLine> lines(std::uint32_t campaigns) const;

 private:
  std::vector<LedgerLine> per_epoch_;
  std::vector<LedgerLine> per_cold_epoch_;
  std::vector<LedgerLine> sums_;
  double epoch_s_ = 1.0;
  double gpus_ = 0.0;
  double list_requests_ = 0.0;  ///< of one start
  double usd_per_list_ = 0.0;
  double nodes_ = 1.0;  ///< of the job
  double spare_nodes_ = 0.0;
};

}  // namespace headrace::models
