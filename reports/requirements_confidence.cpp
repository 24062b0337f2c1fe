#include "reports/requirements_confidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/answer/queueing_estimate.hpp"
#include "models/base/limits.hpp"
#include "models/study/uncertain_input.hpp"
#include "reports/humane.hpp"
#include "reports/known_evidence.hpp"
#include "scenarios/document/input_ranges.hpp"
#include "scenarios/document/units.hpp"
#include "scenarios/requirements/store_axis.hpp"

namespace headrace::reports {
namespace {

using models::Scenario;

constexpr double kNoticed = 0.1;  ///< of what the jobs ask for: less leaves the figures as they are

Scenario with_store(const scenarios::Requirements& found, const Scenario& scenario, std::size_t index) {
  Scenario changed = scenario;
  models::Store& store = changed.stores[index];
  const scenarios::TailShape shape = scenarios::tail_shape(store);
  store = scenarios::ample(store);
  for (const scenarios::StoreRequirement& one : found.figures)
    if (one.required) scenarios::set_axis(store, one.axis, one.asked, shape);
  return changed;
}

/// Bytes per second that the jobs read from a store that is ample; of a store that is only written to, those.
double demand_bytes_per_s(Scenario scenario, std::size_t store) {
  scenario.stores[store] = scenarios::ample(scenario.stores[store]);
  const scenarios::WorkloadProfile profile =
      scenarios::workload_profile(scenario, store, models::queueing_estimate(scenario, 1));
  return profile.read_bytes_per_s > 0.0 ? profile.read_bytes_per_s : profile.write_bytes_per_s;
}

/// "open: the jobs ask for 22.7 GB/s with the inputs as stated, and for 11.4 GB/s to 45.4 GB/s over the assumed range
/// of ...", of the input that moves it most.
std::string open_demand(const scenarios::LoadedScenario& loaded, std::size_t store) {
  const double today = demand_bytes_per_s(loaded.value, store);
  const std::string own = fmt::format("/stores/{}/", store);
  double furthest = kNoticed * today;
  std::string text;
  const auto inputs = scenarios::uncertain_inputs(loaded.value, loaded.composition);
  for (const models::UncertainInput& input : inputs.value()) {  // loading has read them
    if (!input.stated || input.pointer.starts_with(own)) continue;
    const auto at = [&](double value) {
      return demand_bytes_per_s(models::with_input(loaded.value, input, value), store);
    };
    const auto [least, most] = std::minmax({at(input.low), at(input.high), today});
    if (most - least <= furthest) continue;
    furthest = most - least;
    text = fmt::format("open: the jobs ask for {} with the inputs as stated, and for {} to {} over the assumed range "
                       "of {}, {} to {}",
                       humane(today, "B/s", 3), humane(least, "B/s", 3), humane(most, "B/s", 3), input.pointer,
                       scenarios::print_quantity(input.low, input.unit),
                       scenarios::print_quantity(input.high, input.unit));
  }
  return text;
}

}  // namespace

std::optional<models::Confidence> confidence_of_requirements(const scenarios::Requirements& found,
                                                             const scenarios::LoadedScenario& loaded) {
  const std::size_t store = scenarios::shared_store(loaded.value, found.store);
  const Scenario scenario = with_store(found, loaded.value, store);
  try {
    return confidence_of_estimate(models::queueing_estimate(scenario, 1), scenario, open_demand(loaded, store), loaded);
  } catch (const models::UnusableRequest&) {
    return std::nullopt;
  }
}

}  // namespace headrace::reports
