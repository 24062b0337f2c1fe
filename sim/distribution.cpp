#include "sim/distribution.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>  // std::sqrt only
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>

#include "sim/portable_math.hpp"

namespace headrace::sim {
namespace {

/// Gamma laws with a larger shape are tabulated by Wilson and Hilferty's cube.
constexpr double kLargestExactGammaShape = 1100.0;
constexpr std::size_t kTablesKept = 64;  ///< 13 MB at most

void require(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}

struct Moments {
  double mean = 0.0;
  double variance = 0.0;
  double third = 0.0;  ///< central
};

Moments lognormal_moments(double cv) {
  const double square = cv * cv;
  return {1.0, square, square * square * (3.0 + square)};
}

Moments gamma_moments(double cv) { return {1.0, cv * cv, 2.0 * cv * cv * cv * cv}; }

Moments weibull_moments(double shape) {
  const double first = pexp(plgamma(1.0 + 1.0 / shape));
  const double second = pexp(plgamma(1.0 + 2.0 / shape));
  const double third = pexp(plgamma(1.0 + 3.0 / shape));
  return {first, second - first * first, third - 3.0 * first * second + 2.0 * first * first * first};
}

Moments pareto_moments(double shape) {
  Moments moments{kInfinity, kInfinity, kInfinity};
  if (shape > 1.0) moments.mean = shape / (shape - 1.0);
  if (shape > 2.0) moments.variance = shape / ((shape - 1.0) * (shape - 1.0) * (shape - 2.0));
  if (shape > 3.0) {
    const double skewness = 2.0 * (1.0 + shape) / (shape - 3.0) * std::sqrt((shape - 2.0) / shape);
    moments.third = skewness * moments.variance * std::sqrt(moments.variance);
  }
  return moments;
}

Moments moments_of(Family family, double shape) {
  switch (family) {
    case Family::kExponential:
      return {1.0, 1.0, 2.0};
    case Family::kLognormal:
      return lognormal_moments(shape);
    case Family::kGamma:
      return gamma_moments(shape);
    case Family::kWeibull:
      return weibull_moments(shape);
    default:
      return pareto_moments(shape);
  }
}

/// Of the law whose quantile function is straight between the points and constant outside.
Moments empirical_moments(const std::vector<QuantilePoint>& points) {
  const QuantilePoint& first = points.front();
  const QuantilePoint& last = points.back();
  double mean = first.probability * first.value + (1.0 - last.probability) * last.value;
  for (std::size_t i = 1; i < points.size(); ++i) {
    mean += (points[i].probability - points[i - 1].probability) * 0.5 * (points[i].value + points[i - 1].value);
  }
  Moments moments{mean, 0.0, 0.0};
  const auto add = [&](double weight, double from, double to) {
    const double a = from - mean;
    const double b = to - mean;
    moments.variance += weight * (a * a + a * b + b * b) / 3.0;
    moments.third += weight * (a + b) * (a * a + b * b) / 4.0;
  };
  add(first.probability, first.value, first.value);
  for (std::size_t i = 1; i < points.size(); ++i) {
    add(points[i].probability - points[i - 1].probability, points[i - 1].value, points[i].value);
  }
  add(1.0 - last.probability, last.value, last.value);
  return moments;
}

Moments mixture_moments(const std::vector<double>& weights, const std::vector<Distribution>& components) {
  Moments moments;
  for (std::size_t i = 0; i < weights.size(); ++i) moments.mean += weights[i] * components[i].mean();
  if (!is_finite(moments.mean)) return {kInfinity, kInfinity, kInfinity};
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double shift = components[i].mean() - moments.mean;
    const double variance = components[i].variance();
    moments.variance += weights[i] * (variance + shift * shift);
    moments.third =
        is_finite(variance) && is_finite(moments.third)
            ? moments.third + weights[i] * (components[i].third_moment() + (3.0 * variance + shift * shift) * shift)
            : kInfinity;
  }
  return moments;
}

TailPoint lognormal_tail(double sigma, double v, bool upper) {
  constexpr double kSqrtTwoPi = 0x1.40d931ff62706p+1;
  const double z = normal_quantile(v);
  const double value = pexp((upper ? -sigma : sigma) * z - 0.5 * sigma * sigma);
  return {value, sigma * value * kSqrtTwoPi * pexp(0.5 * z * z)};
}

/// Scale 1. Exponential laws are those of shape 1.
TailPoint weibull_tail(double shape, double v, bool upper) {
  const double hazard = upper ? -plog(v) : -plog1p(-v);
  const double value = ppow(hazard, 1.0 / shape);
  return {value, value / (shape * hazard * (upper ? v : 1.0 - v))};
}

/// Minimum 1.
TailPoint pareto_tail(double shape, double v, bool upper) {
  const double log_survival = upper ? plog(v) : plog1p(-v);
  const double value = pexp(-log_survival / shape);
  return {value, value / (shape * (upper ? v : 1.0 - v))};
}

/// Mean 1, by Newton's iteration on the log tail against log x, which is concave: from outside it never overshoots.
/// Each point starts from the one before, so the table must ask in order.
class GammaTail {
 public:
  explicit GammaTail(double shape)
      : shape_(shape), log_gamma_(plgamma(shape)), log_guess_{0.0, plog(40.0 + 2.0 * shape)} {
    log_guess_[0] = (plog(0x1p-53) + log_gamma_ + plog(shape)) / shape;
  }

  TailPoint operator()(double v, bool upper) {
    double& y = log_guess_[upper ? 1 : 0];
    const double log_v = plog(v);
    for (int iteration = 0; iteration < 100; ++iteration) {
      const double x = pexp(y);
      const GammaTails tails = incomplete_gamma(shape_, log_gamma_, x);
      const double tail = upper ? tails.upper : tails.lower;
      const double x_density = pexp(shape_ * y - x - log_gamma_);
      double step = (plog(tail) - log_v) * tail / x_density;
      if (!upper) step = -step;
      step = step > 1.0 ? 1.0 : (step < -1.0 ? -1.0 : step);
      y += step;
      if (step < 1e-14 && step > -1e-14) break;
    }
    const double x = pexp(y);
    return {x / shape_, pexp(x + log_gamma_ - (shape_ - 1.0) * y) / shape_};
  }

 private:
  double shape_;
  double log_gamma_;
  std::array<double, 2> log_guess_;
};

TailPoint wilson_hilferty_tail(double gamma_shape, double v, bool upper) {
  constexpr double kSqrtTwoPi = 0x1.40d931ff62706p+1;
  const double deviation = 1.0 / (3.0 * std::sqrt(gamma_shape));
  const double z = normal_quantile(v);
  const double root = 1.0 - 1.0 / (9.0 * gamma_shape) + (upper ? -z : z) * deviation;
  return {root * root * root, 3.0 * root * root * deviation * kSqrtTwoPi * pexp(0.5 * z * z)};
}

QuantileTable::TailFunction tail_of(Family family, double shape) {
  switch (family) {
    case Family::kLognormal: {
      const double sigma = std::sqrt(plog1p(shape * shape));
      return [sigma](double v, bool upper) { return lognormal_tail(sigma, v, upper); };
    }
    case Family::kGamma: {
      const double gamma_shape = 1.0 / (shape * shape);
      if (gamma_shape <= kLargestExactGammaShape) return GammaTail(gamma_shape);
      return [gamma_shape](double v, bool upper) { return wilson_hilferty_tail(gamma_shape, v, upper); };
    }
    case Family::kPareto:
      return [shape](double v, bool upper) { return pareto_tail(shape, v, upper); };
    default:
      return [shape](double v, bool upper) { return weibull_tail(shape, v, upper); };
  }
}

std::string number(double value) {
  std::array<char, 40> text{};
  const auto result = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), result.ptr};
}

/// Probabilities at which a component of a mixture is looked at: 128 to the octave of min(u, 1 - u) down to 1/1024, 32
/// below.
std::vector<double> mixture_grid() {
  std::vector<double> grid;
  for (int octave = 53; octave >= 2; --octave) {
    const double start = std::bit_cast<double>(static_cast<std::uint64_t>(1023 - octave) << 52);
    const int pieces = octave <= 11 ? 128 : 32;
    for (int i = 0; i < pieces; ++i) grid.push_back(start + start * i / pieces);
  }
  const std::size_t lower = grid.size();
  grid.push_back(0.5);
  for (std::size_t i = lower; i-- > 0;) grid.push_back(1.0 - grid[i]);
  return grid;
}

/// The distribution function of one component of a mixture, by bisection of its quantile function.
class ComponentCdf {
 public:
  ComponentCdf(const Distribution& law, const std::vector<double>& grid) : law_(law), grid_(grid) {
    values_.reserve(grid.size());
    for (const double u : grid) values_.push_back(law.quantile(u));
  }

  /// P(X <= x), or P(X < x) where `strictly`.
  double operator()(double x, bool strictly) const {
    const auto above = strictly ? std::lower_bound(values_.begin(), values_.end(), x)
                                : std::upper_bound(values_.begin(), values_.end(), x);
    if (above == values_.begin()) return 0.0;
    if (above == values_.end()) return 1.0;
    const auto index = static_cast<std::size_t>(above - values_.begin());
    double low = grid_[index - 1];
    double high = grid_[index];
    while (high - low > high * 0x1p-52) {
      const double middle = 0.5 * (low + high);
      if (middle <= low || middle >= high) break;
      const double value = law_.quantile(middle);
      (strictly ? value < x : value <= x) ? low = middle : high = middle;
    }
    return low;
  }

  const std::vector<double>& values() const { return values_; }

 private:
  const Distribution& law_;
  const std::vector<double>& grid_;
  std::vector<double> values_;
};

std::vector<double> mixture_values(const std::vector<Distribution>& components, const std::vector<ComponentCdf>& cdfs) {
  std::vector<double> values;
  for (std::size_t i = 0; i < components.size(); ++i) {
    const std::vector<double>& grid_values = cdfs[i].values();
    values.insert(values.end(), grid_values.begin(), grid_values.end());
    for (const QuantilePoint& point : components[i].points()) values.push_back(point.value);
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// The inverse of the mixed distribution function. At each value two knots, P(X < x) and P(X <= x), so that atoms
/// become flat parts and gaps become jumps.
std::vector<QuantilePoint> mixture_points(const std::vector<double>& weights,
                                          const std::vector<Distribution>& components) {
  const std::vector<double> grid = mixture_grid();
  std::vector<ComponentCdf> cdfs;
  cdfs.reserve(components.size());
  for (const Distribution& component : components) cdfs.emplace_back(component, grid);
  std::vector<QuantilePoint> points;
  double reached = 0.0;
  for (const double x : mixture_values(components, cdfs)) {
    double below = 0.0;
    double up_to = 0.0;
    for (std::size_t i = 0; i < components.size(); ++i) {
      const Family family = components[i].family();
      const bool has_atoms = family == Family::kConstant || family == Family::kEmpirical;
      const double probability = cdfs[i](x, false);
      up_to += weights[i] * probability;
      below += weights[i] * (has_atoms ? cdfs[i](x, true) : probability);
    }
    for (const double probability : {below, up_to}) {
      const double bounded = std::min(probability, 1.0);
      if (!points.empty() && bounded <= reached && points.back().value == x) continue;
      reached = std::max(reached, bounded);
      points.push_back({reached, x});
    }
  }
  return points;
}

}  // namespace

struct Distribution::Law {
  Family family = Family::kConstant;
  double shape = 0.0;  ///< of a smooth law
  Moments moments;     ///< at scale 1
  std::vector<QuantilePoint> points;
  std::vector<double> weights;
  std::vector<Distribution> components;

  /// One of the two is tabulated.
  struct Tables {
    std::optional<QuantileTable> smooth;
    std::optional<KnotTable> knots;
  };

  /// Made for the first draw: whoever asks for moments alone pays for no table.
  const Tables& tables() const {
    std::call_once(tabulated_, [this] {
      if (family == Family::kEmpirical)
        tables_.knots.emplace(points);
      else if (family == Family::kMixture)
        tables_.knots.emplace(mixture_points(weights, components));
      else
        tables_.smooth.emplace(tail_of(family, shape));
    });
    return tables_;
  }

 private:
  mutable std::once_flag tabulated_;
  mutable Tables tables_;
};

const char* family_name(Family family) {
  static constexpr std::array kNames = {"constant", "uniform", "exponential", "lognormal", "gamma",
                                        "weibull",  "pareto",  "empirical",   "mixture"};
  return kNames[static_cast<std::size_t>(family)];
}

Distribution::Distribution(const Distribution& other) noexcept
    : family_(other.family_),
      shape_(other.shape_),
      offset_(other.offset_),
      scale_(other.scale_),
      smooth_(other.smooth_.load(std::memory_order_acquire)),
      knots_(other.knots_.load(std::memory_order_acquire)),
      law_(other.law_) {}

Distribution& Distribution::operator=(const Distribution& other) noexcept {
  if (this == &other) return *this;
  family_ = other.family_;
  shape_ = other.shape_;
  offset_ = other.offset_;
  scale_ = other.scale_;
  smooth_.store(other.smooth_.load(std::memory_order_acquire), std::memory_order_release);
  knots_.store(other.knots_.load(std::memory_order_acquire), std::memory_order_release);
  law_ = other.law_;
  return *this;
}

Distribution Distribution::from_law(std::shared_ptr<const Law> law) {
  Distribution result;
  result.family_ = law->family;
  result.scale_ = 1.0;
  result.law_ = std::move(law);
  return result;
}

void Distribution::tabulate() const {
  const Law::Tables& tables = law_->tables();
  smooth_.store(tables.smooth ? &*tables.smooth : nullptr, std::memory_order_release);
  knots_.store(tables.knots ? &*tables.knots : nullptr, std::memory_order_release);
}

double Distribution::first_quantile(double u) const {
  tabulate();
  return quantile(u);
}

Distribution Distribution::smooth(Family family, double shape, double scale) {
  static std::mutex mutex;
  static std::map<std::pair<Family, double>, std::weak_ptr<const Law>> laws;
  // The latest tables stay: studies ask for the same few laws again and again, one scenario after the other.
  static std::array<std::shared_ptr<const Law>, kTablesKept> latest;
  static std::size_t next = 0;
  const std::lock_guard lock(mutex);
  std::weak_ptr<const Law>& known = laws[{family, shape}];
  std::shared_ptr<const Law> law = known.lock();
  if (law == nullptr) {
    auto made = std::make_shared<Law>();
    made->family = family;
    made->shape = shape;
    made->moments = moments_of(family, shape);
    law = made;
    known = law;
    latest[next++ % kTablesKept] = law;
  }
  Distribution result = from_law(std::move(law));
  result.shape_ = shape;
  result.scale_ = scale;
  return result;
}

Distribution Distribution::constant(double value) {
  require(is_finite(value), "constant: the value must be finite");
  Distribution result;
  result.offset_ = value;
  return result;
}

Distribution Distribution::uniform(double minimum, double maximum) {
  require(is_finite(minimum) && is_finite(maximum), "uniform: the bounds must be finite");
  require(minimum <= maximum, "uniform: the minimum must not exceed the maximum");
  if (minimum == maximum) return constant(minimum);
  Distribution result;
  result.family_ = Family::kUniform;
  result.offset_ = minimum;
  result.scale_ = maximum - minimum;
  return result;
}

Distribution Distribution::exponential(double mean) {
  require(mean > 0.0 && is_finite(mean), "exponential: the mean must be positive and finite");
  Distribution result = smooth(Family::kExponential, 1.0, mean);
  result.shape_ = 0.0;
  return result;
}

Distribution Distribution::lognormal(double mean, double cv) {
  require(mean > 0.0 && is_finite(mean), "lognormal: the mean must be positive and finite");
  require(cv >= 0.0 && cv <= 1000.0, "lognormal: the cv must be within 0 and 1000");
  return cv < 1e-9 ? constant(mean) : smooth(Family::kLognormal, cv, mean);
}

Distribution Distribution::gamma(double mean, double cv) {
  require(mean > 0.0 && is_finite(mean), "gamma: the mean must be positive and finite");
  require(cv >= 0.0 && cv <= 4.0, "gamma: the cv must be within 0 and 4");
  return cv < 1e-9 ? constant(mean) : smooth(Family::kGamma, cv, mean);
}

Distribution Distribution::weibull(double shape, double scale) {
  require(shape >= 0.1 && shape <= 100.0, "weibull: the shape must be within 0.1 and 100");
  require(scale > 0.0 && is_finite(scale), "weibull: the scale must be positive and finite");
  return smooth(Family::kWeibull, shape, scale);
}

Distribution Distribution::pareto(double shape, double minimum) {
  require(shape >= 0.1 && shape <= 1000.0, "pareto: the shape must be within 0.1 and 1000");
  require(minimum > 0.0 && is_finite(minimum), "pareto: the minimum must be positive and finite");
  return smooth(Family::kPareto, shape, minimum);
}

Distribution Distribution::empirical(std::vector<QuantilePoint> points) {
  require(!points.empty(), "empirical: at least one point is needed");
  for (std::size_t i = 0; i < points.size(); ++i) {
    require(points[i].probability >= 0.0 && points[i].probability <= 1.0,
            "empirical: probabilities must be within 0 and 1");
    require(is_finite(points[i].value), "empirical: values must be finite");
    if (i == 0) continue;
    require(points[i - 1].probability <= points[i].probability, "empirical: probabilities must not fall");
    require(points[i - 1].value <= points[i].value, "empirical: values must not fall");
  }
  if (points.front().value == points.back().value) return constant(points.front().value);
  auto law = std::make_shared<Law>();
  law->family = Family::kEmpirical;
  law->moments = empirical_moments(points);
  law->points = std::move(points);
  return from_law(std::move(law));
}

Distribution Distribution::mixture(std::vector<double> weights, std::vector<Distribution> components) {
  require(weights.size() == components.size(), "mixture: one weight is needed for each component");
  double sum = 0.0;
  for (const double weight : weights) {
    require(weight >= 0.0 && is_finite(weight), "mixture: weights must be finite and not negative");
    sum += weight;
  }
  require(sum > 0.0 && is_finite(sum), "mixture: one weight must be positive");
  auto law = std::make_shared<Law>();
  law->family = Family::kMixture;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0.0) continue;
    const double weight = weights[i] / sum;
    const bool nested = components[i].family() == Family::kMixture;  // flattened, so that its jumps stay exact
    const std::vector<Distribution> parts = nested ? components[i].components() : std::vector{components[i]};
    const std::vector<double> shares = nested ? components[i].weights() : std::vector{1.0};
    for (std::size_t j = 0; j < parts.size(); ++j) {
      law->weights.push_back(weight * shares[j]);
      law->components.push_back(parts[j]);
    }
  }
  if (law->components.size() == 1) return law->components.front();
  law->moments = mixture_moments(law->weights, law->components);
  return from_law(std::move(law));
}

void Distribution::quantiles(std::span<const double> u, std::span<double> out) const {
  require(u.size() == out.size(), "quantiles: input and output must have the same size");
  const std::size_t size = u.size();
  if (law_ != nullptr) tabulate();
  if (const QuantileTable* smooth = smooth_.load(std::memory_order_acquire)) {
    const QuantileTable& table = *smooth;
    const double scale = scale_;
    for (std::size_t i = 0; i < size; ++i) out[i] = scale * table(u[i]);
    return;
  }
  for (std::size_t i = 0; i < size; ++i) out[i] = quantile(u[i]);
}

double Distribution::mean() const {
  if (law_ != nullptr) return scale_ * law_->moments.mean;
  return offset_ + 0.5 * scale_;
}

double Distribution::variance() const {
  const double square = scale_ * scale_;
  return law_ != nullptr ? square * law_->moments.variance : square / 12.0;
}

double Distribution::third_moment() const {
  return law_ != nullptr ? scale_ * scale_ * scale_ * law_->moments.third : 0.0;
}

double Distribution::cv() const {
  const double spread = variance();
  if (spread == 0.0) return 0.0;
  return is_finite(spread) ? std::sqrt(spread) / mean() : kInfinity;
}

double Distribution::minimum() const { return quantile(0.0); }
double Distribution::maximum() const { return quantile(1.0); }

Distribution Distribution::scaled(double factor) const {
  require(factor >= 0.0 && is_finite(factor), "scaled: the factor must be finite and not negative");
  if (factor == 0.0) return constant(0.0);
  Distribution result = *this;
  result.offset_ *= factor;
  result.scale_ *= factor;
  return result;
}

std::vector<QuantilePoint> Distribution::points() const {
  if (law_ == nullptr) return {};
  std::vector<QuantilePoint> points = law_->points;
  for (QuantilePoint& point : points) point.value *= scale_;
  return points;
}

std::vector<double> Distribution::weights() const { return law_ != nullptr ? law_->weights : std::vector<double>{}; }

std::vector<Distribution> Distribution::components() const {
  std::vector<Distribution> result;
  if (law_ == nullptr) return result;
  for (const Distribution& component : law_->components) result.push_back(component.scaled(scale_));
  return result;
}

std::string Distribution::describe() const {
  const std::string name = family_name(family_);
  const auto two = [&](const char* first, double a, const char* second, double b) {
    return name + "(" + first + " " + number(a) + ", " + second + " " + number(b) + ")";
  };
  switch (family_) {
    case Family::kConstant:
      return name + "(" + number(offset_) + ")";
    case Family::kUniform:
      return two("minimum", offset_, "maximum", offset_ + scale_);
    case Family::kExponential:
      return name + "(mean " + number(scale_) + ")";
    case Family::kLognormal:
    case Family::kGamma:
      return two("mean", scale_, "cv", shape_);
    case Family::kWeibull:
      return two("shape", shape_, "scale", scale_);
    case Family::kPareto:
      return two("shape", shape_, "minimum", scale_);
    case Family::kEmpirical:
      return name + "(" + std::to_string(law_->points.size()) + " points)";
    case Family::kMixture:
      break;
  }
  std::string text = name + "(";
  const std::vector<Distribution> parts = components();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    text += (i == 0 ? "" : ", ") + number(law_->weights[i]) + " " + parts[i].describe();
  }
  return text + ")";
}

}  // namespace headrace::sim
