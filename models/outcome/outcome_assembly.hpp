// From means per step to the metrics, states, stations, ledger and verdict of an outcome: the part that bound, estimate
// and simulation share.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "models/outcome/measured.hpp"
#include "models/outcome/outcome.hpp"
#include "models/path/epoch_windows.hpp"
#include "models/path/ingest_path.hpp"

namespace headrace::models {

/// What one steady epoch looks like per step, averaged over its windows.
struct EpochMeans {
  AnswerKind kind = AnswerKind::simulated;
  Measured step_time_s;
  Measured idle_fraction;
  Measured utilization;
  std::array<double, kGpuStateCount> state_s{};  ///< mean seconds per step; they sum to step_time_s.mean
  std::optional<Measured> first_epoch_step_time_s;
  std::optional<double> time_to_first_step_s;
  double refill_s = 0.0;  ///< beyond the steps of an epoch that begins with empty queues
};

/// Adds everything that follows from the means: metrics, gpu_states, stations, ledger, jobs, evidence, memory warnings
/// and, unless the outcome already has a verdict other than inconclusive, the verdict for a result with enough data.
void assemble(const Scenario& scenario, const std::vector<EpochWindow>& windows, const EpochMeans& means,
              bool enough_data, Outcome& outcome);

/// The same for a closed form that knows the step time only: everything over compute and overhead is ingest wait.
void assemble_closed_form(const Scenario& scenario, const std::vector<EpochWindow>& windows, double step_time_s,
                          double refill_s, AnswerKind kind, Outcome& outcome);

/// No epoch that begins with empty queues takes less beyond its steps, where none of these is shorter than
/// `step_time_s`: it begins with a batch, and ends with a step.
/// 0 where iterators last.
double refill_bound_s(const IngestPath& path, const std::vector<EpochWindow>& windows, double step_time_s);

/// What lies between two epochs; 0 where iterators last.
double epoch_boundary_s(const IngestPath& path, double refill_s);

/// Above this idle share a job is called ingest-bound.
inline constexpr double kFedIdleFraction = 0.01;
/// Above this share of exposed collectives, and where it is more than the wait for data, a job is collective-bound.
inline constexpr double kCollectiveBoundFraction = 0.05;

}  // namespace headrace::models
