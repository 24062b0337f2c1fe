#include "models/outcome/price_warnings.hpp"

#include <fmt/format.h>

#include "models/path/ingest_path.hpp"

namespace headrace::models {
namespace {

/// Where a pool that a job uses has no price of its own, and GPUs of another model than such a pool before it.
void add_shared_price(const Scenario& scenario, std::vector<Warning>& warnings) {
  const Prices& prices = scenario.prices;
  if (prices.owned || !(prices.gpu_hour_usd > 0.0)) return;
  const Pool* first = nullptr;
  for (const Job& job : scenario.jobs) {
    const Pool& pool = pool_of(scenario, job);
    if (pool.price && pool.price->gpu_hour_usd) continue;
    if (first == nullptr) first = &pool;
    if (pool.gpu.model == first->gpu.model) continue;
    warnings.emplace_back(fmt::format("GPUs of {} and of {} cost the same, ${:.2f} an hour", first->gpu.model,
                                      pool.gpu.model, prices.gpu_hour_usd),
                          "prices/gpu_hour holds for every pool that states no price",
                          fmt::format("give pool '{}' a price of its own: /cluster/pools/{}/price/gpu_hour", pool.name,
                                      &pool - scenario.cluster.pools.data()));
    return;
  }
}

void add_paid_twice(const Scenario& scenario, std::vector<Warning>& warnings) {
  for (std::size_t i = 0; i < scenario.stores.size(); ++i) {
    const Store& store = scenario.stores[i];
    if (!store.purchase || !(store.purchase->capital_usd > 0.0) || !(store.price.capacity_usd_per_byte_month > 0.0))
      continue;
    warnings.emplace_back(fmt::format("store '{}' is bought, and its bytes are paid by the month too", store.name),
                          "both count: the price of the purchase and that of the capacity",
                          fmt::format("keep one of /stores/{}/purchase and /stores/{}/price", i, i));
  }
}

/// A copy that serves some of the reads has prices and no capacity.
void add_price_of_copy(const Scenario& scenario, std::vector<Warning>& warnings) {
  for (std::size_t i = 0; i < scenario.stores.size(); ++i) {
    const Intercept& copy = scenario.stores[i].price.intercept;
    if (!(copy.share > 0.0)) continue;
    warnings.emplace_back(
        fmt::format("the copy of store '{}' takes {:.0f} % of its reads in the prices alone", scenario.stores[i].name,
                    100.0 * copy.share),
        "the limits of the store count every read, also those that the copy serves",
        fmt::format("raise the limits of the store by what the copy serves, or leave out /stores/{}/price/intercept",
                    i));
  }
}

}  // namespace

std::vector<Warning> price_warnings(const Scenario& scenario) {
  std::vector<Warning> warnings;
  add_shared_price(scenario, warnings);
  add_paid_twice(scenario, warnings);
  add_price_of_copy(scenario, warnings);
  return warnings;
}

}  // namespace headrace::models
