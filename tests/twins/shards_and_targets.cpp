#include "tests/twins/shards_and_targets.hpp"

#include <cmath>

#include "models/twins/order_statistics.hpp"
#include "models/twins/require.hpp"

namespace headrace::models::twins {

double exponential_order_statistic(std::int64_t k, std::int64_t n) {
  require(k >= 1 && k <= n, "the k-th of n needs 1 <= k <= n");
  return harmonic_number(n) - harmonic_number(n - k);
}

double fork_join_two_response_s(double arrivals_per_s, double services_per_s) {
  require(arrivals_per_s >= 0.0 && arrivals_per_s < services_per_s, "fork-join needs a load below 1");
  return (12.0 - arrivals_per_s / services_per_s) / 8.0 / (services_per_s - arrivals_per_s);
}

double coupon_draws(std::int64_t n) { return static_cast<double>(n) * harmonic_number(n); }

double distinct_shards(double shards, double draws) {
  require(shards >= 1.0 && draws >= 0.0, "distinct shards need a shard");
  return shards * any_of_n_probability(1.0 / shards, draws);
}

ShuffleResidence shuffle_residence(double slots) { return {slots, std::sqrt(slots * (slots - 1.0))}; }

double shuffle_residence_tail(double slots, double draws) { return std::exp(draws * std::log1p(-1.0 / slots)); }

double fullest_target_load(double requests, double targets) {
  require(requests >= 0.0 && targets >= 1.0, "a load needs a target");
  const double mean = requests / targets;
  require(mean < 700.0, "a mean load above 700 per target underflows");
  double term = std::exp(-mean);  // P(load = k)
  double cdf = term;
  double sum = 0.0;
  for (int k = 0; k < 10 || 1.0 - std::pow(cdf, targets) > 1e-13; ++k) {
    sum += -std::expm1(targets * std::log(cdf));
    if (k > mean && term < 1e-18) break;
    term *= mean / (k + 1);
    cdf += term;
  }
  return sum;
}

}  // namespace headrace::models::twins
