// The steps of one replication as means of short runs of steps: what another scenario's replication with the same
// random numbers is paired with.
#pragma once

#include <cstdint>
#include <vector>

#include "models/engine/step_log.hpp"

namespace headrace::models {

/// Means per step and loader over consecutive batches of `batch_steps` steps, from the first step on; steps that do not
/// fill a batch are left out at the end.
struct StepSeries {
  std::uint64_t batch_steps = 1;
  std::vector<double> duration_s;
  std::vector<double> wait_s;
  std::vector<double> compute_s;

  bool empty() const { return duration_s.empty(); }
};

/// At most 8192 batches, of a power of two of steps each.
StepSeries step_series(const StepLog& log, std::uint32_t loaders);

}  // namespace headrace::models
