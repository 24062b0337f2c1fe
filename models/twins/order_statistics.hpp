// What the slowest, fastest or k-th of n costs: barriers, hedged reads, erasure codes, storage hot spots.
//
// Sources: H. A. David, H. N. Nagaraja, Order Statistics, 3rd ed., 2003 (k-th of n); L. Flatto, S. Hahn, 1984, and
// R. Nelson, A. N. Tantawi, 1988 (fork-join of two); L. F. Fenton, 1960 (sum of log-normals); W. Feller, vol. 1, 1968
// (coupons, occupancy); M. Raab, A. Steger, Balls into bins, 1998.
// Deviations: the expectations of log-normal order statistics are integrals over the underlying normal, summed in log
// space, so that 1e6 participants neither under- nor overflow.
#pragma once

#include <cstdint>

namespace headrace::models::twins {

/// H_n = 1 + 1/2 + ... + 1/n.
double harmonic_number(std::int64_t n);

/// Mean of the k-th smallest of n log-normals exp(sigma Z) (median 1). Relative error below 1e-10.
/// @throws std::invalid_argument unless 1 <= k <= n and sigma >= 0
double lognormal_order_statistic(std::int64_t k, std::int64_t n, double sigma);
/// E[max of n] / E[X] for a log-normal X: what a barrier over n multiplies the mean by when nothing is prefetched.
double lognormal_max_ratio(std::int64_t n, double sigma);

/// sigma of a log-normal with coefficient of variation `cv`: sqrt(ln(1 + cv^2)).
double lognormal_sigma(double cv);

/// Probability that at least one of n is hit when each is hit with probability p: 1 - (1-p)^n, exact for tiny p.
double any_of_n_probability(double p, double n);

/// A batch as the sum of B independent sample fetches.
struct BatchSum {
  double mean = 0.0;
  double cv = 0.0;
  double lognormal_sigma = 0.0;  ///< of the log-normal with the same two moments (Fenton-Wilkinson)
};
BatchSum sum_of_samples(std::int64_t samples, double mean, double cv);

}  // namespace headrace::models::twins
