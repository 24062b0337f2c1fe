#include "models/engine/step_series.hpp"

#include <cstddef>

#include "sim/time.hpp"

namespace headrace::models {

StepSeries step_series(const StepLog& log, std::uint32_t loaders) {
  constexpr std::size_t kMostBatches = 8192;
  StepSeries series;
  while (log.steps() / series.batch_steps > kMostBatches) series.batch_steps *= 2;
  const auto size = static_cast<std::size_t>(series.batch_steps);
  const auto steps = static_cast<double>(size);
  for (std::size_t first = 0; first + size <= log.steps(); first += size) {
    sim::TimeNs wait_ns = 0;
    sim::TimeNs compute_ns = 0;
    for (std::size_t i = first; i < first + size; ++i) {
      wait_ns += log.records[i].wait_own_ns + log.records[i].wait_peer_ns;
      compute_ns += log.records[i].compute_ns;
    }
    series.duration_s.push_back(sim::seconds(log.records[first + size].start_ns - log.records[first].start_ns) / steps);
    series.wait_s.push_back(sim::seconds(wait_ns) / steps / loaders);
    series.compute_s.push_back(sim::seconds(compute_ns) / steps);
  }
  return series;
}

}  // namespace headrace::models
