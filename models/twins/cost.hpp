// Money in closed form: owned machines, idle accelerators, interruptible capacity. Sources: definitions. Deviations:
// none.
#pragma once

namespace headrace::models::twins {

/// What pays back `capital_usd` over `years` at an interest of `rate` per year: C i / (1 - (1+i)^-n), C/n at i = 0.
double annuity_usd_per_year(double capital_usd, double rate, double years);

/// Dollars per hour spent on waiting accelerators.
double idle_cost_usd_per_h(double gpus, double usd_per_gpu_h, double idle_fraction);
/// Cost of a useful hour over that of an hour: 1/(1 - idle).
double cost_per_useful_hour(double idle_fraction);
/// Price of a useful hour of interruptible capacity over the list price.
double spot_cost_ratio(double discount, double efficiency);

}  // namespace headrace::models::twins
