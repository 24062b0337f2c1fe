// Distributions of durations, sizes and factors. A draw is the quantile function of a uniform: monotone, so that common
// random numbers and antithetic pairs work, one uniform per draw, and the same bits on every machine.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/quantile_table.hpp"

namespace headrace::sim {

enum class Family { kConstant, kUniform, kExponential, kLognormal, kGamma, kWeibull, kPareto, kEmpirical, kMixture };

/// "constant", "uniform", "exponential", "lognormal", "gamma", "weibull", "pareto", "empirical", "mixture".
const char* family_name(Family family);

/// An immutable law, cheap to copy (its table is shared, also between laws of one family and shape). Every value
/// carries the unit of the parameters. Factories throw std::invalid_argument, naming the parameter, when one is out of
/// range. A smooth law costs a table of 208 KiB and 1 to 20 ms the first time that one of its (family, shape) is drawn
/// from; moments cost nothing.
/// Interpolation error of quantile(), relative: below 1e-8 for log-normal and gamma laws with cv up to 1, rising to
/// 1e-5 at the most skewed laws that the factories admit; mean() and variance() are those of the exact law.
class Distribution {
 public:
  /// The constant 0.
  Distribution() = default;
  // No move: a moved-from law would draw from a table that it no longer owns.
  Distribution(const Distribution& other) noexcept;
  Distribution& operator=(const Distribution& other) noexcept;
  ~Distribution() = default;

  static Distribution constant(double value);
  /// Needs minimum <= maximum.
  static Distribution uniform(double minimum, double maximum);
  static Distribution exponential(double mean);
  /// Log-normal by its mean and coefficient of variation (standard deviation / mean): mean > 0, 0 <= cv <= 1000.
  static Distribution lognormal(double mean, double cv);
  /// Gamma by its mean and coefficient of variation: mean > 0, 0 <= cv <= 4. Below cv 0.03 by the cube of Wilson and
  /// Hilferty (PNAS 17, 1931), which is then exact to 1e-6 of the standard deviation.
  static Distribution gamma(double mean, double cv);
  /// P(X > x) = exp(-(x / scale)^shape); shape within [0.1, 100].
  static Distribution weibull(double shape, double scale);
  /// P(X > x) = (minimum / x)^shape; shape within [0.1, 1000]. The mean is infinite up to shape 1, the variance up
  /// to 2.
  static Distribution pareto(double shape, double minimum);
  /// The quantile function through these points, straight between them, constant outside: at least one point, members
  /// non-decreasing, probabilities within [0, 1].
  static Distribution empirical(std::vector<QuantilePoint> points);
  /// Draws from components[i] with a probability proportional to weights[i] >= 0. Still monotone in u: the inverse of
  /// the mixed distribution function, tabulated to a relative 2e-5 between jumps; jumps and gaps are kept.
  static Distribution mixture(std::vector<double> weights, std::vector<Distribution> components);

  /// Q(u), non-decreasing in u; u is brought into [2^-53, 1 - 2^-53], so that no law returns infinity.
  double quantile(double u) const {
    if (const QuantileTable* smooth = smooth_.load(std::memory_order_acquire)) return scale_ * (*smooth)(u);
    if (const KnotTable* knots = knots_.load(std::memory_order_acquire)) return scale_ * (*knots)(u);
    if (law_ != nullptr) return first_quantile(u);
    return offset_ + scale_ * detail::clamp_probability(u);
  }

  /// out[i] = quantile(u[i]), the same bits; out may be u. Throws std::invalid_argument when the sizes differ.
  void quantiles(std::span<const double> u, std::span<double> out) const;

  double mean() const;          ///< infinite for a Pareto law of shape <= 1
  double variance() const;      ///< infinite for a Pareto law of shape <= 2
  double third_moment() const;  ///< E (X - mean)^3; infinite for a Pareto law of shape <= 3
  double cv() const;            ///< standard deviation / mean; 0 for the constant 0
  double minimum() const;       ///< quantile of 2^-53
  double maximum() const;       ///< quantile of 1 - 2^-53

  /// The law of factor * X, factor >= 0 and finite.
  Distribution scaled(double factor) const;

  Family family() const { return family_; }
  bool is_constant() const { return family_ == Family::kConstant; }
  /// The parameter that the table belongs to: cv (log-normal, gamma), shape (Weibull, Pareto), otherwise 0.
  double shape() const { return shape_; }
  /// Empirical: the points. Empty for other families.
  std::vector<QuantilePoint> points() const;
  /// Mixture: weights with sum 1, and components. Empty for other families.
  std::vector<double> weights() const;
  std::vector<Distribution> components() const;

  /// For people, with the factory's parameters: "lognormal(mean 0.002, cv 0.7)".
  std::string describe() const;

 private:
  struct Law;

  static Distribution smooth(Family family, double shape, double scale);
  static Distribution from_law(std::shared_ptr<const Law> law);
  /// Takes the tables of the law, which are made where nobody has drawn from it yet.
  void tabulate() const;
  double first_quantile(double u) const;

  Family family_ = Family::kConstant;
  double shape_ = 0.0;
  double offset_ = 0.0;
  double scale_ = 0.0;
  // Both point into *law_, one load less per draw; null until the first one, which any thread may make.
  mutable std::atomic<const QuantileTable*> smooth_{nullptr};
  mutable std::atomic<const KnotTable*> knots_{nullptr};
  std::shared_ptr<const Law> law_;
};

}  // namespace headrace::sim
