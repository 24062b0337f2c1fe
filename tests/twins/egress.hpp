// Cost of traffic by price lists. Sources: definitions; prices are the caller's. Deviations: none.
#pragma once

#include <span>

namespace headrace::models::twins {

/// One step of a price list: `usd_per_gb` up to a total of `up_to_gb` (the last step: infinity).
struct PriceTier {
  double up_to_gb = 0.0;
  double usd_per_gb = 0.0;
};
/// Cost of `volume_gb` in one billing period under a stepped price list.
double tiered_cost_usd(double volume_gb, std::span<const PriceTier> tiers);
/// V p F: every one of `loads` passes pays.
double egress_cost_usd(double volume_gb, double usd_per_gb, double loads);
/// A share c of the data is kept after the first of `epochs`: V p (1 + (E-1)(1-c)).
double cached_egress_cost_usd(double volume_gb, double usd_per_gb, double epochs, double cached_share);

}  // namespace headrace::models::twins
