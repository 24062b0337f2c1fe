// Binomial counts (cache hits of a batch, rare stalls) by inversion: one uniform per count, monotone in it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace headrace::sim {

/// Smallest k with P(X <= k) >= u for X ~ Binomial(n, p). p is brought into [0, 1], u into [2^-53, 1 - 2^-53].
/// Non-decreasing in u. Where n min(p, 1-p) <= 16 the distribution function is summed: exact but for rounding (1e-13 of
/// probability). Above, the Cornish-Fisher expansion of the order 1/n with Sheppard's correction (Cornish and Fisher,
/// Revue de l'Institut International de Statistique 5, 1938), rounded: distribution function within 1e-4, mean within
/// 1e-5 and standard deviation within 1e-4 of a standard deviation. 15 to 100 ns.
std::uint32_t binomial_quantile(std::uint32_t n, double p, double u);

/// The same quantiles for one (n, p) that repeats: where they are summed, the sums are kept. A few ns.
class BinomialLaw {
 public:
  BinomialLaw(std::uint32_t n, double p);

  /// binomial_quantile(n, p, u), bit for bit.
  std::uint32_t quantile(double u) const;

 private:
  static constexpr std::size_t kGuides = 64;

  std::uint32_t n_;
  double p_;
  bool mirrored_ = false;
  std::vector<double> reached_;                 ///< distribution function at 0, 1, ...; empty where it is not summed
  std::array<std::uint32_t, kGuides> guide_{};  ///< first k at which it reaches i / kGuides
};

}  // namespace headrace::sim
