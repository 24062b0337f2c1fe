// Batches that are all alike and march in step: where nothing varies, all workers are at the same stage at the same
// time, and resources that would work side by side work in turn.
#pragma once

#include <vector>

#include "models/outcome/outcome.hpp"
#include "models/path/epoch_windows.hpp"
#include "models/path/ingest_path.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

/// What was simulated of a window of the epoch.
struct SimulatedWindow {
  EpochWindow window;
  double share = 0.0;  ///< of the job's time
  double step_time_s = 0.0;
  double load_p50_s = 0.0;  ///< time to load a batch
  double load_p999_s = 0.0;
};

/// Warns of windows whose simulated step is longer than any resource asks for while all batches take the same time and
/// wait for each other: the sum of the resources' times in the place of the longest. A few percent of variation
/// dissolve it. Windows are judged one by one, since a cache that fills makes their batches unlike.
void warn_of_lockstep(const Scenario& scenario, std::size_t job, const std::vector<SimulatedWindow>& windows,
                      Outcome& outcome);

}  // namespace headrace::models
