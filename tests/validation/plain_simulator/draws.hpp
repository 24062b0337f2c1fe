// Random numbers of the plain simulator: one generator, and the inverse of each law by hand.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <stdexcept>

#include "models/describe/distribution_spec.hpp"

namespace headrace::plain {

class Draws {
 public:
  explicit Draws(std::uint64_t seed) : random_(seed) {}

  /// Between 0 and 1, neither of them.
  double uniform() { return (static_cast<double>(random_() >> 11U) + 0.5) * 0x1p-53; }
  double between(double low, double high) { return low + (high - low) * uniform(); }
  std::uint64_t one_of(std::uint64_t low, std::uint64_t high) {
    const auto number = low + static_cast<std::uint64_t>(uniform() * static_cast<double>(high - low + 1));
    return std::min(number, high);
  }
  bool chance(double share) { return uniform() < share; }

  double of(const models::DistributionSpec& law) {
    using models::Family;
    switch (law.family) {
      case Family::constant:
        return law.mean;
      case Family::uniform:
        return between(law.low, law.high);
      case Family::exponential:
        return -law.mean * std::log(uniform());
      case Family::weibull:
        return law.mean / std::tgamma(1.0 + 1.0 / law.shape) * std::pow(-std::log(uniform()), 1.0 / law.shape);
      case Family::lognormal: {
        const double variance = std::log1p(law.cv * law.cv);
        return law.mean * std::exp(std::sqrt(variance) * normal() - 0.5 * variance);
      }
      default:
        throw std::invalid_argument("the plain simulator does not know this law");
    }
  }

 private:
  /// G. Box, M. Muller, Annals of Mathematical Statistics 29(2), 1958.
  double normal() {
    const double radius = std::sqrt(-2.0 * std::log(uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
  }

  std::mt19937_64 random_;
};

}  // namespace headrace::plain
