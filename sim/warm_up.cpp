#include "sim/warm_up.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "sim/batch_means.hpp"
#include "sim/tally.hpp"

namespace headrace::sim {
namespace {

constexpr std::size_t kBatch = 5;
constexpr std::size_t kLeastBatches = 8;
constexpr std::size_t kBatchesPerHalf = 16;
constexpr std::size_t kLeastPerHalf = 4;

// Number of batches to cut. Ties go to the smaller cut.
std::size_t best_cut(const std::vector<double>& means) {
  const std::size_t last_cut = means.size() * 3 / 4;
  double best = std::numeric_limits<double>::infinity();
  std::size_t cut = 0;
  Tally rest;
  for (std::size_t d = means.size(); d-- > 0;) {
    rest.add(means[d]);
    if (d > last_cut) continue;
    const double n = static_cast<double>(rest.count());
    const double statistic = rest.variance() * (n - 1.0) / (n * n);
    if (statistic <= best) {
      best = statistic;
      cut = d;
    }
  }
  return cut;
}

}  // namespace

WarmUpVerdict mser5(std::span<const double> series, std::size_t period) {
  const std::size_t batch = (kBatch + period - 1) / period * period;
  const std::size_t batches = series.size() / batch;
  if (batches < kLeastBatches) return {0, false, false, "the series is too short for MSER-5"};
  const std::size_t whole = batches * batch;
  const std::size_t cut = best_cut(batch_means(series.first(whole), batch, batches));
  const std::size_t steps = cut * batch;
  if (2 * cut > batches) return {steps, false, false, "MSER-5 cuts more than half of the series"};
  return {steps, true, true, {}};
}

WarmUpVerdict warm_up(std::span<const double> series, std::size_t minimum_steps, std::size_t period) {
  WarmUpVerdict verdict = mser5(series, period);
  verdict.steps = std::max(verdict.steps, minimum_steps);
  if (!verdict.reliable) return verdict;
  if (verdict.steps > series.size() / 2) {
    return {verdict.steps, false, false, "the least warm-up is more than half of the series"};
  }
  const std::size_t eighth = std::max<std::size_t>(1, series.size() / 8);
  const auto rest = [&] { return series.subspan(verdict.steps); };
  verdict.settled = halves_agree(rest(), period, kSettledErrors);
  while (!verdict.settled && verdict.steps + eighth <= 2 * eighth) {
    verdict.steps += eighth;
    verdict.settled = halves_agree(rest(), period, kSettledErrors);
  }
  if (verdict.settled || halves_agree(rest(), period)) return verdict;
  return {verdict.steps, false, false, "the halves after the warm-up differ by more than three standard errors"};
}

bool halves_agree(std::span<const double> series, std::size_t period, double errors) {
  const std::size_t longest_half = series.size() / 2;
  if (longest_half < kBatchesPerHalf) return true;
  if (longest_half / period < kLeastPerHalf) period = 1;
  const std::size_t batches = std::min(kBatchesPerHalf, longest_half / period);
  const std::size_t batch = longest_half / period / batches * period;
  const std::size_t half = batch * batches;
  const std::vector<double> first = batch_means(series.first(series.size() - half), batch, batches);
  const std::vector<double> second = batch_means(series, batch, batches);
  const double difference = std::abs(mean_of(first) - mean_of(second));
  const double error_1 = standard_error_about_trend(first);
  const double error_2 = standard_error_about_trend(second);
  const double rounding = 1e-12 * (std::abs(mean_of(first)) + std::abs(mean_of(second)));
  return difference <= errors * std::sqrt(error_1 * error_1 + error_2 * error_2) + rounding;
}

}  // namespace headrace::sim
