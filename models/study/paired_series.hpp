// Series of configurations that were run under the same draws. Steps of the same number have the same draws in every
// window of every configuration: summed and subtracted step by step, what they owe to the draws cancels.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace headrace::models {

/// Means per step, or what a metric gains per unit of each of them.
struct PerStep {
  double duration = 0.0;
  double wait = 0.0;
  double compute = 0.0;

  PerStep scaled(double factor) const { return {duration * factor, wait * factor, compute * factor}; }
  void add(double weight, const PerStep& other) {
    duration += weight * other.duration;
    wait += weight * other.wait;
    compute += weight * other.compute;
  }
  double dot(const PerStep& other) const {
    return duration * other.duration + wait * other.wait + compute * other.compute;
  }
};

/// One window of one configuration: means per step over consecutive batches of `batch_steps` steps.
struct RunSeries {
  std::uint64_t steps = 0;
  std::uint64_t warm_up_steps = 0;  ///< of these
  std::uint64_t batch_steps = 1;
  std::span<const double> duration_s;
  std::span<const double> wait_s;  ///< empty: 0, as is compute_s
  std::span<const double> compute_s;
  PerStep slope;  ///< what a second of each counts for
};

/// Batches that all of several runs have, after the longest of their warm-ups.
struct CommonBatches {
  std::uint64_t batch_steps = 1;
  std::uint64_t first = 0;
  std::uint64_t last = 0;      ///< the one behind the last; not above `first` where there is none
  bool short_warm_up = false;  ///< at most half of the steps

  std::uint64_t count() const { return last > first ? last - first : 0; }
};
CommonBatches common_batches(std::span<const RunSeries> runs);

/// The runs of one configuration, times their slopes, summed batch by batch.
std::vector<double> summed(std::span<const RunSeries> runs, const CommonBatches& common);

struct PairedSeries {
  std::vector<double> differences;  ///< after less before, batch by batch
  double level = 0.0;               ///< largest value that a difference is of
  bool short_warm_up = false;       ///< at most half of the steps
};
PairedSeries paired_series(std::span<const RunSeries> before, std::span<const RunSeries> after);

}  // namespace headrace::models
