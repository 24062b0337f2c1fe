#include "models/campaign/fleet_cost.hpp"

#include <algorithm>

#include "models/outcome/ledger_item.hpp"
#include "models/outcome/ownership.hpp"
#include "models/path/ingest_path.hpp"

namespace headrace::models {

FleetBill::FleetBill(const FleetSetup& setup) : setup_(setup), hours_(setup.plan.pools.size()) {
  for (std::size_t k = 0; k < setup.plan.classes.size(); ++k) {
    const FleetClass& job = setup.plan.classes[k];
    classes_.emplace_back(setup.alone[k], setup.answers[k], job.gpus);
    hours_[job.pool] = {gpu_hour_usd(setup.alone[k]), node_hour_usd(setup.alone[k])};
  }
}

double FleetBill::add(const FleetHistory& history) {
  const FleetPlan& plan = setup_.plan;
  double total_usd = 0.0;
  double free_gpu_hours = 0.0;
  double free_usd = 0.0;
  const auto put_free = [&](const Hour& hour, double gpu_hours, double node_hours) {
    free_gpu_hours += gpu_hours;
    free_usd += gpu_hours * hour.gpu_usd + node_hours * hour.node_usd;
  };
  for (std::size_t k = 0; k < plan.classes.size(); ++k) {
    const FleetClass& job = plan.classes[k];
    const FleetClassHistory& of_class = history.classes[k];
    const double read_epochs = of_class.read_work_s / job.phases.epoch_work_s;
    const double cold_epochs = of_class.cold_work_s / job.phases.epoch_work_s;
    total_usd += classes_[k].add({of_class.held_s, read_epochs, cold_epochs, static_cast<double>(of_class.listings)});
    const double unused_gpus = static_cast<double>(job.nodes) * plan.pools[job.pool].gpus_per_node - job.gpus;
    put_free(hours_[job.pool], of_class.held_s / kHourSeconds * unused_gpus, 0.0);
  }
  for (std::size_t p = 0; p < plan.pools.size(); ++p) {
    const double node_hours = (history.pools[p].queued_s + history.pools[p].idle_s) / kHourSeconds;
    put_free(hours_[p], node_hours * plan.pools[p].gpus_per_node, node_hours);
  }
  free_gpu_hours_ += free_gpu_hours;
  free_usd_ += free_usd;
  return total_usd + free_usd;
}

std::vector<LedgerLine> FleetBill::lines(std::uint32_t campaigns) const {
  std::vector<LedgerLine> lines;
  for (const CampaignBill& bill : classes_) {
    for (const LedgerLine& line : bill.lines(campaigns)) {
      const auto known = std::find_if(lines.begin(), lines.end(),
                                      [&](const LedgerLine& l) { return l.item == line.item && l.unit == line.unit; });
      if (known == lines.end()) {
        lines.push_back(line);
        continue;
      }
      known->quantity += line.quantity;
      known->usd += line.usd;
    }
  }
  if (free_gpu_hours_ > 0.0)
    lines.push_back({std::string(kFreeGpuHours), free_gpu_hours_ / campaigns, "h", free_usd_ / campaigns, true});
  return lines;
}

}  // namespace headrace::models
