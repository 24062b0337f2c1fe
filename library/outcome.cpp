#include <algorithm>

#include "library/state.hpp"
#include "models/hops/stage.hpp"
#include "models/outcome/outcome_metrics.hpp"

namespace headrace {
namespace {

std::optional<std::pair<double, double>> pair_of(const std::optional<models::Interval>& interval) {
  if (!interval) return std::nullopt;
  return std::pair{interval->low, interval->high};
}

}  // namespace

const std::string& Outcome::json() const { return state_->json; }

std::string Outcome::verdict() const {
  return std::string(models::kVerdictNames.at(static_cast<std::size_t>(state_->outcome.verdict)));
}

std::string Outcome::binding() const {
  const std::optional<models::Stage>& stage = state_->outcome.binding;
  return stage ? std::string(models::kStageNames.at(static_cast<std::size_t>(*stage))) : std::string();
}

std::string Outcome::stopped_by() const { return state_->outcome.stopped_by; }

std::uint64_t Outcome::steps() const { return state_->outcome.steps; }

std::optional<double> Outcome::value(std::string_view metric) const {
  const models::Metric* found = state_->outcome.find(metric);
  return found == nullptr ? std::nullopt : std::optional(found->mean);
}

std::optional<Metric> Outcome::metric(std::string_view name) const {
  const models::Metric* found = state_->outcome.find(name);
  if (found == nullptr) return std::nullopt;
  const models::MetricDescription* description = models::find_metric(name);
  return Metric{found->name, description == nullptr ? std::string() : std::string(description->unit), found->mean,
                pair_of(found->ci95), pair_of(found->input_range)};
}

std::vector<std::string> Outcome::metric_names() const {
  std::vector<std::string> names;
  for (const models::Metric& metric : state_->outcome.metrics) names.push_back(metric.name);
  return names;
}

}  // namespace headrace
