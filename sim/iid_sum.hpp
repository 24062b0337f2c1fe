// Sums of many independent draws of one law (the request latencies of a batch) from one uniform.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/distribution.hpp"

namespace headrace::sim {

/// The law of X1 + ... + Xn for independent Xi ~ `term`, without a table, because n changes from batch to batch:
/// prepared in about 0.2 us (infinite variance: 0.5 ms), then about 20 ns per draw. See
/// docs/decisions/0020-sums-by-moments.md.
///
/// n = 1 and constants are exact. An exponential or gamma law whose sum has a gamma shape of at least 2: Wilson and
/// Hilferty's cube for the exact gamma law (PNAS 17, 1931). Otherwise a log-normal with a shift (mirrored for a
/// negative skewness) that has the mean, variance and third moment of the sum; a normal where the third moment
/// vanishes; a log-normal above the least sum with mean and variance alone where the third moment is infinite or more
/// than 1e-3 of the shifted law would lie below the least sum. Infinite variance: the largest term by its exact law
/// plus the mean of the others, which keeps mean and tail; infinite mean: the largest term alone, a lower bound.
///
/// A mixture with a rare heavy part (rare_part(), and on average at most one such term in the sum): the count of heavy
/// terms first, from its binomial law, then the sum of each kind; beside a heavy term the others count with their mean.
/// No moments can tell a stall of seconds once in ten thousand batches from a slow day.
///
/// Mean exact to 1e-4 and variance to 2e-3 (what lies below the least sum is raised to it); for n up to 8 of a bounded
/// law the variance to 3e-2, and single sums may pass n times the maximum where the law is skewed.
/// Relative error of the quantiles of 0.1 / 0.5 / 0.99 against 2e5 to 4e5 simulated sums:
///   log-normal cv 0.3, n 32    0.0001 / 0.0001 / 0.0001        exponential n 2     0.007 / 0.003 / 0.001
///   log-normal cv 1, n 8       0.010  / 0.008  / 0.015         exponential n 16    0.001 / 0.001 / 0.001
///   log-normal cv 1, n 32      0.001  / 0.001  / 0.002         Weibull 0.7, n 16   0.001 / 0.002 / 0.002
///   log-normal cv 2, n 32      0.06   / 0.03   / 0.05          Pareto 2.5, n 32    0.04  / 0.002 / 0.02
/// Sums of few very skewed terms (cv 2, n 8: 0.21 / 0.04 / 0.06) are better drawn term by term.
class IidSum {
 public:
  IidSum(const Distribution& term, std::uint32_t n);

  /// Quantile of the sum, non-decreasing in u; with a rare heavy part, for each count of heavy terms.
  double quantile(double u) const;

  /// No quantile of a probability up to `u` is greater, but for rounding.
  double largest_up_to(double u) const;

  double mean() const { return mean_; }
  double variance() const { return variance_; }

 private:
  enum class Method { kConstant, kSingle, kWilsonHilferty, kShiftedLognormal, kNormal, kLargestTerm, kRareCount };
  struct Counted;

  bool prepare_counts();
  double counted(double u) const;
  void match_three_moments(double third);
  void match_two_moments();
  void prepare_largest_term();
  double largest_term(double u) const;

  Method method_ = Method::kConstant;
  Distribution term_;
  std::uint32_t count_;
  double mean_;
  double variance_;
  double least_ = 0.0;  ///< n times the least and the greatest term
  double greatest_ = 0.0;
  double location_ = 0.0;  ///< of the shifted log-normal: location + scale exp(sigma z)
  double scale_ = 0.0;
  double sigma_ = 0.0;
  std::shared_ptr<const Counted> counted_;
};

/// A mixture cut into its usual part and a rare one that is far longer.
struct RarePart {
  double probability = 0.0;
  Distribution usual;
  Distribution rare;
};

/// Components of a mixture that together take at most 1 % of the draws, each with at least ten times the mean of the
/// others together; nothing for any other law.
std::optional<RarePart> rare_part(const Distribution& law);

/// IidSum(term, n).quantile(u); 0 for n = 0. Keep an IidSum where (term, n) repeats.
double sum_quantile(const Distribution& term, std::uint32_t n, double u);

}  // namespace headrace::sim
