#include "models/calibration/noise_fit.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>

namespace headrace::models::calibration {
namespace {

constexpr double kNoisePieceS = 0.05;
constexpr double kLengthsS[] = {0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0};
constexpr std::size_t kFewestWindows = 4;

std::vector<double> window_means(const std::vector<double>& series, std::size_t pieces) {
  std::vector<double> means;
  for (std::size_t begin = 0; begin + pieces <= series.size(); begin += pieces) {
    double sum = 0.0;
    for (std::size_t i = begin; i < begin + pieces; ++i) sum += series[i];
    means.push_back(sum / static_cast<double>(pieces));
  }
  return means;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double variation(const std::vector<double>& means) {
  const double mean = mean_of(means);
  double squares = 0.0;
  for (const double value : means) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(means.size() - 1)) / mean;
}

double allan_deviation(const std::vector<double>& means) {
  double squares = 0.0;
  for (std::size_t i = 1; i < means.size(); ++i) squares += (means[i] - means[i - 1]) * (means[i] - means[i - 1]);
  return std::sqrt(0.5 * squares / static_cast<double>(means.size() - 1)) / mean_of(means);
}

FitNumber number_of(const char* what, double length_s, double value, std::size_t windows) {
  const double half = 1.96 / std::sqrt(2.0 * static_cast<double>(windows - 1));
  return {fmt::format("{}_{:g}s", what, length_s), value, value / (1.0 + half), value * (1.0 + half)};
}

}  // namespace

Fit fit_noise(const std::vector<double>& series_per_s, const std::string& parameter) {
  Fit fit;
  fit.parameter = parameter;
  fit.family = "none";
  fit.count = series_per_s.size();
  if (series_per_s.size() < 40 || !(mean_of(series_per_s) > 0.0)) {
    fit.decision = fmt::format("undetermined: {} pieces of 50 ms are too few", series_per_s.size());
    return fit;
  }
  fit.family = "noise";
  fit.chosen = true;
  double longest_s = 0.0;
  double left = 0.0;
  for (const double length_s : kLengthsS) {
    const std::vector<double> means =
        window_means(series_per_s, static_cast<std::size_t>(std::lround(length_s / kNoisePieceS)));
    if (means.size() < kFewestWindows) break;
    longest_s = length_s;
    left = variation(means);
    fit.numbers.push_back(number_of("cv", length_s, left, means.size()));
    fit.numbers.push_back(number_of("allan", length_s, allan_deviation(means), means.size()));
  }
  fit.decision =
      fmt::format("windows of {:g} s still differ by {:.1f} %: one window is no more precise", longest_s, 100.0 * left);
  return fit;
}

}  // namespace headrace::models::calibration
