#include "models/campaign/campaign_cost.hpp"

#include "models/outcome/ledger.hpp"
#include "models/outcome/ledger_item.hpp"
#include "models/outcome/total_cost.hpp"
#include "models/path/ingest_path.hpp"

namespace headrace::models {

namespace {

constexpr const char* kListings = "listings at starts";

}  // namespace

CampaignBill::CampaignBill(const Scenario& scenario, const Outcome& steady, double gpus)
    : per_epoch_(steady.ledger),
      per_cold_epoch_(first_epoch_ledger(scenario, steady.ledger)),
      epoch_s_(mean_in(steady.metrics, "epoch_time_s")),
      gpus_(gpus),
      list_requests_(mean_in(steady.metrics, "list_requests")),
      usd_per_list_(store_of(scenario, dataset_of(scenario, scenario.jobs.front())).price.usd_per_list),
      nodes_(resolve_path(scenario, 0, {}).nodes),
      spare_nodes_(scenario.campaign ? static_cast<double>(scenario.campaign->spare_nodes) : 0.0) {
  sums_ = per_epoch_;
  if (spare_nodes_ > 0.0) sums_.push_back({std::string(kSpareNodes), 0.0, "h", 0.0, false});
  if (list_requests_ > 0.0) sums_.push_back({kListings, 0.0, "requests", 0.0, false});
  for (LedgerLine& line : sums_) line.quantity = line.usd = 0.0;
}

double CampaignBill::add(const CampaignUse& use) {
  const std::string_view gpu_hours = item_name(LedgerItem::gpu_hours);
  double total_usd = 0.0;
  double machines_usd = 0.0;
  const auto put = [&](std::size_t i, double quantity, double usd) {
    sums_[i].quantity += quantity;
    sums_[i].usd += usd;
    total_usd += usd;
  };
  for (std::size_t i = 0; i < per_epoch_.size(); ++i) {
    const LedgerLine& line = per_epoch_[i];
    const LedgerLine& cold = per_cold_epoch_[i];
    const double epochs = line.by_time ? use.held_s / epoch_s_ : use.read_epochs - use.cold_epochs;
    const double cold_epochs = line.by_time ? 0.0 : use.cold_epochs;
    const bool traced = use.gpu_usd >= 0.0 && line.item == gpu_hours;
    const double usd = traced ? use.gpu_usd * gpus_ : line.usd * epochs + cold.usd * cold_epochs;
    put(i, line.quantity * epochs + cold.quantity * cold_epochs, usd);
    if (is_machine_line(line)) machines_usd += usd;
  }
  // Nodes in reserve are paid for like those in use, and as long.
  if (spare_nodes_ > 0.0)
    put(per_epoch_.size(), spare_nodes_ * use.held_s / 3600.0, spare_nodes_ / nodes_ * machines_usd);
  const double requests = use.listings * list_requests_;
  if (list_requests_ > 0.0) put(sums_.size() - 1, requests, requests * usd_per_list_);
  return total_usd;
}

std::vector<LedgerLine> CampaignBill::lines(std::uint32_t campaigns) const {
  std::vector<LedgerLine> means = sums_;
  for (LedgerLine& line : means) {
    line.quantity /= campaigns;
    line.usd /= campaigns;
  }
  return means;
}

}  // namespace headrace::models
