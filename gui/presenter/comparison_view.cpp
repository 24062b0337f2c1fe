#include "gui/presenter/comparison_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <thread>

#include "gui/presenter/parameter_sheet.hpp"
#include "models/outcome/outcome_metrics.hpp"
#include "models/study/metric_value.hpp"
#include "reports/gate_cases.hpp"
#include "reports/gate_report.hpp"
#include "reports/humane.hpp"

namespace headrace::gui {
namespace {

/// Of the step; of several jobs that of the one that changes most.
const models::PairedDifference* told_step(const models::Comparison& comparison) {
  constexpr std::string_view kStep = "step_time_s";
  const models::PairedDifference* most = nullptr;
  for (const models::PairedDifference& one : comparison.differences) {
    const models::MetricName name = models::split_metric(one.metric);
    if (name.job.empty() || name.metric != kStep) continue;
    if (most == nullptr || std::abs(one.relative.value_or(0.0)) > std::abs(most->relative.value_or(0.0))) most = &one;
  }
  return most != nullptr ? most : comparison.find(kStep);
}

std::string headline_of(const models::Comparison& comparison) {
  const models::PairedDifference* step = told_step(comparison);
  if (step == nullptr || !step->relative_ci) return "the change of the step time is not known yet";
  const std::string_view job = models::split_metric(step->metric).job;
  if (job.empty() && step->relative_ci->low == 0.0 && step->relative_ci->high == 0.0)
    return "the step time is the same";
  const std::string low = reports::relative_text(step->relative_ci->low);
  const std::string high = reports::relative_text(step->relative_ci->high);
  if (!step->is_significant())
    return job.empty()
               ? fmt::format("no change of the step time is seen ({} to {})", low, high)
               : fmt::format("no change of the step time of a job is seen (that of {}: {} to {})", job, low, high);
  const std::string change = reports::relative_text(step->relative.value_or(0.0));
  return job.empty()
             ? fmt::format(
                   "the step time changes by {} ({} to {}), in two runs on the same random numbers, not those of the "
                   "figures",
                   change, low, high)
             : fmt::format(
                   "of the jobs, the step time of {} changes most: by {} ({} to {}), in two runs on the same random "
                   "numbers, not those of the figures",
                   job, change, low, high);
}

}  // namespace

std::vector<InputDifference> changed_inputs(const ScenarioDocument& before, const ScenarioDocument& after) {
  std::map<std::string, std::string> old;
  for (ParameterValue& value : parameter_sheet(before)) old.emplace(std::move(value.pointer), std::move(value.value));
  std::vector<InputDifference> changes;
  for (const ParameterValue& value : parameter_sheet(after)) {
    const auto found = old.find(value.pointer);
    if (found == old.end())
      changes.push_back({value.pointer, "", value.value, value.origin});
    else if (found->second != value.value)
      changes.push_back({value.pointer, found->second, value.value, value.origin});
    if (found != old.end()) old.erase(found);
  }
  for (const auto& [pointer, value] : old) changes.push_back({pointer, value, "", ""});
  return changes;
}

DeltaTable compare_runs(const models::Scenario& before, const models::Scenario& after, const CompareWish& wish,
                        const std::stop_token& stop) {
  models::ComparisonOptions options;
  options.study.max_wall_s = wish.max_wall_s;
  options.study.steps = wish.steps;
  options.study.threads = std::max(1U, std::thread::hardware_concurrency() - 1);
  options.study.stop = stop;
  options.study.relief = false;
  options.study.abandon = stop;  // a window shows no half comparison
  const models::Comparison comparison = models::compare(before, after, options, [&](const models::Comparison& look) {
    const models::PairedDifference* step = look.find("step_time_s");
    if (step == nullptr || !step->relative_ci) return false;
    return step->is_significant() || 0.5 * (step->relative_ci->high - step->relative_ci->low) <= wish.half_width;
  });
  DeltaTable table;
  const reports::GateTable differences = reports::difference_table(comparison.differences);
  table.header = differences.header;
  table.rows = differences.rows;
  for (std::string& name : table.header)
    if (name == "A" || name == "B") name = std::string(name == "A" ? "baseline" : "now");
  for (std::vector<std::string>& row : table.rows)
    if (!row.empty() && models::find_metric(row.front()) != nullptr) row.front() = reports::spoken_name(row.front());
  table.basis = fmt::format("Of a pair of runs of {} with the same random numbers: not those of the cards.",
                            reports::counted(comparison.before.steps, "step"));
  table.headline = headline_of(comparison);
  return table;
}

}  // namespace headrace::gui
