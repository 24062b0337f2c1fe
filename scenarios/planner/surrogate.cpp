#include "scenarios/planner/surrogate.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace headrace::scenarios {
namespace {

using Vector = std::vector<double>;

constexpr double kShortestLength = 0.05;
constexpr double kLongestLength = 5.0;
constexpr int kMostEvaluations = 200;

/// Logarithms of the length of each axis, then of the signal's standard deviation.
double matern(const Vector& a, const Vector& b, const Vector& log_parameters) {
  double squares = 0.0;
  for (std::size_t d = 0; d < a.size(); ++d) {
    const double distance = (a[d] - b[d]) / std::exp(log_parameters[d]);
    squares += distance * distance;
  }
  const double r = std::sqrt(5.0 * squares);
  return std::exp(2.0 * log_parameters.back() - r) * (1.0 + r + r * r / 3.0);
}

/// Minimum of f by the simplex method from `start`, in a box.
Vector nelder_mead(const std::function<double(const Vector&)>& f, const Vector& start, const Vector& low,
                   const Vector& high) {
  struct Corner {
    Vector at;
    double value;
  };
  const std::size_t n = start.size();
  int evaluations = 0;
  const auto corner = [&](Vector at) {
    for (std::size_t d = 0; d < n; ++d) at[d] = std::clamp(at[d], low[d], high[d]);
    ++evaluations;
    const double value = f(at);
    return Corner{std::move(at), value};
  };
  std::vector<Corner> simplex{corner(start)};
  for (std::size_t d = 0; d < n; ++d) {
    Vector at = start;
    at[d] += at[d] + 0.7 > high[d] ? -0.7 : 0.7;
    simplex.push_back(corner(at));
  }
  while (evaluations < kMostEvaluations) {
    std::stable_sort(simplex.begin(), simplex.end(),
                     [](const Corner& a, const Corner& b) { return a.value < b.value; });
    if (simplex.back().value - simplex.front().value < 1e-6) break;
    Vector centre(n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t d = 0; d < n; ++d) centre[d] += simplex[i].at[d] / static_cast<double>(n);
    const auto along = [&](double factor) {
      Vector at(n);
      for (std::size_t d = 0; d < n; ++d) at[d] = centre[d] + factor * (simplex.back().at[d] - centre[d]);
      return corner(at);
    };
    Corner reflected = along(-1.0);
    if (reflected.value < simplex.front().value) {
      Corner expanded = along(-2.0);
      simplex.back() = expanded.value < reflected.value ? std::move(expanded) : std::move(reflected);
    } else if (reflected.value < simplex[n - 1].value) {
      simplex.back() = std::move(reflected);
    } else {
      Corner contracted = along(0.5);
      if (contracted.value < simplex.back().value) {
        simplex.back() = std::move(contracted);
        continue;
      }
      for (std::size_t i = 1; i <= n; ++i) {
        Vector at(n);
        for (std::size_t d = 0; d < n; ++d) at[d] = 0.5 * (simplex[i].at[d] + simplex.front().at[d]);
        simplex[i] = corner(at);
      }
    }
  }
  return std::min_element(simplex.begin(), simplex.end(),
                          [](const Corner& a, const Corner& b) { return a.value < b.value; })
      ->at;
}

}  // namespace

struct GapSurrogate::Fit {
  std::vector<GapSample> samples;
  Vector log_parameters;
  double prior = 0.0;
  Eigen::LLT<Eigen::MatrixXd> factor;
  Eigen::VectorXd weights;

  Eigen::MatrixXd covariance(const Vector& parameters) const {
    const auto n = static_cast<Eigen::Index>(samples.size());
    Eigen::MatrixXd k(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const GapSample& a = samples[static_cast<std::size_t>(i)];
      for (Eigen::Index j = 0; j <= i; ++j)
        k(i, j) = k(j, i) = matern(a.at, samples[static_cast<std::size_t>(j)].at, parameters);
      k(i, i) += a.error * a.error + 1e-10;
    }
    return k;
  }

  Eigen::VectorXd residuals() const {
    Eigen::VectorXd y(static_cast<Eigen::Index>(samples.size()));
    for (std::size_t i = 0; i < samples.size(); ++i) y(static_cast<Eigen::Index>(i)) = samples[i].gap - prior;
    return y;
  }

  double minus_log_likelihood(const Vector& parameters) const {
    const Eigen::LLT<Eigen::MatrixXd> llt(covariance(parameters));
    if (llt.info() != Eigen::Success) return std::numeric_limits<double>::max();
    const Eigen::VectorXd y = residuals();
    const double log_determinant = 2.0 * llt.matrixLLT().diagonal().array().log().sum();
    return 0.5 * (y.dot(llt.solve(y)) + log_determinant);
  }
};

GapSurrogate::GapSurrogate(const std::vector<GapSample>& samples) : fit_(std::make_unique<Fit>()) {
  Fit& fit = *fit_;
  fit.samples = samples;
  const auto n = static_cast<double>(samples.size());
  for (const GapSample& sample : samples) fit.prior += sample.gap / n;
  double variance = 0.0;
  for (const GapSample& sample : samples) variance += (sample.gap - fit.prior) * (sample.gap - fit.prior) / n;
  const double spread = std::log(std::max(1e-3, std::sqrt(variance)));
  const std::size_t axes = samples.front().at.size();
  Vector start(axes, std::log(0.5));
  Vector low(axes, std::log(kShortestLength));
  Vector high(axes, std::log(kLongestLength));
  start.push_back(spread);
  low.push_back(spread - std::log(3.0));
  high.push_back(spread + std::log(10.0));
  fit.log_parameters = nelder_mead([&fit](const Vector& at) { return fit.minus_log_likelihood(at); }, start, low, high);
  fit.factor.compute(fit.covariance(fit.log_parameters));
  fit.weights = fit.factor.solve(fit.residuals());
}

GapSurrogate::~GapSurrogate() = default;

GapPrediction GapSurrogate::at(const std::vector<double>& coordinates) const {
  const Fit& fit = *fit_;
  Eigen::VectorXd k(static_cast<Eigen::Index>(fit.samples.size()));
  for (std::size_t i = 0; i < fit.samples.size(); ++i)
    k(static_cast<Eigen::Index>(i)) = matern(coordinates, fit.samples[i].at, fit.log_parameters);
  const double prior_variance = std::exp(2.0 * fit.log_parameters.back());
  const double explained = k.dot(fit.factor.solve(k));
  return {fit.prior + k.dot(fit.weights), std::sqrt(std::max(0.0, prior_variance - explained))};
}

}  // namespace headrace::scenarios
