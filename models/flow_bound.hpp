// The flow bound: no step is shorter than compute, nor than any resource needs for what a step asks of it. Holds
// whatever the queues do (conservation of flow; Lazowska, Zahorjan, Graham and Sevcik, Quantitative System Performance,
// 1984, chapter 5, asymptotic bounds). Integrated over the position in the epoch, never at the mean hit ratio.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "models/ingest_path.hpp"
#include "models/outcome.hpp"

namespace headrace::models {

/// One resource and the step time that it alone would allow.
struct ResourceFloor {
  std::string_view name;  ///< "workers", "metadata", "store", "spine", "leaf", "nic", "cores", ...
  Stage stage = Stage::transfer;
  std::string_view unit;
  double capacity_per_s = 0.0;
  double demand_per_step = 0.0;
  double step_time_s = 0.0;
};

/// Floors of every resource of the path at its hit ratio, and of the workers; empty resources are left out.
std::vector<ResourceFloor> resource_floors(const IngestPath& path);

/// Mean time that a batch spends in each stage when nothing is shared, seconds.
std::array<double, kStageCount> mean_stage_times_s(const IngestPath& path);

/// Their sum: mean duration of a batch in its worker, seconds.
double mean_batch_time_s(const IngestPath& path);

/// Lower bound on the step time at the path's hit ratio.
double step_time_bound_s(const IngestPath& path);

/// The bound as an outcome; metrics are of kind `bound`.
Outcome flow_bound(const Scenario& scenario);

}  // namespace headrace::models
