#include "sim/control_variate.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/batch_means.hpp"
#include "sim/portable_math.hpp"

namespace headrace::sim {
namespace {

constexpr std::size_t kBatches = 64;
constexpr std::size_t kLeastPairedBatches = 32;
constexpr double kLeastCorrelation = 0.5;

struct BatchMoments {
  double target_variance = 0.0;
  double control_variance = 0.0;
  double covariance = 0.0;
};

BatchMoments batch_moments(std::span<const double> target, std::span<const double> control, std::size_t batches) {
  const std::size_t size = target.size() / batches;
  const std::vector<double> y = batch_means(target, size, batches);
  const std::vector<double> c = batch_means(control, size, batches);
  const double mean_y = mean_of(y);
  const double mean_c = mean_of(c);
  double products = 0.0;
  for (std::size_t i = 0; i < batches; ++i) products += (y[i] - mean_y) * (c[i] - mean_c);
  return {variance_of(y), variance_of(c), products / static_cast<double>(batches - 1)};
}

}  // namespace

ControlFit fit_control(std::span<const double> target, std::span<const double> control,
                       const ControlMean& control_mean) {
  ControlFit fit;
  const auto without = [&](std::string_view reason) {
    fit.off_reason = reason;
    return fit;
  };
  if (target.size() != control.size()) return without("target and control are not equally long");
  if (target.size() < kLeastPairedBatches) return without("fewer than 32 batches");
  const std::size_t batches = std::min(kBatches, target.size());
  const BatchMoments moments = batch_moments(target, control, batches);
  const double scale = std::sqrt(moments.target_variance * moments.control_variance);
  fit.correlation = scale > 0.0 ? moments.covariance / scale : 0.0;
  if (std::abs(fit.correlation) < kLeastCorrelation) return without("correlation below 0.5");
  const double noise = control_mean.standard_error * control_mean.standard_error * static_cast<double>(batches);
  fit.coefficient = moments.covariance / (moments.control_variance + noise);
  return fit;
}

void add_error(SteadyStateResult& result, double standard_error, double confidence) {
  if (!result.interval) return;
  const double arm = normal_quantile(0.5 + confidence / 2.0) * standard_error;
  const double below = result.mean - result.interval->lo;
  const double above = result.interval->hi - result.mean;
  result.interval =
      Interval{result.mean - std::sqrt(below * below + arm * arm), result.mean + std::sqrt(above * above + arm * arm)};
}

ControlVariateResult controlled_interval(std::span<const double> target, std::span<const double> control,
                                         const ControlMean& control_mean, double confidence) {
  const ControlFit fit = fit_control(target, control, control_mean);
  ControlVariateResult outcome;
  outcome.applied = fit.applied();
  outcome.coefficient = fit.coefficient;
  outcome.correlation = fit.correlation;
  outcome.off_reason = fit.off_reason;
  if (!fit.applied()) {
    outcome.result = steady_state_interval(target, confidence);
    return outcome;
  }
  std::vector<double> controlled(target.size());
  for (std::size_t i = 0; i < target.size(); ++i) {
    controlled[i] = target[i] - fit.coefficient * (control[i] - control_mean.mean);
  }
  outcome.result = steady_state_interval(controlled, confidence);
  add_error(outcome.result, fit.coefficient * control_mean.standard_error, confidence);
  return outcome;
}

}  // namespace headrace::sim
