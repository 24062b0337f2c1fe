#include "gui/presenter/comparison_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <thread>

#include "gui/presenter/parameter_sheet.hpp"
#include "models/outcome/outcome_metrics.hpp"
#include "reports/gate_cases.hpp"
#include "reports/gate_report.hpp"
#include "reports/humane.hpp"

namespace headrace::gui {

std::vector<ChangedInput> changed_inputs(const ScenarioDocument& before, const ScenarioDocument& after) {
  std::map<std::string, std::string> old;
  for (ParameterValue& value : parameter_sheet(before)) old.emplace(std::move(value.pointer), std::move(value.value));
  std::vector<ChangedInput> changes;
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
  const models::PairedDifference* step = comparison.find("step_time_s");
  if (step == nullptr || !step->relative_ci)
    table.headline = "the change of the step time is not known yet";
  else if (!step->is_significant())
    table.headline =
        fmt::format("no change of the step time is seen ({} to {})", reports::relative_text(step->relative_ci->low),
                    reports::relative_text(step->relative_ci->high));
  else
    table.headline =
        fmt::format("the step time changes by {} ({} to {}), on the same random numbers",
                    reports::relative_text(step->relative.value_or(0.0)),
                    reports::relative_text(step->relative_ci->low), reports::relative_text(step->relative_ci->high));
  return table;
}

}  // namespace headrace::gui
