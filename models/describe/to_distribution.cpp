#include "models/describe/to_distribution.hpp"

#include <vector>

#include "sim/portable_math.hpp"

namespace headrace::models {

namespace {

/// A Weibull law is stated by its mean: scale = mean / Gamma(1 + 1/k).
sim::Distribution weibull(const DistributionSpec& spec) {
  const double gamma = sim::pexp(sim::plgamma(1.0 + 1.0 / spec.shape));
  return sim::Distribution::weibull(spec.shape, spec.mean / gamma);
}

sim::Distribution empirical(const DistributionSpec& spec) {
  std::vector<sim::QuantilePoint> points;
  points.reserve(spec.quantiles.size());
  for (const QuantilePoint& point : spec.quantiles) points.push_back({point.p, point.value});
  return sim::Distribution::empirical(std::move(points));
}

sim::Distribution mixture(const DistributionSpec& spec) {
  std::vector<double> weights;
  std::vector<sim::Distribution> components;
  for (const MixturePart& part : spec.parts) {
    weights.push_back(part.weight);
    components.push_back(to_distribution(part.value));
  }
  return sim::Distribution::mixture(std::move(weights), std::move(components));
}

}  // namespace

sim::Distribution to_distribution(const DistributionSpec& spec) {
  // Nothing spreads around zero: a law of mean 0 is the constant 0.
  if (spec.family != Family::uniform && !(mean_of(spec) > 0.0)) return sim::Distribution::constant(0.0);
  switch (spec.family) {
    case Family::constant:
      return sim::Distribution::constant(spec.mean);
    case Family::uniform:
      return sim::Distribution::uniform(spec.low, spec.high);
    case Family::exponential:
      return sim::Distribution::exponential(spec.mean);
    case Family::lognormal:
      return spec.cv > 0.0 ? sim::Distribution::lognormal(spec.mean, spec.cv) : sim::Distribution::constant(spec.mean);
    case Family::gamma:
      return spec.cv > 0.0 ? sim::Distribution::gamma(spec.mean, spec.cv) : sim::Distribution::constant(spec.mean);
    case Family::weibull:
      return weibull(spec);
    case Family::pareto:
      return sim::Distribution::pareto(spec.shape, spec.minimum);
    case Family::empirical:
      return empirical(spec);
    case Family::mixture:
      return mixture(spec);
  }
  return sim::Distribution::constant(spec.mean);
}

}  // namespace headrace::models
