#include "models/calibration/latency_fit.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <functional>
#include <numbers>

#include "models/calibration/nelder_mead.hpp"

namespace headrace::models::calibration {
namespace {

using Numbers = std::vector<double>;

/// A bin that holds something, in microseconds, which keeps the numbers of the laws near 1.
struct Bin {
  double low;
  double high;
  double count;
  double middle_log() const { return std::log(0.5 * (low + high)); }
};

std::vector<Bin> bins_of(const LatencyHistogram& histogram) {
  std::vector<Bin> bins;
  for (std::size_t i = 0; i < LatencyHistogram::kBins; ++i)
    if (histogram.count_in(i) > 0)
      bins.push_back({1e-3 * LatencyHistogram::low_edge_ns(i), 1e-3 * LatencyHistogram::high_edge_ns(i),
                      static_cast<double>(histogram.count_in(i))});
  return bins;
}

double normal_cdf(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

double lognormal_cdf(double x, double mean_log, double sigma) {
  return x <= 0.0 ? 0.0 : normal_cdf((std::log(x) - mean_log) / sigma);
}

/// A family: names of its numbers, all positive, and its distribution function in microseconds.
struct Family {
  std::string name;
  std::vector<std::string> numbers;
  std::function<double(double, const Numbers&)> cdf;
};

struct Fitted {
  Family family;
  Numbers numbers;
};

double log_likelihood(const std::vector<Bin>& bins, const Family& family, const Numbers& numbers) {
  constexpr double kLeast = 1e-12;  // a law that excludes what happened is bad, not impossible
  double sum = 0.0;
  double edge = -1.0;
  double below = 0.0;
  for (const Bin& bin : bins) {
    const double low = bin.low == edge ? below : family.cdf(bin.low, numbers);
    const double high = family.cdf(bin.high, numbers);
    sum += bin.count * std::log(std::max(high - low, kLeast));
    edge = bin.high;
    below = high;
  }
  return sum;
}

struct Moments {
  double count = 0.0;
  double mean_log = 0.0;
  double sd_log = 0.0;
  double mean = 0.0;
};

Moments moments_of(const std::vector<Bin>& bins) {
  Moments m;
  for (const Bin& bin : bins) {
    m.count += bin.count;
    m.mean_log += bin.count * bin.middle_log();
    m.mean += bin.count * 0.5 * (bin.low + bin.high);
  }
  m.mean_log /= m.count;
  m.mean /= m.count;
  for (const Bin& bin : bins) m.sd_log += bin.count * (bin.middle_log() - m.mean_log) * (bin.middle_log() - m.mean_log);
  m.sd_log = std::max(std::sqrt(m.sd_log / m.count), 1e-6);
  return m;
}

Family lognormal() {
  return {"lognormal", {"median_us", "sigma"}, [](double x, const Numbers& n) {
            return lognormal_cdf(x, std::log(n[0]), n[1]);
          }};
}

Family shifted_lognormal() {
  return {"shifted_lognormal", {"shift_us", "median_us", "sigma"}, [](double x, const Numbers& n) {
            return lognormal_cdf(x - n[0], std::log(n[1]), n[2]);
          }};
}

Family gamma() {
  return {"gamma", {"shape", "scale_us"}, [](double x, const Numbers& n) {
            return x <= 0.0 ? 0.0 : boost::math::gamma_p(n[0], x / n[1]);
          }};
}

Family weibull() {
  return {"weibull", {"shape", "scale_us"}, [](double x, const Numbers& n) {
            return x <= 0.0 ? 0.0 : -std::expm1(-std::pow(x / n[1], n[0]));
          }};
}

Family mixture(std::size_t parts) {
  Family family;
  family.name = fmt::format("lognormal_mixture_{}", parts);
  for (std::size_t k = 1; k <= parts; ++k)
    for (const char* what : {"weight", "median_us", "sigma"}) family.numbers.push_back(fmt::format("{}_{}", what, k));
  family.cdf = [parts](double x, const Numbers& n) {
    double sum = 0.0;
    for (std::size_t k = 0; k < parts; ++k) sum += n[3 * k] * lognormal_cdf(x, std::log(n[3 * k + 1]), n[3 * k + 2]);
    return sum;
  };
  return family;
}

/// Expectation and maximisation (Dempster, Laird, Rubin 1977) on the logarithms of the middles of the bins.
Numbers fit_mixture(const std::vector<Bin>& bins, std::size_t parts) {
  const Moments all = moments_of(bins);
  Numbers weight(parts, 1.0 / static_cast<double>(parts));
  Numbers mean(parts);
  Numbers sigma(parts, all.sd_log);
  for (std::size_t k = 0; k < parts; ++k)
    mean[k] = all.mean_log + all.sd_log * (2.5 * static_cast<double>(k) / static_cast<double>(parts) - 0.5);
  Numbers density(parts);
  for (int iteration = 0; iteration < 250; ++iteration) {
    Numbers n(parts, 0.0);
    Numbers sum(parts, 0.0);
    Numbers squares(parts, 0.0);
    for (const Bin& bin : bins) {
      const double y = bin.middle_log();
      double total = 1e-300;
      for (std::size_t k = 0; k < parts; ++k) {
        const double z = (y - mean[k]) / sigma[k];
        density[k] = weight[k] / sigma[k] * std::exp(-0.5 * z * z);
        total += density[k];
      }
      for (std::size_t k = 0; k < parts; ++k) {
        const double share = bin.count * density[k] / total;
        n[k] += share;
        sum[k] += share * y;
        squares[k] += share * y * y;
      }
    }
    for (std::size_t k = 0; k < parts; ++k) {
      weight[k] = std::max(n[k] / all.count, 1e-9);
      if (n[k] < 1.0) continue;
      mean[k] = sum[k] / n[k];
      sigma[k] = std::max(std::sqrt(std::max(squares[k] / n[k] - mean[k] * mean[k], 0.0)), 0.01);
    }
  }
  Numbers numbers;
  for (std::size_t k = 0; k < parts; ++k) {
    numbers.push_back(weight[k]);
    numbers.push_back(std::exp(mean[k]));
    numbers.push_back(sigma[k]);
  }
  return numbers;
}

/// Maximum likelihood over the logarithms of the numbers.
Numbers fit_by_search(const std::vector<Bin>& bins, const Family& family, const Numbers& start) {
  std::vector<double> logs;
  for (const double value : start) logs.push_back(std::log(value));
  const auto negative = [&](const std::vector<double>& at) {
    Numbers numbers;
    for (const double value : at) numbers.push_back(std::exp(std::clamp(value, -30.0, 30.0)));
    return -log_likelihood(bins, family, numbers);
  };
  Numbers numbers;
  for (const double value : nelder_mead(negative, logs, 0.2, 400).at) numbers.push_back(std::exp(value));
  return numbers;
}

std::vector<Fitted> fit_all(const std::vector<Bin>& bins, LatencyFamilies families) {
  const Moments m = moments_of(bins);
  std::vector<Fitted> all;
  all.push_back({lognormal(), fit_by_search(bins, lognormal(), {std::exp(m.mean_log), m.sd_log})});
  if (families == LatencyFamilies::lognormal) return all;
  const double least = std::max(0.5 * bins.front().low, 1e-3);
  all.push_back({shifted_lognormal(), fit_by_search(bins, shifted_lognormal(),
                                                    {least, std::max(std::exp(m.mean_log) - least, 1e-3), m.sd_log})});
  const double gap = std::max(std::log(m.mean) - m.mean_log, 1e-6);  // Minka 2002: a start for the shape
  const double shape = (3.0 - gap + std::sqrt((gap - 3.0) * (gap - 3.0) + 24.0 * gap)) / (12.0 * gap);
  all.push_back({gamma(), fit_by_search(bins, gamma(), {shape, m.mean / shape})});
  all.push_back({weibull(), fit_by_search(bins, weibull(), {1.28 / m.sd_log, std::exp(m.mean_log) * 1.3})});
  for (std::size_t parts = 2; parts <= 4; ++parts) all.push_back({mixture(parts), fit_mixture(bins, parts)});
  return all;
}

double quantile_of(const Fitted& law, double p) {
  double low = 1e-4;
  double high = 1e8;
  for (int i = 0; i < 100; ++i) {
    const double middle = std::sqrt(low * high);
    (law.family.cdf(middle, law.numbers) < p ? low : high) = middle;
  }
  return std::sqrt(low * high);
}

double ks_distance(const std::vector<Bin>& bins, const Fitted& law, double count) {
  double below = 0.0;
  double most = 0.0;
  for (const Bin& bin : bins) {
    most = std::max(most, std::abs(law.family.cdf(bin.low, law.numbers) - below / count));
    below += bin.count;
    most = std::max(most, std::abs(law.family.cdf(bin.high, law.numbers) - below / count));
  }
  return most;
}

/// Half widths of the 95 % intervals on the logarithms, from the curvature of the likelihood; `inflation` is the square
/// root of observations over effective ones. Empty where the curvature says nothing.
Numbers half_widths(const std::vector<Bin>& bins, const Fitted& law, double inflation) {
  constexpr double kStep = 2e-3;
  const std::size_t p = law.numbers.size();
  const auto at = [&](std::size_t i, double di, std::size_t j, double dj) {
    Numbers moved = law.numbers;
    moved[i] *= std::exp(di);
    moved[j] *= std::exp(dj);
    return log_likelihood(bins, law.family, moved);
  };
  Eigen::MatrixXd information(p, p);
  for (std::size_t i = 0; i < p; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const double curvature =
          (at(i, kStep, j, kStep) - at(i, kStep, j, -kStep) - at(i, -kStep, j, kStep) + at(i, -kStep, j, -kStep)) /
          (4.0 * kStep * kStep);
      information(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = -curvature;
      information(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(i)) = -curvature;
    }
  const Eigen::LDLT<Eigen::MatrixXd> solver(information);
  if (solver.info() != Eigen::Success || !solver.isPositive()) return {};
  const Eigen::MatrixXd covariance = solver.solve(Eigen::MatrixXd::Identity(information.rows(), information.cols()));
  Numbers halves;
  for (Eigen::Index i = 0; i < covariance.rows(); ++i) {
    if (!(covariance(i, i) > 0.0) || !std::isfinite(covariance(i, i))) return {};
    halves.push_back(std::min(30.0, 1.96 * inflation * std::sqrt(covariance(i, i))));
  }
  return halves;
}

constexpr double kRatioProbabilities[] = {0.5, 0.99, 0.999};

Fit described(const Fitted& law, const LatencyHistogram& all, const std::vector<Bin>& bins, double inflation,
              const std::string& parameter) {
  Fit fit;
  fit.parameter = parameter;
  fit.family = law.family.name;
  fit.count = all.count();
  const auto count = static_cast<double>(all.count());
  fit.ks = ks_distance(bins, law, count);
  const bool mixed = law.numbers.size() > 3;
  const double free = static_cast<double>(law.numbers.size()) - (mixed ? 1.0 : 0.0);  // weights sum to 1
  fit.aic = 2.0 * free - 2.0 * log_likelihood(bins, law.family, law.numbers);
  for (const double p : kRatioProbabilities)
    fit.quantile_ratios.push_back({p, quantile_of(law, p) / std::max(1e6 * all.quantile_s(p), 1e-6)});
  const Numbers halves = mixed ? Numbers{} : half_widths(bins, law, inflation);
  for (std::size_t i = 0; i < law.numbers.size(); ++i) {
    const double half = i < halves.size() ? halves[i] : 0.0;
    const double value = law.numbers[i];
    fit.numbers.push_back({law.family.numbers[i], value, value * std::exp(-half), value * std::exp(half)});
  }
  return fit;
}

bool is_close(const Fit& fit) {
  return *fit.ks <= 0.02 && std::all_of(fit.quantile_ratios.begin(), fit.quantile_ratios.end(),
                                        [](const QuantileRatio& r) { return r.ratio >= 0.9 && r.ratio <= 1.1; });
}

void choose(std::vector<Fit>& fits, std::uint64_t count, const std::string& parameter) {
  std::stable_sort(fits.begin(), fits.end(), [](const Fit& a, const Fit& b) {
    const double difference = a.held_out.value_or(-1e9) - b.held_out.value_or(-1e9);
    if (std::abs(difference) > 1e-4) return difference > 0.0;
    return *a.aic < *b.aic;
  });
  const auto accepted = std::find_if(fits.begin(), fits.end(), is_close);
  if (accepted != fits.end()) {
    accepted->chosen = true;
    accepted->decision =
        "close everywhere: KS at most 0.02, p50, p99 and p99.9 within 10 %; best of those on windows "
        "that were not fitted";
    std::rotate(fits.begin(), accepted, accepted + 1);
    return;
  }
  Fit table;
  table.parameter = parameter;
  table.family = "empirical";
  table.count = count;
  table.chosen = true;
  table.decision =
      fmt::format("no distribution fits everywhere; best on windows not used in the fit is {} with KS {:.3f}",
                  fits.front().family, *fits.front().ks);
  fits.insert(fits.begin(), table);
}

}  // namespace

std::vector<Fit> fit_latency(const LatencyHistogram& odd, const LatencyHistogram& even, double lag1,
                             const std::string& parameter, LatencyFamilies families) {
  LatencyHistogram all = odd;
  all.merge(even);
  if (all.count() < 1000 || odd.count() < 200 || even.count() < 200) {
    Fit none;
    none.parameter = parameter;
    none.family = "none";
    none.count = all.count();
    none.decision = fmt::format("undetermined: {} latencies are too few", all.count());
    return {none};
  }
  const double r = std::isfinite(lag1) ? std::clamp(lag1, 0.0, 0.99) : 0.0;
  const double inflation = std::sqrt((1.0 + r) / (1.0 - r));
  const std::vector<Bin> bins = bins_of(all);
  const std::vector<Bin> training = bins_of(odd);
  const std::vector<Bin> scored = bins_of(even);
  const std::vector<Fitted> whole = fit_all(bins, families);
  const std::vector<Fitted> half = fit_all(training, families);
  std::vector<Fit> fits;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    fits.push_back(described(whole[i], all, bins, inflation, parameter));
    fits.back().held_out = log_likelihood(scored, half[i].family, half[i].numbers) / static_cast<double>(even.count());
  }
  choose(fits, all.count(), parameter);
  return fits;
}

}  // namespace headrace::models::calibration
