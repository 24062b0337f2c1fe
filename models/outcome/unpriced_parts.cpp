#include "models/outcome/unpriced_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/outcome/ownership.hpp"
#include "models/path/ingest_path.hpp"

namespace headrace::models {
namespace {

bool is_used(const Store& store, const Scenario& scenario) {
  return std::any_of(scenario.jobs.begin(), scenario.jobs.end(), [&](const Job& job) {
    return dataset_of(scenario, job).store == store.name || (job.checkpoint && job.checkpoint->store == store.name);
  });
}

void add_machines(const Scenario& scenario, std::vector<std::string>& parts) {
  const Prices& prices = scenario.prices;
  if (prices.owned) {
    if (has_unpriced_gpus(scenario)) parts.emplace_back("GPUs");
    if (!(prices.owned->node_capital_usd > 0.0)) parts.emplace_back("hosts with their drives and network");
    return;
  }
  if (has_unpriced_gpus(scenario)) {
    parts.emplace_back("GPUs and their hosts");
    return;
  }
  const bool by_node = node_hour_usd(scenario) > 0.0;
  if (!(gpu_hour_usd(scenario) > 0.0)) return;
  const bool by_part =
      prices.resources && (prices.resources->core_hour_usd > 0.0 || prices.resources->drive_usd_per_byte_month > 0.0 ||
                           prices.resources->nic_hour_usd > 0.0);
  if (!by_node && !by_part)
    parts.emplace_back("hosts with their drives and network, unless the price of a GPU hour holds them");
}

/// Whether the store is paid as a whole: bought, by contract, by its schedule, or by its bandwidth, which is counted of
/// the store of the first job's dataset alone.
bool is_paid_whole(const Store& store, const Scenario& scenario) {
  if (store.purchase && (store.purchase->capital_usd > 0.0 || store.purchase->contract_usd_per_hour > 0.0)) return true;
  if (store.schedule && store.schedule->usd_per_hour > 0.0) return true;
  return scenario.prices.resources && scenario.prices.resources->store_hour_usd > 0.0 &&
         dataset_of(scenario, scenario.jobs.front()).store == store.name;
}

/// As object stores are, which sell no bandwidth.
bool is_paid_by_use(const StorePrice& price) {
  return price.usd_per_request > 0.0 || price.egress_usd_per_byte > 0.0 || !price.egress_tiers.empty();
}

void add_store(const Store& store, const Scenario& scenario, std::vector<std::string>& parts) {
  if (!has_unpriced_bandwidth(store, scenario)) return;
  const StorePrice& price = store.price;
  parts.push_back(price.capacity_usd_per_byte_month > 0.0
                      ? fmt::format("the bandwidth of store '{}', of which only bytes kept have a price", store.name)
                      : fmt::format("store '{}'", store.name));
}

}  // namespace

bool has_unpriced_gpus(const Scenario& scenario) {
  if (const std::optional<Ownership>& owned = scenario.prices.owned) return !(owned->gpu_capital_usd > 0.0);
  return !(gpu_hour_usd(scenario) > 0.0) && !(node_hour_usd(scenario) > 0.0);
}

bool has_unpriced_bandwidth(const Store& store, const Scenario& scenario) {
  return store.is_shared() && is_used(store, scenario) && !is_paid_whole(store, scenario) &&
         !is_paid_by_use(store.price);
}

std::vector<std::string> unpriced_parts(const Scenario& scenario) {
  std::vector<std::string> parts;
  add_machines(scenario, parts);
  for (const Store& store : scenario.stores) add_store(store, scenario, parts);
  const bool remote = std::any_of(scenario.jobs.begin(), scenario.jobs.end(), [](const Job& job) {
    return job.loader.preprocessing == Preprocessing::remote_pool && !(job.loader.remote.worker_hour_usd > 0.0);
  });
  if (remote) parts.emplace_back("remote workers");
  const std::optional<TotalCost>& terms = scenario.prices.total_cost;
  if (scenario.prices.owned && !(terms && terms->rack_unit_usd_per_hour > 0.0)) parts.emplace_back("rack space");
  if (!(terms && terms->staff_usd_per_hour > 0.0)) parts.emplace_back("staff");
  return parts;
}

}  // namespace headrace::models
