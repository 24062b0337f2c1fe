#include "sim/binomial.hpp"

#include <array>
#include <cmath>  // std::sqrt only

#include "sim/portable_math.hpp"
#include "sim/quantile_table.hpp"

namespace headrace::sim {
namespace {

constexpr double kLargestSummedMean = 16.0;
/// A sum that reaches u near 1 takes at most this many steps: P(X > 80) < 1e-30 at a mean of 16.
constexpr std::uint32_t kReciprocals = 96;

constexpr std::array<double, kReciprocals> make_reciprocals() {
  std::array<double, kReciprocals> values{};
  for (std::uint32_t i = 0; i < kReciprocals; ++i) values[i] = 1.0 / (i + 1.0);
  return values;
}
constexpr std::array<double, kReciprocals> kReciprocalOfNext = make_reciprocals();

/// The distribution function of Binomial(n, p) at 0, 1, ..., for p <= 1/2 and n p <= 16, by the recurrence of the
/// probabilities.
class Sums {
 public:
  Sums(std::uint32_t n, double p)
      : n_(n), odds_(p / (1.0 - p)), probability_(pexp(n * plog1p(-p))), reached_(probability_) {}

  std::uint32_t count() const { return k_; }
  double reached() const { return reached_; }
  bool at_end() const { return k_ == (n_ < kReciprocals ? n_ : kReciprocals); }
  void next() {
    probability_ *= odds_ * (n_ - k_) * kReciprocalOfNext[k_];
    reached_ += probability_;
    ++k_;
  }

 private:
  std::uint32_t n_;
  double odds_;
  double probability_;
  double reached_;
  std::uint32_t k_ = 0;
};

std::uint32_t summed(std::uint32_t n, double p, double u) {
  Sums sums(n, p);
  while (sums.reached() < u && !sums.at_end()) sums.next();
  return sums.count();
}

std::uint32_t expanded(std::uint32_t n, double p, double u) {
  const double q = 1.0 - p;
  const double variance = n * p * q;
  // The sum of a continuous law and a uniform rounding error has the count's variance: take 1/12 off (Sheppard).
  const double deviation = std::sqrt(variance - 1.0 / 12.0);
  const double skewness = (q - p) * variance / (deviation * deviation * deviation);
  const double excess = variance * (1.0 - 6.0 * p * q) / (deviation * deviation * deviation * deviation);
  double z = normal_quantile_table()(u);
  z = z < -7.0 ? -7.0 : (z > 7.0 ? 7.0 : z);  // beyond, the expansion need not rise
  const double square = z * z;
  const double w = z + skewness * (square - 1.0) / 6.0 + excess * z * (square - 3.0) / 24.0 -
                   skewness * skewness * z * (2.0 * square - 5.0) / 36.0;
  const double count = n * p + deviation * w + 0.5;
  if (!(count > 0.0)) return 0;
  return count < n ? static_cast<std::uint32_t>(count) : n;
}

}  // namespace

std::uint32_t binomial_quantile(std::uint32_t n, double p, double u) {
  if (!(p > 0.0) || n == 0) return 0;
  if (!(p < 1.0)) return n;
  const double inside = detail::clamp_probability(u);
  const bool mirrored = p > 0.5;
  const double rarer = mirrored ? 1.0 - p : p;
  if (n * rarer > kLargestSummedMean) return expanded(n, p, inside);
  return mirrored ? n - summed(n, rarer, 1.0 - inside) : summed(n, rarer, inside);
}

BinomialLaw::BinomialLaw(std::uint32_t n, double p) : n_(n), p_(p) {
  if (!(p > 0.0) || !(p < 1.0) || n == 0) return;
  mirrored_ = p > 0.5;
  const double rarer = mirrored_ ? 1.0 - p : p;
  if (n * rarer > kLargestSummedMean) return;
  Sums sums(n, rarer);
  for (reached_.push_back(sums.reached()); !sums.at_end(); reached_.push_back(sums.reached())) sums.next();
  for (std::size_t i = 0; i < kGuides; ++i)
    while (guide_[i] + 1 < reached_.size() && reached_[guide_[i]] < static_cast<double>(i) / kGuides) ++guide_[i];
}

std::uint32_t BinomialLaw::quantile(double u) const {
  if (reached_.empty()) return binomial_quantile(n_, p_, u);
  const double inside = detail::clamp_probability(u);
  const double aim = mirrored_ ? 1.0 - inside : inside;
  std::uint32_t k = guide_[static_cast<std::size_t>(aim * kGuides)];
  while (k + 1 < reached_.size() && reached_[k] < aim) ++k;
  return mirrored_ ? n_ - k : k;
}

}  // namespace headrace::sim
