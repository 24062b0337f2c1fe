#include "models/twins/checkpoint_interval.hpp"

#include <boost/math/special_functions/lambert_w.hpp>
#include <cmath>
#include <stdexcept>

namespace headrace::models::twins {
namespace {

void require_costs(const CheckpointCosts& costs) {
  if (!(costs.write_s >= 0.0) || !(costs.mtbf_s > 0.0) || !(costs.restart_s >= 0.0)) {
    throw std::invalid_argument("a checkpoint needs a mean time between failures and costs that are not negative");
  }
}

}  // namespace

double young_interval_s(const CheckpointCosts& costs) {
  require_costs(costs);
  return std::sqrt(2.0 * costs.write_s * costs.mtbf_s);
}

double daly_interval_s(const CheckpointCosts& costs) {
  require_costs(costs);
  const double ratio = costs.write_s / (2.0 * costs.mtbf_s);
  if (ratio >= 1.0) return costs.mtbf_s;
  return young_interval_s(costs) * (1.0 + std::sqrt(ratio) / 3.0 + ratio / 9.0) - costs.write_s;
}

double optimal_interval_s(const CheckpointCosts& costs) {
  require_costs(costs);
  return costs.mtbf_s * (1.0 + boost::math::lambert_w0(-std::exp(-costs.write_s / costs.mtbf_s - 1.0)));
}

double checkpoint_efficiency(const CheckpointCosts& costs, double interval_s) {
  require_costs(costs);
  const double mtbf = costs.mtbf_s;
  return interval_s / (mtbf * std::exp(costs.restart_s / mtbf) * std::expm1((interval_s + costs.write_s) / mtbf));
}

double fleet_mtbf(double unit_mtbf, double units) { return unit_mtbf / units; }

}  // namespace headrace::models::twins
