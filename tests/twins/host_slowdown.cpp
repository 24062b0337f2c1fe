#include "tests/twins/host_slowdown.hpp"

#include <cmath>
#include <vector>

#include "sim/random_stream.hpp"

namespace headrace::models::twins {

namespace {

constexpr sim::Purpose kSliceDraws{3917};

}  // namespace

double slowed_step_s(double step_s, double host_s, double demand_s, double busy_cores, double cores) {
  const double linear = step_s + host_s * busy_cores / cores;
  return 0.5 * (linear + std::sqrt(linear * linear + 4.0 * host_s * demand_s / cores));
}

SlowedSlices simulated_slices(std::uint32_t cores, std::uint32_t searched, double utilization, double slice_s,
                              std::uint32_t slices, std::uint64_t seed) {
  std::uint64_t drawn = 0;
  const auto uniform = [&] { return sim::uniform({seed, 0, kSliceDraws, 0}, drawn++); };
  const double idle_s = (1.0 - utilization) / utilization;
  struct Core {
    bool busy = false;
    double until_s = 0.0;
  };
  std::vector<Core> all(cores);
  for (Core& core : all) {
    core.busy = uniform() < utilization;
    core.until_s = -(core.busy ? 1.0 : idle_s) * std::log(uniform());
  }
  double now_s = 0.0;
  double sum = 0.0;
  double squares = 0.0;
  for (std::uint32_t i = 0; i < slices; ++i) {
    now_s += 3.0;  // far enough for slices to be independent
    for (Core& core : all)
      while (core.until_s < now_s) {
        core.busy = !core.busy;
        core.until_s -= (core.busy ? 1.0 : idle_s) * std::log(uniform());
      }
    const auto first = static_cast<std::uint32_t>(uniform() * cores);
    bool found = false;
    double shared_s = 0.0;
    for (std::uint32_t k = 0; k < searched && !found; ++k) {
      const Core& core = all[(first + k) % cores];
      found = !core.busy;
      shared_s = core.until_s - now_s;
    }
    // Shared, half of the time is its own; what is left when the core comes idle runs at full speed.
    const double took_s = found ? slice_s : shared_s >= 2.0 * slice_s ? 2.0 * slice_s : slice_s + 0.5 * shared_s;
    sum += took_s / slice_s;
    squares += took_s / slice_s * (took_s / slice_s);
  }
  const double mean = sum / slices;
  return {mean, std::sqrt((squares / slices - mean * mean) / slices)};
}

}  // namespace headrace::models::twins
