#include "models/calibration/concurrency_fit.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <set>

#include "models/calibration/nelder_mead.hpp"
#include "sim/student_t.hpp"

namespace headrace::models::calibration {
namespace {

struct Law {
  const char* family;
  std::vector<const char*> numbers;  ///< all positive: they are fitted by their logarithms
};

const std::vector<Law>& laws() {
  static const std::vector<Law> all = {{"constant", {"capacity_per_s"}},
                                       {"min", {"rate_of_one_per_s", "capacity_per_s"}},
                                       {"smooth_min", {"rate_of_one_per_s", "capacity_per_s", "sharpness"}},
                                       {"amdahl", {"rate_of_one_per_s", "contention"}},
                                       {"usl", {"rate_of_one_per_s", "contention", "coherency"}},
                                       {"mva", {"delay_s", "service_s"}}};
  return all;
}

double mva_throughput(double delay_s, double service_s, double concurrency) {
  double queue = 0.0;
  double rate = 0.0;
  for (double n = 1.0; n <= concurrency + 0.5; n += 1.0) {
    const double response = service_s * (1.0 + queue);
    rate = n / (delay_s + response);
    queue = rate * response;
  }
  return rate;
}

std::vector<double> exponentials(const std::vector<double>& logs) {
  std::vector<double> values;
  for (const double value : logs) values.push_back(std::exp(std::clamp(value, -60.0, 60.0)));
  return values;
}

/// Where the search begins, as logarithms: guesses from the lowest depth and the highest rate.
std::vector<std::vector<double>> starts_of(const Law& law, double rate_of_one, double capacity) {
  const std::string family = law.family;
  const double l = std::log(rate_of_one);
  const double c = std::log(capacity);
  const double s = std::log(std::clamp(rate_of_one / capacity, 1e-4, 0.99));
  if (family == "constant") return {{c}};
  if (family == "min") return {{l, c}, {l + 0.5, c}};
  if (family == "smooth_min") return {{l, c, 0.0}, {l, c, std::log(3.0)}};
  if (family == "amdahl") return {{l, s}};
  if (family == "usl") return {{l, s, std::log(1e-5)}, {l, s, std::log(1e-3)}, {l, s - 2.0, std::log(1e-4)}};
  return {{-l, -c}, {-l - 1.0, -c}};
}

class ThroughputFitter {
 public:
  ThroughputFitter(std::span<const Throughput> points, const std::string& parameter)
      : points_(points), parameter_(parameter) {
    const auto fewer = [](const Throughput& a, const Throughput& b) { return a.concurrency < b.concurrency; };
    const Throughput& first = *std::min_element(points.begin(), points.end(), fewer);
    rate_of_one_ = first.rate_per_s / first.concurrency;
    for (const Throughput& p : points) capacity_ = std::max(capacity_, p.rate_per_s);
  }

  Fit fit(const Law& law) const {
    Minimum best;
    bool first = true;
    for (const std::vector<double>& start : starts_of(law, rate_of_one_, capacity_)) {
      Minimum found = nelder_mead([this, &law](const std::vector<double>& at) { return squares(law, at); }, start, 0.5);
      if (first || found.value < best.value) best = std::move(found);
      first = false;
    }
    Fit result;
    result.parameter = parameter_;
    result.family = law.family;
    result.count = points_.size();
    const auto n = static_cast<double>(points_.size());
    const auto p = static_cast<double>(law.numbers.size() + 1);  // and the variance
    result.rms_log_error = std::sqrt(best.value / n);
    result.aic =
        n * std::log(std::max(best.value, 1e-12) / n) + 2.0 * p + 2.0 * p * (p + 1.0) / std::max(n - p - 1.0, 0.1);
    add_numbers(law, best, result);
    return result;
  }

 private:
  double residual(const Law& law, const std::vector<double>& at, const Throughput& point) const {
    const double modelled = throughput_of(law.family, exponentials(at), point.concurrency);
    return std::log(point.rate_per_s) - std::log(std::max(modelled, 1e-300));
  }

  double squares(const Law& law, const std::vector<double>& at) const {
    double sum = 0.0;
    for (const Throughput& point : points_) {
      const double r = residual(law, at, point);
      sum += r * r;
    }
    return sum;
  }

  /// Intervals from the curvature (Gauss and Newton) on the logarithms of the numbers, with Student's t.
  void add_numbers(const Law& law, const Minimum& best, Fit& result) const {
    const auto n = static_cast<Eigen::Index>(points_.size());
    const auto p = static_cast<Eigen::Index>(best.at.size());
    Eigen::MatrixXd jacobian(n, p);
    constexpr double kStep = 1e-4;
    for (Eigen::Index j = 0; j < p; ++j) {
      std::vector<double> up = best.at;
      std::vector<double> down = best.at;
      up[static_cast<std::size_t>(j)] += kStep;
      down[static_cast<std::size_t>(j)] -= kStep;
      for (Eigen::Index i = 0; i < n; ++i) {
        const Throughput& point = points_[static_cast<std::size_t>(i)];
        jacobian(i, j) = (residual(law, up, point) - residual(law, down, point)) / (2.0 * kStep);
      }
    }
    const Eigen::Index free = std::max<Eigen::Index>(n - p, 1);
    const Eigen::MatrixXd information = jacobian.transpose() * jacobian;
    const Eigen::FullPivLU<Eigen::MatrixXd> solver(information);
    const double variance = best.value / static_cast<double>(free);
    const double t = sim::student_t_quantile(0.975, free);
    for (Eigen::Index j = 0; j < p; ++j) {
      const double value = best.at[static_cast<std::size_t>(j)];
      FitNumber number;
      number.name = law.numbers[static_cast<std::size_t>(j)];
      number.value = std::exp(std::clamp(value, -60.0, 60.0));
      double half = 60.0;  // the points do not tell this number
      if (solver.isInvertible()) {
        const Eigen::VectorXd column = solver.solve(Eigen::VectorXd::Unit(p, j));
        half = std::min(60.0, t * std::sqrt(std::max(0.0, variance * column(j))));
      }
      number.low = std::exp(std::clamp(value - half, -60.0, 60.0));
      number.high = std::exp(std::clamp(value + half, -60.0, 60.0));
      result.numbers.push_back(number);
    }
  }

  std::span<const Throughput> points_;
  const std::string& parameter_;
  double rate_of_one_ = 1.0;
  double capacity_ = 1.0;
};

Fit undetermined(const std::string& parameter, std::size_t count, std::string why) {
  Fit fit;
  fit.parameter = parameter;
  fit.family = "none";
  fit.count = count;
  fit.decision = "undetermined: " + std::move(why);
  return fit;
}

void decide(std::vector<Fit>& fits) {
  const auto better = [](const Fit& a, const Fit& b) { return *a.aic < *b.aic; };
  std::stable_sort(fits.begin(), fits.end(), better);
  constexpr double kScatter = 0.25;  // rms of the logarithm beyond which a flat line is no finding
  constexpr double kLeastGain = 4.0;
  const auto flat = std::find_if(fits.begin(), fits.end(), [](const Fit& f) { return f.family == "constant"; });
  Fit& first = fits.front();
  const double gain = flat == fits.end() ? 1e9 : *flat->aic - *first.aic;
  const bool nothing = gain < kLeastGain && flat != fits.end() && *flat->rms_log_error > kScatter;
  if (nothing) {
    const Fit none = undetermined(first.parameter, first.count,
                                  fmt::format("no model explains more than chance (rms {:.2f})", *flat->rms_log_error));
    fits.insert(fits.begin(), none);
    return;
  }
  first.chosen = true;
  first.decision = fits.size() > 1
                       ? fmt::format("least AICc; next is {} with {:+.1f}", fits[1].family, *fits[1].aic - *first.aic)
                       : "the only model that so few points can determine";
}

}  // namespace

double throughput_of(const std::string& family, const std::vector<double>& v, double n) {
  if (family == "constant") return v[0];
  if (family == "min") return std::min(v[0] * n, v[1]);
  if (family == "smooth_min") {
    // Around the smaller of the two, so that no power overflows.
    const double small = std::min(v[0] * n, v[1]);
    const double large = std::max(v[0] * n, v[1]);
    return small * std::pow(1.0 + std::pow(small / large, v[2]), -1.0 / v[2]);
  }
  if (family == "amdahl") return v[0] * n / (1.0 + v[1] * (n - 1.0));
  if (family == "usl") return v[0] * n / (1.0 + v[1] * (n - 1.0) + v[2] * n * (n - 1.0));
  return mva_throughput(v[0], v[1], n);
}

std::vector<Fit> fit_throughput(std::span<const Throughput> points, const std::string& parameter) {
  std::vector<Throughput> good;
  std::set<double> depths;
  for (const Throughput& point : points)
    if (point.rate_per_s > 0.0 && point.concurrency >= 1.0) {
      good.push_back(point);
      depths.insert(point.concurrency);
    }
  if (depths.size() < 3 || good.size() < 6)
    return {undetermined(parameter, good.size(),
                         fmt::format("{} points at {} depths are too few", good.size(), depths.size()))};
  const ThroughputFitter fitter(good, parameter);
  std::vector<Fit> fits;
  for (const Law& law : laws())
    if (law.numbers.size() < depths.size() && good.size() > law.numbers.size() + 3) fits.push_back(fitter.fit(law));
  decide(fits);
  return fits;
}

}  // namespace headrace::models::calibration
