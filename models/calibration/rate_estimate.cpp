#include "models/calibration/rate_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "sim/student_t.hpp"

namespace headrace::models::calibration {
namespace {

std::vector<double> sorted_logs(std::span<const double> values) {
  std::vector<double> logs;
  for (const double value : values)
    if (value > 0.0) logs.push_back(std::log(value));
  std::sort(logs.begin(), logs.end());
  return logs;
}

/// Least squares of ln(rate) over time, per second.
double slope_per_s(std::span<const Window> windows) {
  double sum_t = 0.0;
  double sum_y = 0.0;
  double sum_tt = 0.0;
  double sum_ty = 0.0;
  const auto n = static_cast<double>(windows.size());
  for (const Window& window : windows) {
    const double y = std::log(std::max(window.rate_per_s, 1e-300));
    sum_t += window.start_s;
    sum_y += y;
    sum_tt += window.start_s * window.start_s;
    sum_ty += window.start_s * y;
  }
  const double spread = sum_tt - sum_t * sum_t / n;
  return spread > 0.0 ? (sum_ty - sum_t * sum_y / n) / spread : 0.0;
}

}  // namespace

Estimate trimmed_estimate(std::span<const double> values) {
  Estimate estimate;
  const std::vector<double> logs = sorted_logs(values);
  estimate.windows = estimate.clean_windows = logs.size();
  if (logs.empty()) return estimate;
  const std::size_t n = logs.size();
  const std::size_t cut = n / 5;  // from each end
  const std::size_t kept = n - 2 * cut;
  double sum = 0.0;
  for (std::size_t i = cut; i < n - cut; ++i) sum += logs[i];
  const double mean = sum / static_cast<double>(kept);
  estimate.value = estimate.low = estimate.high = std::exp(mean);
  if (kept < 2) return estimate;
  double winsorized_mean = 0.0;
  for (const double value : logs) winsorized_mean += std::clamp(value, logs[cut], logs[n - 1 - cut]);
  winsorized_mean /= static_cast<double>(n);
  double squares = 0.0;
  for (const double value : logs) {
    const double d = std::clamp(value, logs[cut], logs[n - 1 - cut]) - winsorized_mean;
    squares += d * d;
  }
  const auto h = static_cast<double>(kept);
  const double error = std::sqrt(squares / (h * (h - 1.0)));
  const double half = sim::student_t_quantile(0.975, static_cast<std::int64_t>(kept) - 1) * error;
  estimate.low = std::exp(mean - half);
  estimate.high = std::exp(mean + half);
  return estimate;
}

Estimate estimate_of(std::span<const Window> windows, const EstimateRule& rule) {
  std::vector<double> clean;
  std::vector<double> all;
  for (const Window& window : windows) {
    all.push_back(window.rate_per_s);
    if (window.clean) clean.push_back(window.rate_per_s);
  }
  const bool enough = clean.size() >= rule.least_windows;
  const bool noisy = !enough && rule.accept_noisy && all.size() >= rule.least_windows;
  Estimate estimate;
  if (enough || noisy) estimate = trimmed_estimate(enough ? clean : all);
  if (log_half_width(estimate) > rule.useless_half_width) estimate = {};
  estimate.windows = all.size();
  estimate.clean_windows = clean.size();
  if (!(estimate.value > 0.0)) return estimate;
  const bool wide = log_half_width(estimate) > rule.wide_half_width;
  estimate.verdict = noisy || wide ? Verdict::noisy : Verdict::clean;
  return estimate;
}

double log_half_width(const Estimate& estimate) {
  if (!(estimate.low > 0.0) || estimate.windows < 2) return std::numeric_limits<double>::infinity();
  return 0.5 * std::log(estimate.high / estimate.low);
}

bool is_drifting(std::span<const Window> windows) {
  if (windows.size() < 6) return false;
  constexpr double kSlopePerS = 0.05 / 60.0;
  if (std::abs(slope_per_s(windows)) < kSlopePerS) return false;
  const std::size_t third = windows.size() / 3;
  std::vector<double> first;
  std::vector<double> last;
  for (std::size_t i = 0; i < third; ++i) {
    first.push_back(windows[i].rate_per_s);
    last.push_back(windows[windows.size() - 1 - i].rate_per_s);
  }
  const Estimate begin = trimmed_estimate(first);
  const Estimate end = trimmed_estimate(last);
  return end.value < begin.low || end.value > begin.high;
}

void note_drift(Cell& cell, const EstimateRule& rule) {
  if (!is_drifting(cell.windows)) return;
  cell.flags.emplace_back("drifting");
  const std::span<const Window> windows = cell.windows;
  cell.burst = estimate_of(windows.first(windows.size() / 3), rule);
  cell.sustained = estimate_of(windows.last(windows.size() / 3), rule);
}

}  // namespace headrace::models::calibration
