// Money in closed form: egress, idle accelerators, interruptible capacity. Sources: definitions; tier prices are the
// caller's. Deviations: none.
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

/// What pays back `capital_usd` over `years` at an interest of `rate` per year: C i / (1 - (1+i)^-n), C/n at i = 0.
double annuity_usd_per_year(double capital_usd, double rate, double years);

/// Dollars per hour spent on waiting accelerators.
double idle_cost_usd_per_h(double gpus, double usd_per_gpu_h, double idle_fraction);
/// Cost of a useful hour over that of an hour: 1/(1 - idle).
double cost_per_useful_hour(double idle_fraction);
/// Price of a useful hour of interruptible capacity over the list price.
double spot_cost_ratio(double discount, double efficiency);

}  // namespace headrace::models::twins
