#include "models/backtest/closed_loop.hpp"

#include <algorithm>
#include <cmath>

#include "sim/portable_math.hpp"

namespace headrace::models {
namespace {

constexpr double kDensityAtZero = 0.3989422804014327;  // 1 / sqrt(2 pi)
constexpr std::uint64_t kMostAccelerators = 10'000'000;
constexpr std::uint64_t kEndlessSteps = 1'000'000'000;

/// E[max(a, X)] for normal X (Clark 1961).
double mean_of_greater(double a, double mean, double deviation) {
  if (deviation <= 0.0) return std::max(a, mean);
  const double d = (a - mean) / deviation;
  return a * sim::normal_cdf(d) + mean * sim::normal_cdf(-d) + deviation * kDensityAtZero * sim::pexp(-0.5 * d * d);
}

double steps_of(const MeasuredRun& run) { return static_cast<double>(std::max<std::uint64_t>(run.steps, 2)); }

}  // namespace

double buffered_batches(const MeasuredRun& run) {
  const std::uint64_t threads = std::max<std::uint64_t>(run.read_threads, 1);
  const std::uint64_t prefetch = std::max<std::uint64_t>(run.figures.prefetch_size, 1);
  const std::uint64_t each = (prefetch + threads - 1) / threads;  // prefetch_factor of a PyTorch DataLoader
  return std::min(static_cast<double>(run.figures.workers_hold_batches ? threads * each : prefetch), steps_of(run));
}

double free_overhead_s(const MeasuredRun& run, std::uint64_t accelerators) {
  const double handover_s = run.hands_over ? run.figures.batch_bytes() / run.loop.handover_bytes_per_s : 0.0;
  return run.loop.loop_s + handover_s + run.loop.barrier_s * sim::plog(static_cast<double>(accelerators));
}

double load_time_s(const MeasuredRun& run, std::uint64_t accelerators, double capacity_bytes_per_s) {
  const double steps = steps_of(run);
  const double still_to_read = std::max(steps - buffered_batches(run), 0.0) / (steps - 1.0);
  return static_cast<double>(accelerators) * run.figures.batch_bytes() / capacity_bytes_per_s * still_to_read;
}

double step_time_s(const MeasuredRun& run, std::uint64_t accelerators, double capacity_bytes_per_s, double overhead_s) {
  const WorkloadFigures& figures = run.figures;
  const double own = figures.computation_time_s + overhead_s;
  const double load = load_time_s(run, accelerators, capacity_bytes_per_s);
  const double variation =
      figures.record_stdev_bytes / figures.record_bytes / std::sqrt(static_cast<double>(figures.batch_size));
  return mean_of_greater(own, load, variation * load);
}

double utilization(const MeasuredRun& run, std::uint64_t accelerators, double capacity_bytes_per_s, double overhead_s) {
  return run.figures.computation_time_s / step_time_s(run, accelerators, capacity_bytes_per_s, overhead_s);
}

double first_step_s(const MeasuredRun& run, std::uint64_t accelerators, double fill_bytes_per_s) {
  double fill_s = 0.0;
  if (run.figures.workers_hold_batches && fill_bytes_per_s > 0.0)
    fill_s = buffered_batches(run) * static_cast<double>(accelerators) * run.figures.batch_bytes() / fill_bytes_per_s;
  return run.figures.computation_time_s + run.loop.start_up_s + fill_s;
}

double samples_per_s(const MeasuredRun& run, double au, double first_step) {
  const double steps = steps_of(run);
  const double epoch_s = first_step + (steps - 1.0) * run.figures.computation_time_s / au;
  return static_cast<double>(run.accelerators) * static_cast<double>(run.figures.batch_size) * steps / epoch_s;
}

double ideal_samples_per_s(const MeasuredRun& run) {
  return static_cast<double>(run.accelerators) * static_cast<double>(run.figures.batch_size) /
         run.figures.computation_time_s;
}

MeasuredRun endless(MeasuredRun run) {
  run.steps = kEndlessSteps;
  return run;
}

std::uint64_t largest_count(const MeasuredRun& run, double capacity_bytes_per_s,
                            const std::function<double(std::uint64_t)>& overhead_s) {
  const std::uint64_t unit = run.accelerators % run.hosts == 0 ? run.hosts : 1;
  const auto holds = [&](std::uint64_t units) {
    const std::uint64_t count = units * unit;
    return utilization(run, count, capacity_bytes_per_s, overhead_s(count)) >= run.figures.au_threshold;
  };
  std::uint64_t good = run.hosts / unit;  // published at all: one accelerator a host is the least that anyone runs
  std::uint64_t bad = 2 * good;
  while (holds(bad)) {
    good = bad;
    bad *= 2;
    if (bad * unit > kMostAccelerators) return 0;
  }
  while (bad - good > 1) {
    const std::uint64_t middle = good + (bad - good) / 2;
    (holds(middle) ? good : bad) = middle;
  }
  return good * unit;
}

}  // namespace headrace::models
