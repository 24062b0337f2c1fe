#include "gui/presenter/next_steps.hpp"

#include <fmt/format.h>

#include "gui/presenter/dashboard.hpp"
#include "reports/humane.hpp"
#include "reports/next_changes.hpp"
#include "scenarios/remedies/remedy.hpp"

namespace headrace::gui {
namespace {

std::vector<Edit> edits_between(const models::Scenario& before, const models::Scenario& after) {
  std::vector<Edit> edits;
  for (const scenarios::ChangedValue& one : scenarios::changed_values(before, after))
    edits.push_back({one.pointer, one.value});
  return edits;
}

}  // namespace

NextSteps next_steps(const models::Scenario& scenario, const models::Outcome& outcome) {
  NextSteps next;
  for (const scenarios::Remedy& remedy : reports::remedies_of(scenario, outcome, reports::kMostNextChanges))
    next.steps.push_back({remedy.report.change, fmt::format("{} less time", reports::percent(remedy.report.gain)),
                          reports::change_cost_text(remedy.report, outcome), edits_between(scenario, remedy.changed),
                          remedy.report.kind, reports::worse_grade(remedy.report, outcome)});
  if (!next.steps.empty()) return next;
  next.nothing = reports::why_no_change(outcome);
  if (next.nothing.empty()) next.nothing = reports::kNoChangeGains;
  next.nothing_as_stated = reports::why_no_change(outcome, kOpenOverInputs);
  if (next.nothing_as_stated.empty()) next.nothing_as_stated = next.nothing;
  return next;
}

}  // namespace headrace::gui
