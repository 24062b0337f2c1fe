#include "sim/iid_sum.hpp"

#include <bit>
#include <cmath>  // std::sqrt only

#include "sim/portable_math.hpp"

namespace headrace::sim {
namespace {

bool is_finite(double x) { return x - x == 0.0; }

double gamma_shape_of(const Distribution& term) {
  if (term.family() == Family::kExponential) return 1.0;
  if (term.family() == Family::kGamma) return 1.0 / (term.shape() * term.shape());
  return 0.0;
}

}  // namespace

IidSum::IidSum(const Distribution& term, std::uint32_t n)
    : term_(term), count_(n), mean_(n == 0 ? 0.0 : n * term.mean()), variance_(n == 0 ? 0.0 : n * term.variance()) {
  if (n == 0 || variance_ == 0.0) return;
  if (n == 1) {
    method_ = Method::kSingle;
    return;
  }
  least_ = n * term.minimum();
  greatest_ = n * term.maximum();
  if (!is_finite(variance_)) {
    method_ = Method::kLargestTerm;
    prepare_largest_term();
    return;
  }
  const double gamma_shape = n * gamma_shape_of(term);
  if (gamma_shape >= 2.0) {
    method_ = Method::kWilsonHilferty;
    sigma_ = 1.0 / (3.0 * std::sqrt(gamma_shape));
    location_ = 1.0 - sigma_ * sigma_;
    const double cube_mean = location_ * (location_ * location_ + 3.0 * sigma_ * sigma_);
    scale_ = mean_ / cube_mean;
    return;
  }
  match_three_moments(n * term.third_moment());
}

void IidSum::match_three_moments(double third) {
  const double deviation = std::sqrt(variance_);
  if (!is_finite(third)) return match_two_moments();
  const double skewness = third / (variance_ * deviation);
  const double size = skewness < 0.0 ? -skewness : skewness;
  if (size < 1e-6) {
    method_ = Method::kNormal;
    return;
  }
  // The log-normal with exp(sigma^2) = 1 + w has the skewness (3 + w) sqrt(w); Cardano's root, without cancellation.
  const double growth = pexpm1(plog1p(0.5 * size * (size + std::sqrt(4.0 + size * size))) / 3.0);
  const double w = growth * growth / (1.0 + growth);
  const double part_mean = deviation / std::sqrt(w);
  const double sign = skewness < 0.0 ? -1.0 : 1.0;
  method_ = Method::kShiftedLognormal;
  sigma_ = sign * std::sqrt(plog1p(w));
  scale_ = sign * part_mean / std::sqrt(1.0 + w);
  location_ = mean_ - sign * part_mean;
  // A shift far below the least sum would cut off a part of the law, and with it its mean.
  constexpr double kLargestCut = -3.1;  // z of 1e-3
  if (sign > 0.0 && location_ < least_ && plog((least_ - location_) / scale_) > kLargestCut * sigma_) {
    match_two_moments();
  }
}

void IidSum::match_two_moments() {
  const double above_least = mean_ - least_;
  const double square = variance_ / (above_least * above_least);
  method_ = Method::kShiftedLognormal;
  sigma_ = std::sqrt(plog1p(square));
  scale_ = above_least / std::sqrt(1.0 + square);
  location_ = least_;
}

double IidSum::largest_term(double u) const {
  return term_.quantile(1.0 + pexpm1(plog(detail::clamp_probability(u)) / count_));
}

void IidSum::prepare_largest_term() {
  if (!is_finite(mean_)) return;  // the others have no mean: the largest term alone, a lower bound
  double expected = 0.0;
  for (int octave = 53; octave >= 2; --octave) {
    const double start = std::bit_cast<double>(static_cast<std::uint64_t>(1023 - octave) << 52);
    for (int cell = 0; cell < 16; ++cell) {
      const double v = start + start * (cell + 0.5) / 16.0;
      expected += (largest_term(v) + largest_term(1.0 - v)) * start / 16.0;
    }
  }
  const double others = mean_ - expected;
  location_ = others > 0.0 ? others : 0.0;
}

double IidSum::quantile(double u) const {
  switch (method_) {
    case Method::kConstant:
      return mean_;
    case Method::kSingle:
      return term_.quantile(u);
    case Method::kLargestTerm:
      return location_ + largest_term(u);
    default:
      break;
  }
  const double z = normal_quantile_table()(u);
  double value = 0.0;
  if (method_ == Method::kWilsonHilferty) {
    const double root = location_ + sigma_ * z;
    value = scale_ * root * root * root;
  } else if (method_ == Method::kShiftedLognormal) {
    value = location_ + scale_ * pexp(sigma_ * z);
  } else {
    value = mean_ + std::sqrt(variance_) * z;
    value = value < greatest_ ? value : greatest_;  // as often as it is raised to the least: the mean stays
  }
  return value > least_ ? value : least_;
}

double sum_quantile(const Distribution& term, std::uint32_t n, double u) { return IidSum(term, n).quantile(u); }

}  // namespace headrace::sim
