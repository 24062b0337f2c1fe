#include "models/study/paired_series.hpp"

#include <algorithm>
#include <cmath>

namespace headrace::models {

namespace {

/// Mean of batch number `i` of `batch_steps` steps, times the slope.
double projected(const RunSeries& run, std::uint64_t batch_steps, std::uint64_t i) {
  const auto group = static_cast<std::size_t>(batch_steps / run.batch_steps);
  const auto first = static_cast<std::size_t>(i) * group;
  const auto at = [](std::span<const double> series, std::size_t k) { return series.empty() ? 0.0 : series[k]; };
  PerStep mean;
  for (std::size_t k = first; k < first + group; ++k)
    mean.add(1.0 / static_cast<double>(group), {run.duration_s[k], at(run.wait_s, k), at(run.compute_s, k)});
  return run.slope.dot(mean);
}

}  // namespace

CommonBatches common_batches(std::span<const RunSeries> runs) {
  CommonBatches common;
  std::uint64_t steps = UINT64_MAX;
  std::uint64_t cut = 0;
  for (const RunSeries& run : runs) {
    common.batch_steps = std::max(common.batch_steps, run.batch_steps);
    steps = std::min(steps, run.steps);
    cut = std::max(cut, run.warm_up_steps);
  }
  common.first = (cut + common.batch_steps - 1) / common.batch_steps;
  common.last = steps / common.batch_steps;
  common.short_warm_up = 2 * cut <= steps;
  return common;
}

std::vector<double> summed(std::span<const RunSeries> runs, const CommonBatches& common) {
  std::vector<double> sums(common.count(), 0.0);
  for (const RunSeries& run : runs)
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += projected(run, common.batch_steps, common.first + i);
  return sums;
}

PairedSeries paired_series(std::span<const RunSeries> before, std::span<const RunSeries> after) {
  std::vector<RunSeries> all(before.begin(), before.end());
  all.insert(all.end(), after.begin(), after.end());
  const CommonBatches common = common_batches(all);
  const std::vector<double> b = summed(before, common);
  PairedSeries pairs{summed(after, common), 0.0, common.short_warm_up};
  for (std::size_t i = 0; i < b.size(); ++i) {
    pairs.level = std::max({pairs.level, std::abs(pairs.differences[i]), std::abs(b[i])});
    pairs.differences[i] -= b[i];
  }
  return pairs;
}

}  // namespace headrace::models
