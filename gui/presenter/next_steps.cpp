#include "gui/presenter/next_steps.hpp"

#include <fmt/format.h>

#include <cmath>

#include "reports/first_remedy.hpp"
#include "reports/humane.hpp"
#include "scenarios/planner/remedy.hpp"

namespace headrace::gui {
namespace {

std::vector<Edit> edits_between(const models::Scenario& before, const models::Scenario& after) {
  std::vector<Edit> edits;
  for (const scenarios::ChangedValue& one : scenarios::changed_values(before, after))
    edits.push_back({one.pointer, one.value});
  return edits;
}

std::string cost_text(const scenarios::Remedy& remedy) {
  if (!remedy.cost_usd) return "no prices stated";
  const std::string amount = reports::humane(std::abs(*remedy.cost_usd), "USD");
  constexpr double kNothing_usd = 0.005;
  if (std::abs(*remedy.cost_usd) < kNothing_usd) return "same cost per epoch";
  return fmt::format("{} {} per epoch", amount, *remedy.cost_usd < 0.0 ? "less" : "more");
}

}  // namespace

NextSteps next_steps(const models::Scenario& scenario, const models::Outcome& outcome) {
  NextSteps next;
  if (outcome.verdict == models::Verdict::infeasible) {
    next.nothing = "This configuration cannot run. Correct what the warnings name first.";
    return next;
  }
  const bool waits = reports::has_waits_to_remedy(outcome);
  if (outcome.verdict == models::Verdict::inconclusive && !waits) {
    next.nothing = "The run decides nothing yet. Run it longer first.";
    return next;
  }
  if (outcome.verdict == models::Verdict::checkpoint_bound) {
    next.nothing = "No change of the data path helps: checkpoints and failures take the time. Try their sliders.";
    return next;
  }
  if (outcome.verdict == models::Verdict::collective_bound) {
    next.nothing = "No change of the data path helps: the GPUs wait for each other.";
    return next;
  }
  if (!waits) {
    next.nothing = "Nothing worth doing: the GPUs do not wait for data.";
    return next;
  }
  const models::Metric* idle = outcome.find("gpu_idle_fraction");
  for (const scenarios::Remedy& remedy :
       scenarios::remedies(scenario, idle->mean, kMostNextSteps, models::simulated_seed(outcome)))
    next.steps.push_back({remedy.report.change, fmt::format("+{} GPU time", reports::percent(remedy.report.gain)),
                          cost_text(remedy), edits_between(scenario, remedy.changed)});
  if (next.steps.empty()) next.nothing = "Nothing worth doing: no single change gains 1 % of GPU time.";
  return next;
}

}  // namespace headrace::gui
