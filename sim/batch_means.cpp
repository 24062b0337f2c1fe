#include "sim/batch_means.hpp"

#include <algorithm>
#include <cmath>

#include "sim/tally.hpp"

namespace headrace::sim {
namespace {

Tally tally_of(std::span<const double> values) {
  Tally tally;
  for (const double value : values) tally.add(value);
  return tally;
}

}  // namespace

std::vector<double> batch_means(std::span<const double> series, std::size_t batch_size, std::size_t batch_count) {
  std::vector<double> means;
  means.reserve(batch_count);
  const std::span<const double> used = series.last(batch_size * batch_count);
  for (std::size_t batch = 0; batch < batch_count; ++batch) {
    double sum = 0.0;
    for (const double value : used.subspan(batch * batch_size, batch_size)) sum += value;
    means.push_back(sum / static_cast<double>(batch_size));
  }
  return means;
}

std::vector<double> spaced(std::span<const double> values, std::size_t spacer) {
  std::vector<double> chosen;
  chosen.reserve(values.size() / (spacer + 1));
  for (std::size_t i = spacer; i < values.size(); i += spacer + 1) chosen.push_back(values[i]);
  return chosen;
}

double mean_of(std::span<const double> values) { return tally_of(values).mean(); }

double variance_of(std::span<const double> values) { return tally_of(values).variance(); }

double skewness_of(std::span<const double> values) {
  if (values.size() < 3) return 0.0;
  const Tally tally = tally_of(values);
  const double deviation = tally.standard_deviation();
  if (!(deviation > 0.0)) return 0.0;
  double cubes = 0.0;
  for (const double value : values) {
    const double z = (value - tally.mean()) / deviation;
    cubes += z * z * z;
  }
  const double k = static_cast<double>(values.size());
  return cubes * k / ((k - 1.0) * (k - 2.0));
}

double lag1_autocorrelation(std::span<const double> values) {
  const double mean = mean_of(values);
  double squares = 0.0;
  double products = 0.0;
  double before = 0.0;
  for (const double value : values) {
    const double deviation = value - mean;
    squares += deviation * deviation;
    products += deviation * before;
    before = deviation;
  }
  return squares > 0.0 ? products / squares : 0.0;
}

double von_neumann_score(std::span<const double> values) {
  const double mean = mean_of(values);
  double squares = 0.0;
  double differences = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    squares += (values[i] - mean) * (values[i] - mean);
    if (i > 0) differences += (values[i] - values[i - 1]) * (values[i] - values[i - 1]);
  }
  if (values.size() < 3 || !(squares > 0.0)) return 0.0;
  const double k = static_cast<double>(values.size());
  return (1.0 - differences / (2.0 * squares)) / std::sqrt((k - 2.0) / (k * k - 1.0));
}

bool is_constant(std::span<const double> values) {
  const Tally tally = tally_of(values);
  if (tally.count() == 0) return true;
  const double size = std::max(std::abs(tally.min()), std::abs(tally.max()));
  return tally.standard_deviation() <= 1e-12 * size;
}

double correlated_standard_error(std::span<const double> values) {
  if (values.size() < 2) return 0.0;
  const double lag1 = std::clamp(lag1_autocorrelation(values), 0.0, 0.99);
  const double inflation = (1.0 + lag1) / (1.0 - lag1);
  return std::sqrt(inflation * variance_of(values) / static_cast<double>(values.size()));
}

double standard_error_about_trend(std::span<const double> values) {
  const double n = static_cast<double>(values.size());
  const double middle = (n - 1.0) / 2.0;
  const double mean = mean_of(values);
  double covariance = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) covariance += (static_cast<double>(i) - middle) * (values[i] - mean);
  const double slope = covariance / (n * (n * n - 1.0) / 12.0);
  std::vector<double> rest(values.begin(), values.end());
  for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= slope * (static_cast<double>(i) - middle);
  return correlated_standard_error(rest) * std::sqrt((n - 1.0) / (n - 2.0));  // the line took one degree of freedom
}

}  // namespace headrace::sim
