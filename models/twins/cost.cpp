#include "models/twins/cost.hpp"

#include <algorithm>

#include "sim/portable_math.hpp"

namespace headrace::models::twins {

double tiered_cost_usd(double volume_gb, std::span<const PriceTier> tiers) {
  double cost = 0.0;
  double from = 0.0;
  for (const PriceTier& tier : tiers) {
    cost += std::max(0.0, std::min(volume_gb, tier.up_to_gb) - from) * tier.usd_per_gb;
    from = tier.up_to_gb;
  }
  return cost;
}

double egress_cost_usd(double volume_gb, double usd_per_gb, double loads) { return volume_gb * usd_per_gb * loads; }

double cached_egress_cost_usd(double volume_gb, double usd_per_gb, double epochs, double cached_share) {
  return volume_gb * usd_per_gb * (1.0 + (epochs - 1.0) * (1.0 - cached_share));
}

double annuity_usd_per_year(double capital_usd, double rate, double years) {
  if (!(rate > 0.0)) return capital_usd / years;
  return capital_usd * rate / (1.0 - sim::pexp(-years * sim::plog1p(rate)));
}

double idle_cost_usd_per_h(double gpus, double usd_per_gpu_h, double idle_fraction) {
  return gpus * usd_per_gpu_h * idle_fraction;
}

double cost_per_useful_hour(double idle_fraction) { return 1.0 / (1.0 - idle_fraction); }

double spot_cost_ratio(double discount, double efficiency) { return (1.0 - discount) / efficiency; }

}  // namespace headrace::models::twins
