#include "models/twins/cost.hpp"

#include "sim/portable_math.hpp"

namespace headrace::models::twins {

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
