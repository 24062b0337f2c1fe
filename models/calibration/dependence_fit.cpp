#include "models/calibration/dependence_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headrace::models::calibration {
namespace {

constexpr double kDependencePieceS = 0.05;

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct Share {
  double value = 0.0;
  double low = 0.0;
  double high = 1.0;
};

/// Wilson's interval of a share (1927).
Share share_of(double hits, double trials) {
  if (trials <= 0.0) return {};
  constexpr double z = 1.959964;
  const double p = hits / trials;
  const double centre = (p + z * z / (2.0 * trials)) / (1.0 + z * z / trials);
  const double half = z / (1.0 + z * z / trials) * std::sqrt(p * (1.0 - p) / trials + z * z / (4.0 * trials * trials));
  return {p, std::max(0.0, centre - half), std::min(1.0, centre + half)};
}

struct Chain {
  double pieces = 0.0;
  double stalled = 0.0;
  double from_normal = 0.0;
  double into_stall = 0.0;
  double from_stall = 0.0;
  double out_of_stall = 0.0;
  double stalled_rate = 0.0;
  double normal_rate = 0.0;
};

Chain chain_of(const std::vector<double>& series, std::size_t per_window, double median) {
  Chain chain;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const bool now = series[i] < 0.5 * median;
    chain.pieces += 1.0;
    (now ? chain.stalled_rate : chain.normal_rate) += series[i];
    if (now) chain.stalled += 1.0;
    if (i % per_window == 0) continue;  // the window before it was at another time
    const bool before = series[i - 1] < 0.5 * median;
    (before ? chain.from_stall : chain.from_normal) += 1.0;
    if (!before && now) chain.into_stall += 1.0;
    if (before && !now) chain.out_of_stall += 1.0;
  }
  return chain;
}

/// Variance over mean of the counts: 1 for independent arrivals.
double dispersion_of(const std::vector<double>& series) {
  double sum = 0.0;
  double squares = 0.0;
  for (const double rate : series) {
    const double count = rate * kDependencePieceS;
    sum += count;
    squares += count * count;
  }
  const auto n = static_cast<double>(series.size());
  const double mean = sum / n;
  return mean > 0.0 ? (squares / n - mean * mean) / mean : 0.0;
}

void add_two_states(const Chain& chain, Fit& fit) {
  const Share in = share_of(chain.into_stall, chain.from_normal);
  const Share out = share_of(chain.out_of_stall, chain.from_stall);
  const Share share = share_of(chain.stalled, chain.pieces);
  const auto time_of = [](double probability) { return kDependencePieceS / std::max(probability, 1e-6); };
  fit.numbers.push_back({"stalled_share", share.value, share.low, share.high});
  fit.numbers.push_back({"stall_s", time_of(out.value), time_of(out.high), time_of(out.low)});
  fit.numbers.push_back({"between_stalls_s", time_of(in.value), time_of(in.high), time_of(in.low)});
  const double normal = chain.normal_rate / std::max(chain.pieces - chain.stalled, 1.0);
  const double ratio = chain.stalled_rate / std::max(chain.stalled, 1.0) / std::max(normal, 1e-9);
  fit.numbers.push_back({"stalled_rate_ratio", ratio, ratio, ratio});
}

}  // namespace

Fit fit_dependence(const std::vector<double>& series_per_s, std::size_t pieces_per_window, std::optional<double> lag1,
                   const std::string& parameter) {
  Fit fit;
  fit.parameter = parameter;
  fit.family = "none";
  fit.count = series_per_s.size();
  if (series_per_s.size() < 40 || pieces_per_window < 2) {
    fit.decision = fmt::format("undetermined: {} pieces of 50 ms are too few", series_per_s.size());
    return fit;
  }
  const Chain chain = chain_of(series_per_s, pieces_per_window, median_of(series_per_s));
  const double dispersion = dispersion_of(series_per_s);
  fit.numbers.push_back({"dispersion", dispersion, dispersion, dispersion});
  if (lag1) fit.numbers.push_back({"lag1", *lag1, *lag1, *lag1});
  fit.chosen = true;
  if (chain.into_stall >= 5.0 && chain.out_of_stall >= 5.0) {
    fit.family = "two_state";
    add_two_states(chain, fit);
    fit.decision = "stretches of stalls, each less than half of the usual rate";
  } else if (lag1.value_or(0.0) < 0.1 && dispersion < 2.0) {
    fit.family = "independent";
    fit.decision = "lag-1 autocorrelation below 0.1 and dispersion below 2";
  } else {
    fit.family = "blocks";
    fit.decision = "dependent, with too few stalls to fit a model: resample in blocks of at least 50 ms";
  }
  return fit;
}

}  // namespace headrace::models::calibration
