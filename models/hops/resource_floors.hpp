// The flow bound: no step is shorter than compute, nor than any resource needs for what a step asks of it. Holds
// whatever the queues do (conservation of flow; Lazowska, Zahorjan, Graham and Sevcik, Quantitative System Performance,
// 1984, chapter 5, asymptotic bounds). Integrated over the position in the epoch, never at the mean hit ratio.
#pragma once

#include <array>
#include <vector>

#include "models/hops/path.hpp"
#include "models/hops/resource.hpp"
#include "models/hops/stage.hpp"

namespace headrace::models {

/// One resource and the step time that it alone would allow.
struct ResourceFloor {
  Resource resource = Resource::workers;
  Stage stage = Stage::transfer;
  double capacity_per_s = 0.0;
  double demand_per_step = 0.0;
  double step_time_s = 0.0;
};

/// Floors of every resource of the path at its hit ratio, and of the workers; empty resources are left out.
std::vector<ResourceFloor> resource_floors(const IngestPath& path);

/// Mean time that a batch spends in each stage when nothing is shared, seconds; in its worker and behind it.
std::array<double, kStageCount> mean_stage_times_s(const IngestPath& path);

/// Their sum without receiving: mean duration of a batch in its worker, seconds. The second form: where the tiers
/// answer other shares of the samples than in the path's window.
double mean_batch_time_s(const IngestPath& path);
double mean_batch_time_s(const IngestPath& path, const WindowShares& shares);

/// From an idle worker until its rank has the batch: the same with receiving, seconds.
double first_batch_s(const IngestPath& path);

/// Mean demand of one batch on a resource, in its units.
double batch_demand(const IngestPath& path, Resource resource);

/// Mean time of a batch in its worker away from a resource, seconds: at hops that ask nothing of it. With synchronous
/// loading the step is a part of it.
double time_away_s(const IngestPath& path, Resource resource);

/// TermPart of a batch's mean time that is longer on a slow node, seconds.
double node_bound_time_s(const IngestPath& path);

/// Lower bound on the step time at the path's hit ratio.
double step_time_bound_s(const IngestPath& path);

}  // namespace headrace::models
