// The training loop of DLIO and MLPerf Storage in closed form: accelerators that think, load and meet at a barrier on
// one shared capacity. Evaluated in well under a microsecond.
//
// Loop and formulas: mlcommons/storage_results_v1.0, dlio_benchmark/utils/statscounter.py (2024). AU is the compute of
// steps 2..S over the time from the end of the first step; samples/s counts the whole epoch, first step included.
// Step time: E[max(a, X)] for a normal load time X, C. E. Clark, The greatest of a finite set of random variables,
// Operations Research 9 (1961), eq. 2 with one variance zero.
#pragma once

#include <cstdint>
#include <functional>

#include "models/backtest/measured_run.hpp"

namespace headrace::models {

/// Batches that a rank holds or reads ahead.
double buffered_batches(const MeasuredRun& run);

/// Time of a step outside load and compute when nothing else runs, s.
double free_overhead_s(const MeasuredRun& run, std::uint64_t accelerators);

/// Mean time per step to bring every rank one batch through `capacity_bytes_per_s`. What the first fill brought before
/// step 2 is not read again, so a short epoch with deep buffers needs less.
double load_time_s(const MeasuredRun& run, std::uint64_t accelerators, double capacity_bytes_per_s);

/// Mean time of a step: whichever is longer of the rank's own time and the load, whose batches differ in size.
/// `capacity_bytes_per_s` may be infinite.
double step_time_s(const MeasuredRun& run, std::uint64_t accelerators, double capacity_bytes_per_s, double overhead_s);

/// Accelerator utilization at that step time, share of 1.
double utilization(const MeasuredRun& run, std::uint64_t accelerators, double capacity_bytes_per_s, double overhead_s);

/// Time of the first step: start-up, the first fill of every worker's batch at `fill_bytes_per_s` (0: not known, no
/// time), compute.
double first_step_s(const MeasuredRun& run, std::uint64_t accelerators, double fill_bytes_per_s);

/// Samples/s of an epoch with this utilization.
double samples_per_s(const MeasuredRun& run, double au, double first_step_s);

/// The rate at which samples would pass without any wait.
double ideal_samples_per_s(const MeasuredRun& run);

/// The run in an epoch so long that the first fill saves nothing.
MeasuredRun endless(MeasuredRun run);

/// The largest count, a multiple of the hosts where the run's own count is one, that keeps utilization at the threshold
/// of the workload; at least one accelerator a host; 0 when no count up to 10 million fails. `overhead_s(count)`: as in
/// utilization().
std::uint64_t largest_count(const MeasuredRun& run, double capacity_bytes_per_s,
                            const std::function<double(std::uint64_t)>& overhead_s);

}  // namespace headrace::models
