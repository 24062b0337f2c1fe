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

WarmUpVerdict mser5(std::span<const double> series) {
  const std::size_t batches = series.size() / kBatch;
  if (batches < kLeastBatches) return {0, false, "the series is too short for MSER-5"};
  const std::size_t whole = batches * kBatch;
  const std::size_t cut = best_cut(batch_means(series.first(whole), kBatch, batches));
  const std::size_t steps = cut * kBatch;
  if (2 * cut > batches) return {steps, false, "MSER-5 cuts more than half of the series"};
  return {steps, true, {}};
}

WarmUpVerdict warm_up(std::span<const double> series, std::size_t minimum_steps) {
  WarmUpVerdict verdict = mser5(series);
  verdict.steps = std::max(verdict.steps, minimum_steps);
  if (!verdict.reliable) return verdict;
  if (verdict.steps > series.size() / 2) {
    return {verdict.steps, false, "the least warm-up is more than half of the series"};
  }
  if (!halves_agree(series.subspan(verdict.steps))) {
    return {verdict.steps, false, "the halves after the warm-up differ by more than three standard errors"};
  }
  return verdict;
}

bool halves_agree(std::span<const double> series) {
  const std::size_t batch = series.size() / 2 / kBatchesPerHalf;
  if (batch == 0) return true;
  const std::size_t half = batch * kBatchesPerHalf;
  const std::vector<double> first = batch_means(series.first(series.size() - half), batch, kBatchesPerHalf);
  const std::vector<double> second = batch_means(series, batch, kBatchesPerHalf);
  const double difference = std::abs(mean_of(first) - mean_of(second));
  const double error_1 = correlated_standard_error(first);
  const double error_2 = correlated_standard_error(second);
  const double rounding = 1e-12 * (std::abs(mean_of(first)) + std::abs(mean_of(second)));
  return difference <= 3.0 * std::sqrt(error_1 * error_1 + error_2 * error_2) + rounding;
}

}  // namespace headrace::sim
