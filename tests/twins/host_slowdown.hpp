// A training process among the threads of its node, in closed form and simulated.
#pragma once

#include <cstdint>

namespace headrace::models::twins {

/// A step whose batches are always ready, where a thread looks at one core (d = 1): the positive root of
/// T^2 - (step + host busy / cores) T - host demand / cores = 0. Times in seconds, demand in core-seconds per step,
/// busy cores beside the loaders; utilization below 1.
double slowed_step_s(double step_s, double host_s, double demand_s, double busy_cores, double cores);

struct SlowedSlices {
  double mean = 0.0;   ///< time of a slice over its time alone
  double error = 0.0;  ///< standard error
};
/// Short slices of work that look for an idle core: each of `cores` is busy and idle in turn, for exponential times,
/// and busy for the share `utilization`. A slice looks at `searched` different cores and takes the first idle one; if
/// all are busy, it shares the last one until that comes idle (processor sharing). Alone it takes `slice_s` of a mean
/// busy time of 1 s.
SlowedSlices simulated_slices(std::uint32_t cores, std::uint32_t searched, double utilization, double slice_s,
                              std::uint32_t slices, std::uint64_t seed);

}  // namespace headrace::models::twins
