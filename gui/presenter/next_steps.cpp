#include "gui/presenter/next_steps.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/humane.hpp"
#include "scenarios/document/scenario_file.hpp"
#include "scenarios/planner/remedy.hpp"

namespace headrace::gui {
namespace {

using Json = nlohmann::ordered_json;

std::string edit_text(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

void collect_edits(const Json& before, const Json& after, const std::string& pointer, std::vector<Edit>& edits) {
  if (before == after) return;
  const bool both_objects = before.is_object() && after.is_object();
  if (both_objects) {
    for (const auto& [key, value] : after.items()) {
      const std::string below = scenarios::join_pointer(pointer, key);
      if (before.contains(key))
        collect_edits(before[key], value, below, edits);
      else
        edits.push_back({below, edit_text(value)});
    }
    return;
  }
  const bool records = after.is_array() && !after.empty() && after[0].is_object();
  if (records && before.is_array() && before.size() == after.size()) {
    for (std::size_t i = 0; i < after.size(); ++i)
      collect_edits(before[i], after[i], scenarios::join_pointer(pointer, std::to_string(i)), edits);
    return;
  }
  edits.push_back({pointer, edit_text(after)});
}

/// Objects are spread over more prefixes; what a prefix can take is the provider's figure.
void spread_over_prefixes(const models::Scenario& before, const models::Scenario& after, std::vector<Edit>& edits) {
  for (std::size_t i = 0; i < before.stores.size() && i < after.stores.size(); ++i) {
    const models::RequestLimit& then = before.stores[i].limit;
    const models::RequestLimit& now = after.stores[i].limit;
    if (!then.requests_per_s_per_prefix || !now.requests_per_s_per_prefix) continue;
    const double factor = *now.requests_per_s_per_prefix / *then.requests_per_s_per_prefix;
    if (!(factor > 1.0)) continue;
    const std::string at = fmt::format("/stores/{}/limit/", i);
    for (Edit& edit : edits)
      if (edit.pointer == at + "requests_per_prefix")
        edit = {at + "prefixes", std::to_string(std::llround(std::ceil(static_cast<double>(then.prefixes) * factor)))};
  }
}

std::string cost_text(const scenarios::Remedy& remedy) {
  if (!remedy.cost_usd) return "no prices stated";
  const std::string amount = reports::humane(std::abs(*remedy.cost_usd), "USD");
  constexpr double kNothing_usd = 0.005;
  if (std::abs(*remedy.cost_usd) < kNothing_usd) return "same cost per epoch";
  return fmt::format("{} {} per epoch", amount, *remedy.cost_usd < 0.0 ? "less" : "more");
}

}  // namespace

std::vector<Edit> edits_between(const models::Scenario& before, const models::Scenario& after) {
  std::vector<Edit> edits;
  collect_edits(scenarios::print_scenario(before), scenarios::print_scenario(after), "", edits);
  spread_over_prefixes(before, after, edits);
  return edits;
}

NextSteps next_steps(const models::Scenario& scenario, const models::Outcome& outcome) {
  NextSteps next;
  if (outcome.verdict == models::Verdict::infeasible) {
    next.nothing = "This configuration cannot run. Correct what the warnings name first.";
    return next;
  }
  if (outcome.verdict == models::Verdict::inconclusive) {
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
  const models::Metric* idle = outcome.find("gpu_idle_fraction");
  if (idle == nullptr || outcome.verdict != models::Verdict::ingest_bound) {
    next.nothing = "Nothing worth doing: the GPUs do not wait for data.";
    return next;
  }
  for (const scenarios::Remedy& remedy : scenarios::remedies(scenario, idle->mean, kMostNextSteps))
    next.steps.push_back({remedy.report.change, fmt::format("+{} GPU time", reports::percent(remedy.report.gain)),
                          cost_text(remedy), edits_between(scenario, remedy.changed)});
  if (next.steps.empty()) next.nothing = "Nothing worth doing: no single change gains 1 % of GPU time.";
  return next;
}

}  // namespace headrace::gui
