#include "gui/presenter/value_in_use.hpp"

#include "reports/significant.hpp"
#include "scenarios/document/scenario_file.hpp"

namespace headrace::gui {
namespace {

constexpr std::string_view kInterval = "/checkpoint/interval";

/// Metrics of the job that the pointer leads into; those of the outcome where it runs alone.
const std::vector<models::Metric>& metrics_at(const std::string& pointer, const models::Outcome& outcome) {
  const auto tokens = scenarios::pointer_tokens(pointer).value_or(std::vector<std::string>{});
  const std::size_t job = tokens.size() > 1 ? std::stoul(tokens[1]) : 0;
  return job < outcome.jobs.size() ? outcome.jobs[job].metrics : outcome.metrics;
}

}  // namespace

ParameterValue in_use(ParameterValue parameter, const models::Outcome& outcome) {
  if (!parameter.pointer.ends_with(kInterval) || number_of(parameter, parameter.value) != 0.0) return parameter;
  constexpr int kDigits = 3;  // as a slider has them
  const double interval_s = models::mean_in(metrics_at(parameter.pointer, outcome), "checkpoint_interval_s");
  if (interval_s > 0.0) parameter.value = spelled(parameter, reports::significant(interval_s, kDigits));
  return parameter;
}

}  // namespace headrace::gui
