#include "models/outcome/unpriced_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/outcome/ownership.hpp"
#include "models/path/ingest_path.hpp"

namespace headrace::models {
namespace {

bool is_used(const Store& store, const Scenario& scenario) {
  return std::any_of(scenario.jobs.begin(), scenario.jobs.end(), [&](const Job& job) {
    return dataset_of(scenario, job).store == store.name || (job.checkpoint && job.checkpoint->store == store.name);
  });
}

/// What the price of a rented GPU hour mostly holds.
std::string parts_of_nodes(const Scenario& scenario) {
  const Prices& prices = scenario.prices;
  if (prices.owned) return prices.owned->node_capital_usd > 0.0 ? "" : "hosts, their drives and network";
  if (!(gpu_hour_usd(scenario) > 0.0)) return "GPUs and their hosts";
  if (prices.resources || node_hour_usd(scenario) > 0.0) return {};
  return "hosts with their drives and network, unless the price of a GPU hour holds them";
}

}  // namespace

std::vector<std::string> unpriced_parts(const Scenario& scenario) {
  const Prices& prices = scenario.prices;
  std::vector<std::string> parts;
  if (std::string nodes = parts_of_nodes(scenario); !nodes.empty()) parts.push_back(std::move(nodes));
  const bool bandwidth_priced = prices.resources && prices.resources->store_hour_usd > 0.0;
  for (const Store& store : scenario.stores) {
    if (!store.is_shared() || store.purchase || bandwidth_priced || !is_used(store, scenario)) continue;
    parts.push_back(store.price.capacity_usd_per_byte_month > 0.0
                        ? fmt::format("the bandwidth of store '{}', whose bytes alone have a price", store.name)
                        : fmt::format("store '{}'", store.name));
  }
  const bool staffed = prices.total_cost && prices.total_cost->staff_usd_per_hour > 0.0;
  if (!staffed) parts.emplace_back("staff");
  return parts;
}

}  // namespace headrace::models
