#include "models/outcome/ownership.hpp"

#include "models/path/ingest_path.hpp"
#include "models/twins/cost.hpp"

namespace headrace::models {

namespace {

constexpr double kHoursPerYear = 8760.0;

HourlyCost owned_hour(const Ownership& owned, double capital_usd, double power_w) {
  const double years = owned.lifetime_s / (kHoursPerYear * 3600.0);
  const double hours = kHoursPerYear * owned.used;
  HourlyCost cost;
  cost.capital_usd = twins::annuity_usd_per_year(capital_usd, owned.discount_rate, years) / hours;
  cost.support_usd = capital_usd * owned.support_per_year / hours;
  cost.kwh = power_w / 1000.0 * owned.pue;
  cost.energy_usd = cost.kwh * owned.usd_per_kwh;
  return cost;
}

}  // namespace

HourlyCost owned_gpu_hour(const Ownership& owned) { return owned_hour(owned, owned.gpu_capital_usd, owned.gpu_w); }

HourlyCost owned_node_hour(const Ownership& owned) { return owned_hour(owned, owned.node_capital_usd, owned.node_w); }

Ownership owned_machines(const Scenario& scenario) {
  Ownership owned = *scenario.prices.owned;
  if (!(owned.gpu_w > 0.0)) owned.gpu_w = pool_of(scenario, scenario.jobs.front()).gpu.power_w;
  return owned;
}

double gpu_hour_usd(const Scenario& scenario, const Pool& pool) {
  const Prices& prices = scenario.prices;
  if (prices.owned) return owned_gpu_hour(owned_machines(scenario)).total_usd();
  const double usd = pool.price ? pool.price->gpu_hour_usd.value_or(prices.gpu_hour_usd) : prices.gpu_hour_usd;
  return usd * (1.0 - prices.commitment_discount);
}

double node_hour_usd(const Scenario& scenario, const Pool& pool) {
  const Prices& prices = scenario.prices;
  if (prices.owned) return owned_node_hour(*prices.owned).total_usd();
  const double usd = pool.price ? pool.price->node_hour_usd.value_or(prices.node_hour_usd) : prices.node_hour_usd;
  return usd * (1.0 - prices.commitment_discount);
}

double gpu_hour_usd(const Scenario& scenario) {
  return gpu_hour_usd(scenario, pool_of(scenario, scenario.jobs.front()));
}

double node_hour_usd(const Scenario& scenario) {
  return node_hour_usd(scenario, pool_of(scenario, scenario.jobs.front()));
}

}  // namespace headrace::models
