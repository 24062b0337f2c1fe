#include "sim/steady_state_interval.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sim/batch_means.hpp"
#include "sim/portable_math.hpp"
#include "sim/student_t.hpp"

namespace headrace::sim {
namespace {

constexpr std::size_t kLeastTestBatches = 256;
constexpr std::size_t kMostTestBatches = 4096;
constexpr std::size_t kLeastFinalBatches = 64;
constexpr std::size_t kMostFinalBatches = 256;
constexpr std::size_t kMostSpacers = 3;
constexpr double kSkewed = 4.0;
constexpr std::size_t kBatchSizeIfSkewed = 16;
constexpr double kTestScore = 1.2815515655446004;   // normal quantile of 0.90
constexpr double kFinalScore = 2.3263478740408408;  // normal quantile of 0.99
constexpr std::size_t kRoughBatches = 16;

double cube_root(double x) { return x < 0.0 ? -ppow(-x, 1.0 / 3.0) : ppow(x, 1.0 / 3.0); }

std::size_t next_batch_size(std::size_t size) {
  return static_cast<std::size_t>(std::ceil(1.4142135623730951 * static_cast<double>(size)));
}

std::size_t first_batch_size(std::span<const double> series) {
  const std::size_t from_count = (series.size() + kMostTestBatches - 1) / kMostTestBatches;
  const double skewness = skewness_of(series.subspan(series.size() / 5));
  const bool skewed = skewness > kSkewed || skewness < -kSkewed;
  const std::size_t from_skewness = skewed ? std::min(kBatchSizeIfSkewed, series.size() / kLeastTestBatches) : 1;
  return std::max(from_count, from_skewness);
}

// The smallest spacer whose spaced batch means pass the randomness test, if any.
std::optional<std::size_t> passing_spacer(std::span<const double> means) {
  for (std::size_t spacer = 0; spacer <= kMostSpacers; ++spacer) {
    if (means.size() / (spacer + 1) < kLeastTestBatches) break;
    if (von_neumann_score(spaced(means, spacer)) <= kTestScore) return spacer;
  }
  return std::nullopt;
}

// Final batches are longer than the tested ones, which all but removes what correlation the test did not see.
std::size_t final_batch_count(std::size_t observations, std::size_t batch_size, std::size_t spacer) {
  const std::size_t independent = observations / (batch_size * (spacer + 1));
  return std::clamp(independent / 4, kLeastFinalBatches, kMostFinalBatches);
}

Interval adjusted_interval(double mean, std::span<const double> means, double skewness, double confidence) {
  const double error = correlated_standard_error(means);
  const auto degrees_of_freedom = static_cast<std::int64_t>(means.size()) - 1;
  const double t = student_t_quantile(0.5 + confidence / 2.0, degrees_of_freedom);
  return {mean - skewness_adjusted(t, skewness, means.size()) * error,
          mean - skewness_adjusted(-t, skewness, means.size()) * error};
}

// None of fewer than two observations.
std::optional<Interval> rough_interval(double mean, std::span<const double> series, double confidence) {
  const std::size_t batches = std::min(kRoughBatches, series.size());
  if (batches < 2) return std::nullopt;
  return adjusted_interval(mean, batch_means(series, series.size() / batches, batches), 0.0, confidence);
}

SteadyStateResult without_interval(SteadyStateResult result, std::string_view reason, std::span<const double> series,
                                   double confidence, TooShort too_short) {
  result.reason = reason;
  if (too_short == TooShort::rough) result.interval = rough_interval(result.mean, series, confidence);
  return result;
}

}  // namespace

double skewness_adjusted(double t, double skewness, std::size_t n) {
  const double b = skewness / (6.0 * std::sqrt(static_cast<double>(n)));
  if (b < 1e-7 && b > -1e-7) return t;  // the limit; closer in, the difference of nearly equal numbers is all rounding
  return (cube_root(1.0 + 6.0 * b * (t - b)) - 1.0) / (2.0 * b);
}

SteadyStateResult steady_state_interval(std::span<const double> series, double confidence, TooShort too_short) {
  SteadyStateResult result;
  result.mean = mean_of(series);
  if (series.size() < kLeastTestBatches)
    return without_interval(result, "fewer than 256 observations", series, confidence, too_short);
  if (is_constant(series)) {
    result.interval = Interval{result.mean, result.mean};
    result.batches = series.size();
    result.batch_size = 1;
    return result;
  }
  std::size_t size = first_batch_size(series);
  for (; series.size() / size >= kLeastTestBatches; size = next_batch_size(size)) {
    const std::vector<double> tested = batch_means(series, size, series.size() / size);
    const std::optional<std::size_t> spacer = passing_spacer(tested);
    if (!spacer) continue;
    result.spacer = *spacer;
    result.batches = final_batch_count(series.size(), size, *spacer);
    result.batch_size = series.size() / result.batches;
    const std::vector<double> means = batch_means(series, result.batch_size, result.batches);
    result.lag1 = lag1_autocorrelation(means);
    result.skewness = skewness_of(means);
    if (von_neumann_score(means) > kFinalScore) continue;
    result.interval = adjusted_interval(result.mean, means, result.skewness, confidence);
    return result;
  }
  return without_interval(result, "batch means stay correlated: the series is too short for its memory", series,
                          confidence, too_short);
}

SteadyStateResult ratio_interval(std::span<const double> numerator, std::span<const double> denominator,
                                 double confidence, TooShort too_short) {
  SteadyStateResult result;
  const std::size_t n = std::min(numerator.size(), denominator.size());
  const double mean_denominator = mean_of(denominator.first(n));
  if (numerator.size() != denominator.size() || !(mean_denominator > 0.0)) {
    result.reason = "a ratio needs equally long series and a positive denominator";
    return result;
  }
  const double ratio = mean_of(numerator) / mean_denominator;
  std::vector<double> linear(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double expected = ratio * denominator[i];
    const double rest = numerator[i] - expected;
    // A numerator that is proportional to its denominator leaves rounding errors, which are no observations.
    linear[i] = std::abs(rest) <= 1e-14 * std::abs(expected) ? 0.0 : rest;
  }
  result = steady_state_interval(linear, confidence, too_short);
  if (result.interval) {
    // The linear series has mean zero but for rounding; its interval is moved to sit about the ratio.
    const Interval about = *result.interval;
    result.interval = Interval{ratio + (about.lo - result.mean) / mean_denominator,
                               ratio + (about.hi - result.mean) / mean_denominator};
  }
  result.mean = ratio;
  return result;
}

}  // namespace headrace::sim
