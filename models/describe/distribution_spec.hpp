// A random quantity as a scenario states it: a constant, a family with its mean and spread, a table of quantiles or a
// mixture. Plain data; sim/distribution.hpp draws from it.
#pragma once

#include <cstdint>
#include <vector>

namespace headrace::models {

enum class Family : std::uint8_t {
  constant,
  uniform,
  exponential,
  lognormal,
  gamma,
  weibull,
  pareto,
  empirical,
  mixture
};

/// One point of an empirical distribution: a share `p` of all values is at most `value`.
struct QuantilePoint {
  double p = 0.0;
  double value = 0.0;
};

struct MixturePart;

/// Members that a family does not name are ignored. All values share one unit, that of the parameter.
struct DistributionSpec {
  Family family = Family::constant;
  double mean = 0.0;                     ///< constant (its value), exponential, lognormal, gamma, weibull
  double cv = 0.5;                       ///< lognormal, gamma: standard deviation over mean
  double low = 0.0;                      ///< uniform
  double high = 1.0;                     ///< uniform
  double minimum = 1.0;                  ///< pareto: smallest value
  double shape = 2.0;                    ///< weibull k, pareto tail index
  std::vector<QuantilePoint> quantiles;  ///< empirical: rising p from 0 to 1, values in between are linear
  std::vector<MixturePart> parts;        ///< mixture

  static DistributionSpec constant(double value);
  static DistributionSpec uniform(double low, double high);
  static DistributionSpec exponential(double mean);
  static DistributionSpec lognormal(double mean, double cv);
  static DistributionSpec gamma(double mean, double cv);
  static DistributionSpec weibull(double mean, double shape);
  static DistributionSpec pareto(double minimum, double shape);
};

/// A share of the draws, in proportion to `weight`, comes from `value`.
struct MixturePart {
  double weight = 1.0;
  DistributionSpec value;
};

/// Mean of the distribution in its own unit; infinite for a Pareto tail index of at most 1.
double mean_of(const DistributionSpec& spec);

/// The law of factor * X.
DistributionSpec scaled(DistributionSpec spec, double factor);

}  // namespace headrace::models
