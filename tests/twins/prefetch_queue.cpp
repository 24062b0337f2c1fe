#include "tests/twins/prefetch_queue.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <boost/math/quadrature/gauss.hpp>

#include "models/twins/require.hpp"

namespace headrace::models::twins {
namespace {

using boost::math::quadrature::gauss;

struct LogNormal {
  double mu;
  double sigma;

  double density(double x) const {
    if (x <= 0.0) return 0.0;
    const double z = (std::log(x) - mu) / sigma;
    return std::exp(-0.5 * z * z) / (x * sigma * std::sqrt(2.0 * std::numbers::pi));
  }
  double tail(double x) const {
    return x <= 0.0 ? 1.0 : 0.5 * std::erfc((std::log(x) - mu) / (sigma * std::numbers::sqrt2));
  }
  double mean() const { return std::exp(mu + 0.5 * sigma * sigma); }
  /// E(X - k)+.
  double stop_loss(double k) const {
    if (k <= 0.0) return mean() - k;
    const double z = (mu - std::log(k)) / sigma;
    const auto cdf = [](double v) { return 0.5 * std::erfc(-v / std::numbers::sqrt2); };
    return mean() * cdf(z + sigma) - k * cdf(z);
  }
};

constexpr int kDegree = 4;
using Weights = std::array<double, kDegree + 1>;

Weights lagrange(double x) {  // basis at the nodes 0 to 4
  Weights value;
  for (int i = 0; i <= kDegree; ++i) {
    value[i] = 1.0;
    for (int j = 0; j <= kDegree; ++j) {
      if (j != i) value[i] *= (x - j) / (i - j);
    }
  }
  return value;
}

/// Adds the integrals of (Lagrange basis) x (f) over one step, [from, from + 1] in steps of the grid.
template <class F>
void add_step(Weights& sum, double base, double from, double to, double step, const F& f) {
  for (int i = 0; i <= kDegree; ++i) {
    sum[i] +=
        gauss<double, 20>::integrate([&](double u) { return step * f(u * step) * lagrange(u - base)[i]; }, from, to);
  }
}

/// Weights of the nodes m..m+4 for the integral of H(w) f(x) over that panel, x = w + shift, in grid steps.
template <class F>
Weights panel_weights(int m, double step, const F& f) {
  Weights sum{};
  for (int part = m; part < m + kDegree; ++part) {
    if (part < 0) continue;  // the density lives on x > 0
    if (part > 0) {
      add_step(sum, m, part, part + 1, step, f);
      continue;
    }
    for (double high = 1.0; high > 1e-5; high *= 0.5) add_step(sum, m, high * 0.5, high, step, f);  // steep near 0
  }
  return sum;
}

/// Solves (I - K) h = b in place by elimination without pivots, which is stable because I - K is close to an M-matrix;
/// below the diagonal K has only `band` entries per column.
void solve_banded_below(std::vector<double>& a, std::vector<double>& b, int n, int band) {
  for (int col = 0; col < n; ++col) {
    const double* pivot = &a[static_cast<std::size_t>(col) * n];
    const int last = std::min(n - 1, col + band);
    for (int row = col + 1; row <= last; ++row) {
      double* line = &a[static_cast<std::size_t>(row) * n];
      const double factor = line[col] / pivot[col];
      if (factor == 0.0) continue;
      for (int k = col; k < n; ++k) line[k] -= factor * pivot[k];
      b[row] -= factor * b[col];
    }
  }
  for (int row = n - 1; row >= 0; --row) {
    const double* line = &a[static_cast<std::size_t>(row) * n];
    for (int k = row + 1; k < n; ++k) b[row] -= line[k] * b[k];
    b[row] /= line[row];
  }
}

int panels_per_step(double sigma, int slots) {
  // A narrow law needs panels of its own width, a wide one is steep near zero; 2,048 nodes bound the work.
  const int wanted = sigma < 0.25 || sigma > 0.8 ? 32 : 16;
  return std::max(1, std::min(wanted, 512 / std::max(slots, 1)));
}

/// P(W <= w) on the grid, w = i Tc / (4 panels). H(y) = tail(a + Tc - y) + integral H(w) density(w + Tc - y) dw.
std::vector<double> solve_work_law(const LogNormal& law, int slots, int panels) {
  const int per_compute = kDegree * panels;
  const int n = per_compute * slots + 1;
  const double step = 1.0 / per_compute;
  const auto density = [&](double x) { return law.density(x); };
  const int lowest = per_compute - (n - 1);  // offset of panel 0 seen from the last node
  std::vector<Weights> weights;
  for (int m = lowest; m <= n - 1 + per_compute; ++m) {
    weights.push_back(m + kDegree <= 0 ? Weights{} : panel_weights(m, step, density));
  }
  std::vector<double> matrix(static_cast<std::size_t>(n) * n, 0.0);
  std::vector<double> h(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    double* line = &matrix[static_cast<std::size_t>(i) * n];
    line[i] = 1.0;
    for (int first = 0; first + kDegree < n; first += kDegree) {
      const Weights& w = weights[first + per_compute - i - lowest];
      for (int k = 0; k <= kDegree; ++k) line[first + k] -= w[k];
    }
    h[i] = law.tail(slots + 1.0 - i * step);
  }
  solve_banded_below(matrix, h, n, per_compute + kDegree);
  return h;
}

}  // namespace

PrefetchIdle prefetch_one_producer(double batch_mean_s, double batch_cv, double compute_s, int slots) {
  require(batch_mean_s > 0.0 && compute_s > 0.0 && batch_cv >= 0.0, "prefetch needs positive times");
  require(slots >= 0 && slots <= 256, "prefetch is solved for 0 to 256 slots");
  const double load = batch_mean_s / compute_s;
  if (batch_cv < 1e-9) return {std::max(0.0, 1.0 - 1.0 / load), load > 1.0 ? 1.0 : 0.0};
  const double sigma = std::sqrt(std::log1p(batch_cv * batch_cv));
  const LogNormal law{std::log(load) - 0.5 * sigma * sigma, sigma};
  if (slots == 0) {
    const double wait = law.stop_loss(1.0);
    return {wait / (1.0 + wait), law.tail(1.0)};
  }
  const int panels = panels_per_step(sigma, slots);
  const std::vector<double> h = solve_work_law(law, slots, panels);
  // E(X - W - Tc)+ by parts: stop_loss(a + Tc) + integral of H(w) P(X > w + Tc): every term is positive.
  const int per_compute = kDegree * panels;
  const double step = 1.0 / per_compute;
  double wait = law.stop_loss(slots + 1.0);
  for (int first = 0; first + kDegree < static_cast<int>(h.size()); first += kDegree) {
    const Weights w = panel_weights(first + per_compute, step, [&](double x) { return law.tail(x); });
    for (int k = 0; k <= kDegree; ++k) wait += w[k] * h[first + k];
  }
  return {wait / (1.0 + wait), h[0]};
}

double prefetch_exponential_idle(double load, int slots) {
  require(load > 0.0 && slots >= 0, "prefetch needs a positive load");
  // The GPU is the server of a dual queue: a ratio of probabilities load^(K-n), summed without cancellation at load 1.
  const int capacity = slots + 2;
  double sum = 0.0;
  for (int n = capacity; n >= 0; --n) sum += std::pow(load, n - capacity);
  return 1.0 / sum;
}

double folklore_empty_probability(double rho, int slots) { return (1.0 - rho) * std::pow(rho, slots); }

double prefetch_two_moment_idle(double rho, double batch_cv, int slots) {
  require(rho > 0.0 && rho < 1.0 && batch_cv > 0.0 && slots >= 0, "the two-moment rule needs a load below 1");
  const double scv = batch_cv * batch_cv;
  const double theta = -2.0 * std::log(rho) / scv;
  const double a = (1.0 - rho) / std::expm1(theta * (slots + 0.2 + 1.5 * scv));
  return a / (1.0 + a);
}

}  // namespace headrace::models::twins
