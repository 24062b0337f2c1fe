// Metrics of an outcome by their full names: "step_time_s", "batch_load_time_s.p99", "jobs/NAME/METRIC", "blame/STAGE".
#pragma once

#include <optional>
#include <string_view>

#include "models/outcome/outcome.hpp"

namespace headrace::models {

/// A full name taken apart.
struct MetricName {
  std::string_view job;  ///< empty: the cluster
  std::string_view metric;
  std::string_view quantile;
};
MetricName split_metric(std::string_view full);

std::optional<double> metric_value(const Outcome& outcome, std::string_view metric);

/// The metric itself; for a quantile a metric without an interval.
std::optional<Metric> metric_of(const Outcome& outcome, std::string_view metric);

/// Whether only several replications show how sure a metric is: simulated, without an interval, and other in other
/// runs.
bool needs_replications(const Metric& metric);

}  // namespace headrace::models
