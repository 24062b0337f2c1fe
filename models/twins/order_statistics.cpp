#include "models/twins/order_statistics.hpp"
#include "models/twins/require.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace headrace::models::twins {
namespace {

/// ln of the standard normal distribution function, without loss in either tail.
double log_normal_cdf(double z) {
  if (z > 0.0) return std::log1p(-0.5 * std::erfc(z / std::numbers::sqrt2));
  if (z > -37.0) return std::log(0.5 * std::erfc(-z / std::numbers::sqrt2));
  return -0.5 * z * z - std::log(-z) - 0.5 * std::log(2.0 * std::numbers::pi);
}

}  // namespace

double harmonic_number(std::int64_t n) {
  if (n > 1'000'000) {
    const double x = static_cast<double>(n);
    return std::log(x) + std::numbers::egamma + 0.5 / x - 1.0 / (12.0 * x * x);
  }
  double sum = 0.0;
  for (std::int64_t i = n; i >= 1; --i) sum += 1.0 / static_cast<double>(i);
  return sum;
}

double lognormal_order_statistic(std::int64_t k, std::int64_t n, double sigma) {
  require(k >= 1 && k <= n && sigma >= 0.0, "the k-th of n needs 1 <= k <= n and sigma >= 0");
  const double below = static_cast<double>(k - 1);
  const double above = static_cast<double>(n - k);
  const double count = static_cast<double>(n);
  const double scale = std::lgamma(count + 1.0) - std::lgamma(below + 1.0) - std::lgamma(above + 1.0) -
                       0.5 * std::log(2.0 * std::numbers::pi);
  // The trapezoidal rule converges faster than any power for an integrand that is analytic and vanishes at both ends.
  constexpr double kStep = 1.0 / 128.0;
  const double last = 40.0 + 2.0 * sigma;
  double sum = 0.0;
  for (double z = -40.0; z <= last; z += kStep) {
    double log_term = scale - 0.5 * z * z + sigma * z;
    if (below > 0.0) log_term += below * log_normal_cdf(z);
    if (above > 0.0) log_term += above * log_normal_cdf(-z);
    if (log_term > -60.0) sum += std::exp(log_term);
  }
  return sum * kStep;
}

double lognormal_max_ratio(std::int64_t n, double sigma) {
  return lognormal_order_statistic(n, n, sigma) * std::exp(-0.5 * sigma * sigma);
}

double lognormal_sigma(double cv) { return std::sqrt(std::log1p(cv * cv)); }

double any_of_n_probability(double p, double n) {
  require(p >= 0.0 && p <= 1.0 && n >= 0.0, "a probability lies in [0, 1]");
  return p >= 1.0 ? (n > 0.0 ? 1.0 : 0.0) : -std::expm1(n * std::log1p(-p));
}

BatchSum sum_of_samples(std::int64_t samples, double mean, double cv) {
  require(samples >= 1, "a batch holds a sample");
  const double count = static_cast<double>(samples);
  const double batch_cv = cv / std::sqrt(count);
  return {.mean = count * mean, .cv = batch_cv, .lognormal_sigma = lognormal_sigma(batch_cv)};
}

}  // namespace headrace::models::twins
