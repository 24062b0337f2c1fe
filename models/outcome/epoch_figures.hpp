// What an epoch of a whole cluster takes and costs, from an outcome, with the lines by which its time and money move.
#pragma once

#include <string>
#include <vector>

#include "models/outcome/outcome.hpp"

namespace headrace::models {

/// One job, or each of its copies. Dollars per epoch of that job.
struct JobFigures {
  double copies = 1.0;
  double epoch_time_s = 0.0;
  double by_time_usd = 0.0;  ///< paid by the hour
  double fixed_usd = 0.0;
  double gpu_hours = 0.0;
  double step_time_s = 0.0;
  double idle_fraction = 0.0;
  std::string name = {};
};

/// As in the cluster's outcome: costs are sums over jobs, the epoch is that of the slowest job, steps and idle GPUs are
/// means weighed by GPUs.
struct EpochFigures {
  double step_time_s = 0.0;
  double epoch_time_s = 0.0;
  double cost_usd = 0.0;
  double idle_fraction = 0.0;
  double egress_usd = 0.0;
  std::vector<JobFigures> jobs;

  double fixed_usd() const;
  double gpu_hours() const;
  /// Of the machines while all jobs train.
  double hourly_usd() const;
  /// What the epochs of `other` would cost at the hourly prices of this one; both have the same jobs.
  double cost_at_epochs_of(const EpochFigures& other) const;
};

EpochFigures epoch_figures(const Outcome& outcome);

/// Share of GPU time that is training progress, by job.
std::vector<double> goodput_by_job(const Outcome& outcome);
/// The same of an epoch without an outcome: that of the flow bound of the same scenario, whose useful work in
/// an epoch is the same, over the time that the epoch takes.
std::vector<double> goodput_by_job(const EpochFigures& epoch, const Outcome& bound);
/// The same of all GPUs together.
double goodput_of_all(const EpochFigures& epoch, const Outcome& bound);

}  // namespace headrace::models
