#include "sim/iid_sum.hpp"

#include <bit>
#include <cmath>  // std::sqrt only
#include <utility>

#include "sim/portable_math.hpp"

namespace headrace::sim {
namespace {

constexpr double kMostRare = 0.01;      // of the draws
constexpr double kLeastRatio = 10.0;    // of means
constexpr double kMostRareTerms = 1.0;  // in a sum, on average

double gamma_shape_of(const Distribution& term) {
  if (term.family() == Family::kExponential) return 1.0;
  if (term.family() == Family::kGamma) return 1.0 / (term.shape() * term.shape());
  return 0.0;
}

}  // namespace

std::optional<RarePart> rare_part(const Distribution& law) {
  if (law.family() != Family::kMixture) return std::nullopt;
  const std::vector<double> weights = law.weights();
  const std::vector<Distribution> components = law.components();
  // Rare ones are those far above the mean of what is not rare; the longest go first, since they hide the others.
  std::vector<bool> is_rare(weights.size(), false);
  double probability = 0.0;
  for (std::size_t round = 0; round < weights.size(); ++round) {
    std::size_t longest = weights.size();
    double rest_weight = 0.0;
    double rest_mean = 0.0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (is_rare[i]) continue;
      if (longest == weights.size() || components[i].mean() > components[longest].mean()) longest = i;
      rest_weight += weights[i];
      rest_mean += weights[i] * components[i].mean();
    }
    rest_weight -= weights[longest];
    rest_mean -= weights[longest] * components[longest].mean();
    const bool rare = probability + weights[longest] <= kMostRare && rest_weight > 0.0 &&
                      components[longest].mean() * rest_weight >= kLeastRatio * rest_mean;
    if (!rare) break;
    is_rare[longest] = true;
    probability += weights[longest];
  }
  if (!(probability > 0.0)) return std::nullopt;
  const auto part = [&](bool rare) {
    std::vector<double> part_weights;
    std::vector<Distribution> part_components;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (is_rare[i] != rare) continue;
      part_weights.push_back(weights[i]);
      part_components.push_back(components[i]);
    }
    return part_components.size() == 1 ? part_components.front()
                                       : Distribution::mixture(std::move(part_weights), std::move(part_components));
  };
  return RarePart{probability, part(false), part(true)};
}

/// Sums by the number of heavy terms, and the probability of at most that number.
struct IidSum::Counted {
  std::vector<double> at_most;
  IidSum usual;
  std::vector<double> usual_mean;
  std::vector<IidSum> rare;  ///< of 1, 2, ... terms
};

IidSum::IidSum(const Distribution& term, std::uint32_t n)
    : term_(term), count_(n), mean_(n == 0 ? 0.0 : n * term.mean()), variance_(n == 0 ? 0.0 : n * term.variance()) {
  if (n == 0 || variance_ == 0.0) return;
  if (n == 1) {
    method_ = Method::kSingle;
    return;
  }
  if (prepare_counts()) return;
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

bool IidSum::prepare_counts() {
  const std::optional<RarePart> parts = rare_part(term_);
  if (!parts || count_ * parts->probability > kMostRareTerms) return false;
  auto counted = std::make_shared<Counted>(Counted{{}, IidSum(parts->usual, count_), {}, {}});
  // Binomial probabilities by their ratio; what is left beyond is one term less than can be told from 1.
  const double odds = parts->probability / (1.0 - parts->probability);
  double probability = pexp(count_ * plog1p(-parts->probability));
  double at_most = probability;
  for (std::uint32_t k = 0; k < count_ && 1.0 - at_most > 1e-15; ++k) {
    counted->at_most.push_back(at_most);
    counted->usual_mean.push_back((count_ - k - 1) * parts->usual.mean());
    counted->rare.emplace_back(parts->rare, k + 1);
    probability *= odds * (count_ - k) / (k + 1);
    at_most += probability;
  }
  if (counted->rare.empty()) return false;
  counted_ = std::move(counted);
  method_ = Method::kRareCount;
  return true;
}

double IidSum::counted(double u) const {
  const std::vector<double>& at_most = counted_->at_most;
  if (u < at_most.front()) return counted_->usual.quantile(u / at_most.front());
  std::size_t k = 1;
  while (k < at_most.size() && u >= at_most[k]) ++k;
  const double above = k < at_most.size() ? at_most[k] : 1.0;
  const double v = (u - at_most[k - 1]) / (above - at_most[k - 1]);
  return counted_->usual_mean[k - 1] + counted_->rare[k - 1].quantile(v);
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
    case Method::kRareCount:
      return counted(u);
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

double IidSum::largest_up_to(double u) const {
  double largest = quantile(u);
  if (method_ != Method::kRareCount) return largest;
  const std::vector<double>& at_most = counted_->at_most;
  for (std::size_t k = 0; k < at_most.size() && at_most[k] <= u; ++k) {
    const double all_of_count =
        k == 0 ? counted_->usual.quantile(1.0) : counted_->usual_mean[k - 1] + counted_->rare[k - 1].quantile(1.0);
    if (all_of_count > largest) largest = all_of_count;
  }
  return largest;
}

double sum_quantile(const Distribution& term, std::uint32_t n, double u) { return IidSum(term, n).quantile(u); }

}  // namespace headrace::sim
