#include "sim/first_order_effects.hpp"

#include <algorithm>
#include <array>
#include <cmath>  // std::sqrt only
#include <cstddef>
#include <stdexcept>
#include <utility>

#include "sim/portable_math.hpp"

namespace headrace::sim {

namespace {

constexpr double kLeastSquaredCorrelation = 0.5;  ///< of a control that is worth using

double plain_mean(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return values.empty() ? 0.0 : sum / static_cast<double>(values.size());
}

double plain_variance(std::span<const double> values) {
  const double mean = plain_mean(values);
  double sum = 0.0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return values.empty() ? 0.0 : sum / static_cast<double>(values.size());
}

/// Least-squares slope of the output on the control, 0 where the control says little.
double control_slope(const Response& response) {
  const std::size_t n = response.y.size();
  if (response.control.size() <= n) return 0.0;
  const std::span<const double> control = response.control.first(n);
  const double y_mean = plain_mean(response.y);
  const double c_mean = plain_mean(control);
  double covariance = 0.0;
  for (std::size_t i = 0; i < n; ++i) covariance += (response.y[i] - y_mean) * (control[i] - c_mean);
  covariance /= static_cast<double>(n);
  const double y_variance = plain_variance(response.y);
  const double c_variance = plain_variance(control);
  const bool tells = covariance * covariance >= kLeastSquaredCorrelation * y_variance * c_variance;
  return c_variance > 0.0 && tells ? covariance / c_variance : 0.0;
}

/// Legendre polynomials of degree 1 to 4 on (0, 1) with mean square 1.
std::array<double, InputBasis::kDegrees> legendre(double u) {
  const double x = 2.0 * u - 1.0;
  const double x2 = x * x;
  return {std::sqrt(3.0) * x, std::sqrt(5.0) * 0.5 * (3.0 * x2 - 1.0), std::sqrt(7.0) * 0.5 * x * (5.0 * x2 - 3.0),
          3.0 * 0.125 * (x2 * (35.0 * x2 - 30.0) + 3.0)};
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// Least squares on few of many columns, chosen one after the other, each made orthogonal to those before it.
class SparseFit {
 public:
  SparseFit(std::span<const double> values, const InputBasis& basis) : basis_(basis), residual_(values.size()) {
    const double mean = plain_mean(values);
    for (std::size_t i = 0; i < values.size(); ++i) residual_[i] = values[i] - mean;
    const std::size_t degrees = values.size() >= kPointsForHighDegrees ? InputBasis::kDegrees : 2;
    for (std::size_t input = 0; input < basis.inputs(); ++input)
      for (std::size_t degree = 1; degree <= degrees; ++degree) add_candidate(input, degree);
  }

  /// Coefficients on the polynomials: for each input those of degree 1 to 4.
  std::vector<double> coefficients() {
    const double all = dot(residual_, residual_);
    while (chosen_.size() < kMostTerms && choose(all)) {
    }
    // residual = sum of projections on the orthogonal columns; back to the columns they were made from.
    std::vector<double> weights(chosen_.size());
    for (std::size_t k = chosen_.size(); k-- > 0;) {
      weights[k] = chosen_[k].weight;
      for (std::size_t later = k + 1; later < chosen_.size(); ++later)
        weights[k] -= weights[later] * chosen_[later].overlap[k];
    }
    std::vector<double> result(basis_.inputs() * InputBasis::kDegrees, 0.0);
    for (std::size_t k = 0; k < chosen_.size(); ++k)
      result[chosen_[k].input * InputBasis::kDegrees + chosen_[k].degree - 1] = weights[k];
    return result;
  }

 private:
  static constexpr std::size_t kPointsForHighDegrees = 256;
  static constexpr std::size_t kMostTerms = 16;
  static constexpr double kLeastNorm = 0.1;  ///< of a column's square that must be left to count as another direction

  struct Column {
    std::size_t input;
    std::size_t degree;
    std::vector<double> values;   ///< orthogonal to the chosen ones
    double square;                ///< before that
    std::vector<double> overlap;  ///< coefficient on each chosen column
    double weight;
  };

  void add_candidate(std::size_t input, std::size_t degree) {
    const std::span<const double> values = basis_.column(input, degree).first(residual_.size());
    Column column{input, degree, {values.begin(), values.end()}, 0.0, {}, 0.0};
    const double mean = plain_mean(values);
    for (double& value : column.values) value -= mean;
    column.square = dot(column.values, column.values);
    candidates_.push_back(std::move(column));
  }

  /// Takes in the column that explains most; false when none explains more than chance would.
  bool choose(double all) {
    const double left = dot(residual_, residual_);
    if (!(left > 1e-20 * all)) return false;
    std::size_t best = candidates_.size();
    double most = 0.0;
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      const Column& column = candidates_[c];
      const double square = dot(column.values, column.values);
      if (!(square > kLeastNorm * column.square)) continue;
      const double projection = dot(column.values, residual_);
      const double gain = projection * projection / square;
      if (!(gain > most)) continue;
      most = gain;
      best = c;
    }
    const auto n = static_cast<double>(residual_.size());
    const double penalty = plog(n) + 2.0 * plog(static_cast<double>(candidates_.size()));
    if (best == candidates_.size() || !(n * plog(left / std::max(left - most, 1e-20 * all)) > penalty)) return false;
    take(best);
    return true;
  }

  void take(std::size_t index) {
    Column column = std::move(candidates_[index]);
    candidates_.erase(candidates_.begin() + static_cast<std::ptrdiff_t>(index));
    const double square = dot(column.values, column.values);
    column.weight = dot(column.values, residual_) / square;
    for (std::size_t i = 0; i < residual_.size(); ++i) residual_[i] -= column.weight * column.values[i];
    for (Column& other : candidates_) {
      const double overlap = dot(other.values, column.values) / square;
      for (std::size_t i = 0; i < residual_.size(); ++i) other.values[i] -= overlap * column.values[i];
      other.overlap.push_back(overlap);
    }
    chosen_.push_back(std::move(column));
  }

  const InputBasis& basis_;
  std::vector<double> residual_;
  std::vector<Column> candidates_;
  std::vector<Column> chosen_;
};

double sorted_quantile(std::span<const double> values, double p) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const double position =
      std::clamp(p * static_cast<double>(sorted.size()) - 0.5, 0.0, static_cast<double>(sorted.size() - 1));
  const auto below = static_cast<std::size_t>(position);
  if (below + 1 == sorted.size()) return sorted[below];
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[below + 1] - sorted[below]);
}

}  // namespace

InputBasis::InputBasis(std::size_t points, std::size_t inputs, const std::function<double(std::size_t, std::size_t)>& u)
    : points_(points), inputs_(inputs), values_(points * inputs * kDegrees) {
  for (std::size_t input = 0; input < inputs; ++input)
    for (std::size_t point = 0; point < points; ++point) {
      const std::array<double, kDegrees> polynomials = legendre(u(point, input));
      for (std::size_t k = 0; k < kDegrees; ++k) values_[(input * kDegrees + k) * points + point] = polynomials[k];
    }
}

Effects first_order_effects(const Response& response, const InputBasis& basis) {
  const std::size_t n = response.y.size();
  if (n > basis.points() || response.control.size() > basis.points())
    throw std::invalid_argument("effects: more values than points");
  Effects effects;
  effects.shares.assign(basis.inputs(), 0.0);
  effects.variance = plain_variance(response.y);
  const double mean = plain_mean(response.y);
  if (!(effects.variance > 1e-20 * mean * mean)) return effects;
  // output = slope * control + rest: the control's part from all of its points, the rest from the output's.
  const double slope = control_slope(response);
  std::vector<double> rest(response.y.begin(), response.y.end());
  for (std::size_t i = 0; slope != 0.0 && i < n; ++i) rest[i] -= slope * response.control[i];
  std::vector<double> coefficients = SparseFit(rest, basis).coefficients();
  double variance = effects.variance;
  if (slope != 0.0) {
    const std::vector<double> of_control = SparseFit(response.control, basis).coefficients();
    for (std::size_t i = 0; i < coefficients.size(); ++i) coefficients[i] += slope * of_control[i];
    variance += slope * slope * (plain_variance(response.control) - plain_variance(response.control.first(n)));
    if (variance > 0.0) effects.variance = variance;
  }
  for (std::size_t i = 0; i < coefficients.size(); ++i)
    effects.shares[i / InputBasis::kDegrees] += coefficients[i] * coefficients[i] / effects.variance;
  for (double& share : effects.shares) share = std::min(share, 1.0);
  return effects;
}

double quantile_over_points(const Response& response, double p) {
  double value = sorted_quantile(response.y, p);
  const double slope = control_slope(response);
  if (slope != 0.0)
    value +=
        slope * (sorted_quantile(response.control, p) - sorted_quantile(response.control.first(response.y.size()), p));
  return value;
}

}  // namespace headrace::sim
