#include "models/outcome/job_weights.hpp"

#include <algorithm>
#include <numeric>

#include "models/outcome/outcome_metrics.hpp"

namespace headrace::models {

namespace {

/// What a mean is taken over, of one job; 0 where that is not known.
double weighed_by(OverJobs rule, const WeighedJob& job) {
  const auto times = [&job](double factor, std::string_view name) {
    const Metric* metric = find_in(*job.metrics, name);
    return metric != nullptr ? factor * metric->mean : 0.0;
  };
  if (rule == OverJobs::mean_by_samples) return times(job.copies, "samples_per_s");
  if (rule == OverJobs::mean_by_compute) return times(job.gpus, "gpu_utilization");
  return job.gpus;
}

/// By GPUs where the jobs have nothing else to weigh them by.
std::vector<double> weights_of_mean(const std::vector<WeighedJob>& jobs, OverJobs rule) {
  std::vector<double> weights;
  for (const WeighedJob& job : jobs) weights.push_back(weighed_by(rule, job));
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (!(sum > 0.0)) return weights_of_mean(jobs, OverJobs::mean);
  for (double& weight : weights) weight /= sum;
  return weights;
}

}  // namespace

std::vector<double> job_weights(const std::vector<WeighedJob>& jobs, std::string_view metric) {
  const OverJobs rule = traits_of(metric).over_jobs;
  if (rule != OverJobs::sum && rule != OverJobs::longest) return weights_of_mean(jobs, rule);
  std::vector<double> weights;
  if (rule == OverJobs::sum) {
    for (const WeighedJob& job : jobs) weights.push_back(job.copies);
    return weights;
  }
  const auto is_shorter = [metric](const WeighedJob& a, const WeighedJob& b) {
    return find_in(*a.metrics, metric)->mean < find_in(*b.metrics, metric)->mean;
  };
  weights.assign(jobs.size(), 0.0);
  weights[static_cast<std::size_t>(std::max_element(jobs.begin(), jobs.end(), is_shorter) - jobs.begin())] = 1.0;
  return weights;
}

}  // namespace headrace::models
