#include "tests/twins/quality_of_service.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace headrace::models::twins {

std::vector<double> weighted_shares(double capacity, std::span<const WeightedDemand> demands) {
  if (!(capacity > 0.0)) throw std::invalid_argument("a link needs a positive capacity");
  std::vector<std::size_t> order(demands.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return demands[a].demand * demands[b].weight < demands[b].demand * demands[a].weight;
  });
  double weights = 0.0;
  for (const WeightedDemand& demand : demands) weights += demand.weight;
  std::vector<double> shares(demands.size());
  for (const std::size_t i : order) {
    shares[i] = std::min(demands[i].demand, capacity * demands[i].weight / weights);
    capacity -= shares[i];
    weights -= demands[i].weight;
  }
  return shares;
}

TwoLinkRates two_link_rates(double first_capacity, double second_capacity, double both_weight, double first_weight,
                            double second_weight) {
  if (!(first_capacity > 0.0 && second_capacity > 0.0)) throw std::invalid_argument("a link needs a positive capacity");
  const double per_weight =
      std::min(first_capacity / (both_weight + first_weight), second_capacity / (both_weight + second_weight));
  const double both = both_weight * per_weight;
  return {both, first_capacity - both, second_capacity - both};
}

PriorityRates priority_rates(double capacity, double high_demand, double low_demand) {
  const double high = std::min(capacity, high_demand);
  return {high, std::min(capacity - high, low_demand)};
}

}  // namespace headrace::models::twins
