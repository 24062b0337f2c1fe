#include "models/calibration/scaling_fit.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "models/twins/worker_scaling.hpp"
#include "sim/student_t.hpp"

namespace headrace::models::calibration {
namespace {

constexpr double kLeastKappa = 1e-7;  // no count of workers shows less
constexpr double kMostKappa = 1.0;

struct Point {
  double workers = 1.0;
  double log_rate = 0.0;  ///< per worker that has a core
};

struct Minimum1 {
  double at = 0.0;
  double value = 0.0;
};

/// Least value in an interval: the best of a grid, then golden sections around it.
Minimum1 least(const std::function<double(double)>& f, double low, double high, int grid) {
  Minimum1 best{low, f(low)};
  const double step = (high - low) / grid;
  for (int i = 1; i <= grid; ++i)
    if (const double value = f(low + i * step); value < best.value) best = {low + i * step, value};
  double a = std::max(low, best.at - step);
  double b = std::min(high, best.at + step);
  constexpr double kGolden = 0.6180339887498949;
  for (int i = 0; i < 30; ++i) {
    const double c = b - kGolden * (b - a);
    const double d = a + kGolden * (b - a);
    if (f(c) < f(d))
      b = d;
    else
      a = c;
  }
  const double middle = 0.5 * (a + b);
  if (const double value = f(middle); value < best.value) best = {middle, value};
  return best;
}

class ScalingFitter {
 public:
  ScalingFitter(std::vector<Point> points, const ScalingPrior& prior) : points_(std::move(points)), prior_(prior) {
    if (!(prior_.kappa > 0.0)) prior_.weight = 0.0;
    const Minimum1 kappa = over_kappa([this](double log_kappa) { return over_sigma(log_kappa).value; });
    log_kappa_ = kappa.at;
    sigma_ = over_sigma(kappa.at).at;
    squares_ = kappa.value;
  }

  ScalingFit fit() const {
    ScalingFit result;
    const double kappa = log_kappa_ <= std::log(kLeastKappa) + 1e-6 ? 0.0 : std::exp(log_kappa_);
    const double residuals = squares(sigma_, log_kappa_) - penalty(log_kappa_);
    result.rms_log_error = std::sqrt(std::max(0.0, residuals) / static_cast<double>(points_.size()));
    const double rate = std::exp(mean_log_rate(sigma_, log_kappa_));
    result.rate_of_one_per_s = {"rate_of_one_per_s", rate, rate, rate};
    const double limit = squares_ + allowance();
    const auto by_sigma = [&](double s) { return for_sigma(s).value - limit; };
    const auto by_kappa = [&](double k) { return over_sigma(k).value - limit; };
    result.sigma = {"sigma", sigma_, end(by_sigma, sigma_, 0.0), end(by_sigma, sigma_, 1.0)};
    const double low = end(by_kappa, log_kappa_, std::log(kLeastKappa));
    const double high = end(by_kappa, log_kappa_, std::log(kMostKappa));
    result.kappa = {"kappa", kappa, low <= std::log(kLeastKappa) + 1e-6 ? 0.0 : std::exp(low), std::exp(high)};
    add_rate_interval(limit, result);
    return result;
  }

 private:
  double residual(const Point& p, double sigma, double log_kappa) const {
    return p.log_rate + std::log(twins::usl_slowdown(sigma, std::exp(log_kappa), p.workers));
  }
  double mean_log_rate(double sigma, double log_kappa) const {
    double sum = 0.0;
    for (const Point& p : points_) sum += residual(p, sigma, log_kappa);
    return sum / static_cast<double>(points_.size());
  }
  double penalty(double log_kappa) const {
    if (!(prior_.weight > 0.0)) return 0.0;
    const double off = prior_.weight * (log_kappa - std::log(prior_.kappa));
    return off * off;
  }
  double squares(double sigma, double log_kappa) const {
    const double mean = mean_log_rate(sigma, log_kappa);
    double sum = penalty(log_kappa);
    for (const Point& p : points_) {
      const double off = residual(p, sigma, log_kappa) - mean;
      sum += off * off;
    }
    return sum;
  }
  Minimum1 over_sigma(double log_kappa) const {
    return least([&](double sigma) { return squares(sigma, log_kappa); }, 0.0, 1.0, 20);
  }
  static Minimum1 over_kappa(const std::function<double(double)>& f) {
    return least(f, std::log(kLeastKappa), std::log(kMostKappa), 40);
  }
  Minimum1 for_sigma(double sigma) const {
    return over_kappa([&](double log_kappa) { return squares(sigma, log_kappa); });
  }

  /// By how much the sum of squares may rise within the 95 % interval. Three points leave no scatter to see: that of
  /// published curves counts as two more observations.
  double allowance() const {
    constexpr double kScatter = 0.074;
    constexpr double kObservations = 2.0;
    const double free = std::max(0.0, static_cast<double>(points_.size()) - 3.0) + kObservations;
    const double variance = (squares_ + kObservations * kScatter * kScatter) / free;
    const double t = sim::student_t_quantile(0.975, static_cast<std::int64_t>(free));
    return variance * t * t;
  }

  /// Where `beyond` turns positive between the best value and the end of the range.
  static double end(const std::function<double(double)>& beyond, double best, double range_end) {
    if (beyond(range_end) <= 0.0) return range_end;
    double inside = best;
    double outside = range_end;
    for (int i = 0; i < 30; ++i) {
      const double middle = 0.5 * (inside + outside);
      (beyond(middle) <= 0.0 ? inside : outside) = middle;
    }
    return inside;
  }

  /// The rate of one worker is what the law with the least and most contention of the interval makes of the points.
  void add_rate_interval(double limit, ScalingFit& result) const {
    const double scatter = std::sqrt((limit - squares_) / static_cast<double>(points_.size()));
    const double down = std::min(mean_log_rate(result.sigma.low, log_kappa_), std::log(result.rate_of_one_per_s.value));
    const double up = std::max(mean_log_rate(result.sigma.high, log_kappa_), std::log(result.rate_of_one_per_s.value));
    result.rate_of_one_per_s.low = std::exp(down - scatter);
    result.rate_of_one_per_s.high = std::exp(up + scatter);
  }

  std::vector<Point> points_;
  ScalingPrior prior_;
  double log_kappa_ = 0.0;
  double sigma_ = 0.0;
  double squares_ = 0.0;
};

/// One point per count of workers, the mean of the logarithms, so that no count weighs more than another.
std::vector<Point> points_of(std::span<const Throughput> all, double cores) {
  std::map<double, std::pair<double, double>> sums;
  for (const Throughput& one : all) {
    if (!(one.rate_per_s > 0.0) || !(one.concurrency >= 1.0)) continue;
    auto& [sum, count] = sums[one.concurrency];
    sum += std::log(one.rate_per_s);
    count += 1.0;
  }
  std::vector<Point> points;
  for (const auto& [workers, sum] : sums) {
    const double running = cores > 0.0 ? std::min(workers, cores) : workers;
    points.push_back({workers, sum.first / sum.second - std::log(running)});
  }
  return points;
}

}  // namespace

double ScalingFit::throughput(double workers, double cores) const {
  const double running = cores > 0.0 ? std::min(workers, cores) : workers;
  return rate_of_one_per_s.value * running / twins::usl_slowdown(sigma.value, kappa.value, workers);
}

ScalingFit fit_worker_scaling(std::span<const Throughput> points, double cores, const ScalingPrior& prior) {
  std::vector<Point> counts = points_of(points, cores);
  if (counts.empty()) return {};
  return ScalingFitter(std::move(counts), prior).fit();
}

}  // namespace headrace::models::calibration
