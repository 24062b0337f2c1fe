#include "scenarios/planner/free_decisions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "models/outcome/unpriced_parts.hpp"

namespace headrace::scenarios {
namespace {

bool has_price(const models::Prices& prices, bool of_drives) {
  if (!prices.resources) return false;
  return (of_drives ? prices.resources->drive_usd_per_byte_month : prices.resources->memory_usd_per_byte_month) > 0.0;
}

}  // namespace

std::vector<models::Warning> free_decisions(const models::Scenario& scenario, const Space& space) {
  std::vector<models::Warning> warnings;
  for (std::size_t i = 0; i < scenario.stores.size(); ++i) {
    const std::string place = fmt::format("/stores/{}/", i);
    const auto is_of_store = [&](const PlanAxis& axis) {
      return axis.axis.parameters.front().pointer.starts_with(place);
    };
    const auto axis = std::find_if(space.axes().begin(), space.axes().end(), is_of_store);
    if (axis == space.axes().end() || !models::has_unpriced_bandwidth(scenario.stores[i], scenario)) continue;
    warnings.emplace_back(std::string(kFreeDecision),
                          fmt::format("{} of store '{}' costs nothing, however much of it there is", axis->name(),
                                      scenario.stores[i].name),
                          fmt::format("set {}purchase, or /prices/resources/store_hour per GB/s", place));
  }
  for (std::size_t i = 0; i < scenario.cluster.pools.size(); ++i) {
    const models::Pool& pool = scenario.cluster.pools[i];
    const std::string place = fmt::format("/cluster/pools/{}/cache/bytes", i);
    const auto is_of_cache = [&](const PlanAxis& axis) { return axis.axis.parameters.front().pointer == place; };
    const auto axis = std::find_if(space.axes().begin(), space.axes().end(), is_of_cache);
    const bool on_drives = pool.cache.medium == models::CacheMedium::nvme;
    if (axis == space.axes().end() || has_price(scenario.prices, on_drives)) continue;
    warnings.emplace_back(
        std::string(kFreeDecision),
        fmt::format("{} of pool '{}' costs nothing, however much of it there is", axis->name(), pool.name),
        fmt::format("set /prices/resources/{}, or --decide '{}=...' to what you would buy",
                    on_drives ? "drives" : "memory", place));
  }
  return warnings;
}

}  // namespace headrace::scenarios
