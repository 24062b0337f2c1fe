#include "models/outcome/shared_price.hpp"

#include <fmt/format.h>

#include "models/path/ingest_path.hpp"

namespace headrace::models {

std::optional<Warning> shared_price(const Scenario& scenario) {
  const Prices& prices = scenario.prices;
  if (prices.owned || !(prices.gpu_hour_usd > 0.0)) return std::nullopt;
  const Pool* first = nullptr;
  for (const Job& job : scenario.jobs) {
    const Pool& pool = pool_of(scenario, job);
    if (pool.price && pool.price->gpu_hour_usd) continue;
    if (first == nullptr) first = &pool;
    if (pool.gpu.model == first->gpu.model) continue;
    return Warning{fmt::format("GPUs of {} and of {} cost the same, ${:.2f} an hour", first->gpu.model, pool.gpu.model,
                               prices.gpu_hour_usd),
                   "prices/gpu_hour holds for every pool that states no price",
                   fmt::format("give pool '{}' a price of its own: /cluster/pools/{}/price/gpu_hour", pool.name,
                               &pool - scenario.cluster.pools.data())};
  }
  return std::nullopt;
}

}  // namespace headrace::models
