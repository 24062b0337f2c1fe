#include "reports/requirements_confidence.hpp"

#include <fmt/format.h>

#include <set>
#include <string>

#include "models/answer/queueing_estimate.hpp"
#include "models/base/limits.hpp"
#include "reports/humane.hpp"
#include "reports/known_evidence.hpp"
#include "reports/open_ranges.hpp"
#include "scenarios/requirements/probe.hpp"
#include "scenarios/requirements/store_axis.hpp"

namespace headrace::reports {
namespace {

using models::Scenario;

/// The scenario with a store that delivers what is asked, and is ample in all that is not.
Scenario with_store(const scenarios::Requirements& found, const Scenario& scenario, std::size_t index) {
  Scenario changed = scenario;
  models::Store& store = changed.stores[index];
  const scenarios::TailShape shape = scenarios::tail_shape(store);
  store = scenarios::ample(store);
  for (const scenarios::StoreRequirement& one : found.figures)
    if (one.required) scenarios::set_axis(store, one.axis, one.asked, shape);
  return changed;
}

/// The end of a range of the jobs' inputs at which a store that delivers what is asked misses a limit by most, and how
/// many other inputs have such an end. Nothing where the estimate does not know the limits, or misses one with the
/// inputs as stated.
std::string open_limit(const scenarios::Requirements& found, const scenarios::LoadedScenario& loaded,
                       std::size_t store) {
  scenarios::Probe probe(found.limits, {});
  const auto stands = [&](const Scenario& scenario) { return probe.estimate(with_store(found, scenario, store)); };
  const scenarios::Standing as_stated = stands(loaded.value);
  if (!as_stated.known || !as_stated.holds()) return {};
  const std::string own = fmt::format("/stores/{}/", store);
  std::string text;
  double worst = 0.0;
  std::set<std::string> inputs;
  for_each_range_end(loaded, [&](const RangeEnd& end) {
    if (end.input.pointer.starts_with(own)) return;
    try {
      const scenarios::Standing there = stands(end.scenario);
      if (!there.known || there.holds()) return;
      inputs.insert(end.input.pointer);
      const double excess = there.limits[there.tightest()].excess;
      if (!text.empty() && excess <= worst) return;
      worst = excess;
      text = fmt::format("open {}; at {} a store that delivers what is asked misses {} (estimate)", end.range_text(),
                         end.text(), found.limit_texts[there.tightest()]);
    } catch (const models::UnusableRequest&) {
      return;  // no answer at this end
    }
  });
  if (inputs.size() > 1) text += fmt::format(", as it does at an end of {}", counted(inputs.size() - 1, "other range"));
  return text;
}

}  // namespace

std::optional<models::Confidence> confidence_of_requirements(const scenarios::Requirements& found,
                                                             const scenarios::LoadedScenario& loaded) {
  if (!found.possible) return std::nullopt;
  const std::size_t store = scenarios::shared_store(loaded.value, found.store);
  const Scenario scenario = with_store(found, loaded.value, store);
  try {
    return confidence_of_estimate(models::queueing_estimate(scenario, 1), scenario, open_limit(found, loaded, store),
                                  loaded);
  } catch (const models::UnusableRequest&) {
    return std::nullopt;
  }
}

}  // namespace headrace::reports
