// What each of several jobs counts in a metric of the cluster: a share of samples by the samples that the job trains, a
// cost per useful hour by its useful hours, other means by GPUs.
#pragma once

#include <string_view>
#include <vector>

#include "models/outcome/outcome.hpp"

namespace headrace::models {

/// A job with all its copies.
struct WeighedJob {
  const std::vector<Metric>* metrics;  ///< of one copy
  double gpus;                         ///< of all copies
  double copies;
};

/// The metric of the cluster is the sum of weight x that of the job: one weight per job, of jobs that all have
/// `metric`.
std::vector<double> job_weights(const std::vector<WeighedJob>& jobs, std::string_view metric);

}  // namespace headrace::models
