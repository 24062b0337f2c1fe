#include "tests/twins/egress.hpp"

#include <algorithm>

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

}  // namespace headrace::models::twins
