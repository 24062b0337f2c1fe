#include "models/outcome/lockstep.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/hops/resource_floors.hpp"
#include "models/path/tier_path.hpp"

namespace headrace::models {

namespace {

/// The step that the resources of a window ask for, in seconds, or 0 where its batches are not in lockstep.
double asked_in_lockstep_s(const IngestPath& path, const SimulatedWindow& simulated) {
  constexpr double kAlike = 1.01;     // longest load time over the median
  constexpr double kSlower = 1.05;    // step time over what the resources ask for
  constexpr double kContended = 1.2;  // load time over that of a batch alone
  if (simulated.load_p999_s > kAlike * simulated.load_p50_s) return 0.0;
  const IngestPath in = in_window(path, simulated.window);
  if (simulated.load_p50_s < kContended * first_batch_s(in)) return 0.0;
  const double asked_s = std::max(path.mean_fed_step_s(), step_time_bound_s(in));
  return simulated.step_time_s < kSlower * asked_s ? 0.0 : asked_s;
}

/// A spread for the store's latency, or for what there is.
std::string how_to_spread(const Scenario& scenario, std::size_t job) {
  const std::string& name = dataset_of(scenario, scenario.jobs[job]).store;
  for (std::size_t i = 0; i < scenario.stores.size(); ++i) {
    const DistributionSpec& latency = scenario.stores[i].latency_s;
    if (scenario.stores[i].name != name || latency.family != Family::constant || !(latency.mean > 0.0)) continue;
    return fmt::format(
        "give sample_bytes or latency a distribution, for example --set "
        "'/stores/{}/latency={{\"lognormal\": {{\"mean\": \"{:.6g} s\", \"cv\": 0.5}}}}'",
        i, latency.mean);
  }
  return "give sample_bytes or latency a distribution";
}

}  // namespace

void warn_of_lockstep(const Scenario& scenario, std::size_t job, const std::vector<SimulatedWindow>& windows,
                      Outcome& outcome) {
  constexpr double kLeastShare = 0.02;
  const IngestPath path = resolve_path(scenario, job, {});
  if (path.synchronous) return;
  double share = 0.0;
  double worst = 0.0;
  double worst_step_s = 0.0;
  double worst_asked_s = 0.0;
  for (const SimulatedWindow& window : windows) {
    const double asked_s = asked_in_lockstep_s(path, window);
    if (!(asked_s > 0.0)) continue;
    share += window.share;
    if (window.step_time_s / asked_s <= worst) continue;
    worst = window.step_time_s / asked_s;
    worst_step_s = window.step_time_s;
    worst_asked_s = asked_s;
  }
  if (share < kLeastShare) return;
  outcome.warnings.insert(  // first, since it puts every figure in question
      outcome.warnings.begin(),
      Warning(
          fmt::format("all batches run in lockstep for {:.0f} % of the time: a step takes {:.4g} s where the busiest "
                      "resource asks for {:.4g} s, because resources work one after the other, not at the same time",
                      100.0 * share, worst_step_s, worst_asked_s),
          "every batch has the same size and latency, unlike on any real store", how_to_spread(scenario, job)));
}

}  // namespace headrace::models
