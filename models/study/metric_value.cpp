#include "models/study/metric_value.hpp"

#include <algorithm>

#include "models/outcome/outcome_metrics.hpp"

namespace headrace::models {

namespace {

const JobReport* find_job(const Outcome& outcome, std::string_view name) {
  for (const JobReport& job : outcome.jobs)
    if (job.name == name) return &job;
  return nullptr;
}

/// Waits that a stage causes; a stage that is not on the path causes none.
std::optional<Metric> blame_of(const Outcome& outcome, std::string_view stage) {
  const auto known = std::find(kStageNames.begin(), kStageNames.end(), stage);
  if (known == kStageNames.end() || outcome.metrics.empty()) return std::nullopt;
  Metric metric{"blame/" + std::string(stage), 0.0, Interval{}, {}, outcome.metrics.front().kind};
  for (const StageShare& share : outcome.blame) {
    if (name(share.stage) != stage) continue;
    metric.mean = share.mean;
    metric.ci95 = share.ci95;
  }
  return metric;
}

}  // namespace

MetricName split_metric(std::string_view full) {
  MetricName name;
  name.metric = full;
  constexpr std::string_view kJobs = "jobs/";
  if (full.starts_with(kJobs)) {
    const std::size_t slash = full.rfind('/');
    if (slash > kJobs.size()) {
      name.job = full.substr(kJobs.size(), slash - kJobs.size());
      name.metric = full.substr(slash + 1);
    }
  }
  if (const std::size_t dot = name.metric.rfind('.'); dot != std::string_view::npos) {
    name.quantile = name.metric.substr(dot + 1);
    name.metric = name.metric.substr(0, dot);
  }
  return name;
}

bool needs_replications(const Metric& metric) {
  if (metric.kind != AnswerKind::simulated || metric.ci95) return false;
  const MetricName name = split_metric(metric.name);
  return !name.quantile.empty() || traits_of(name.metric).noise == Noise::replications;
}

std::optional<Metric> metric_of(const Outcome& outcome, std::string_view full) {
  constexpr std::string_view kBlame = "blame/";
  if (full.starts_with(kBlame)) return blame_of(outcome, full.substr(kBlame.size()));
  const MetricName name = split_metric(full);
  const JobReport* job = name.job.empty() ? nullptr : find_job(outcome, name.job);
  if (!name.job.empty() && job == nullptr) return std::nullopt;
  const bool own = job != nullptr && job->is_beside_others();
  const std::vector<Metric>& metrics = own ? job->metrics : outcome.metrics;
  const Metric* found = find_in(metrics, name.metric);
  if (found == nullptr) return std::nullopt;
  Metric result = *found;
  result.name = full;
  if (name.quantile.empty()) return result;
  const std::optional<LoadTimeQuantiles>& quantiles = own ? job->batch_load_time : outcome.batch_load_time;
  if (name.metric != "batch_load_time_s" || !quantiles) return std::nullopt;
  result.ci95.reset();
  result.input_range.reset();
  if (name.quantile == "p50")
    result.mean = quantiles->p50_s;
  else if (name.quantile == "p90")
    result.mean = quantiles->p90_s;
  else if (name.quantile == "p99")
    result.mean = quantiles->p99_s;
  else if (name.quantile == "p999")
    result.mean = quantiles->p999_s;
  else
    return std::nullopt;
  return result;
}

std::optional<double> metric_value(const Outcome& outcome, std::string_view metric) {
  const std::optional<Metric> found = metric_of(outcome, metric);
  return found ? std::optional<double>(found->mean) : std::nullopt;
}

}  // namespace headrace::models
