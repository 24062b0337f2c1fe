#include "models/queueing_estimate.hpp"

#include <algorithm>

#include "models/cluster_run.hpp"
#include "models/flow_bound.hpp"
#include "models/hit_profile.hpp"
#include "models/outcome_assembly.hpp"
#include "models/uncontended_run.hpp"

namespace headrace::models {

namespace {

constexpr std::uint64_t kDraws = 60'000;
constexpr double kRankOnlyUtilization = 0.8;

double mean_step_s(const StepLog& log) {
  const std::size_t from = log.steps() / 4;
  return sim::seconds(log.records.back().start_ns - log.records[from].start_ns) /
         static_cast<double>(log.steps() - from);
}

double uncontended_step_s(const IngestPath& path, std::uint64_t seed) {
  RunSwitches switches;
  switches.contention = false;
  const std::uint64_t steps =
      std::max<std::uint64_t>(4ULL * path.outstanding, kDraws / (std::uint64_t{path.loaders} * path.pieces()));
  if (path.order == DeliveryOrder::in_order) {
    const ItineraryMaker itineraries(path, seed, 0, switches);
    UncontendedRun run(path, itineraries);
    run.run_to(steps);
    return mean_step_s(run.log());
  }
  ClusterRun run(path, seed, 0, switches);
  run.run_to(steps);
  return mean_step_s(run.log());
}

}  // namespace

Outcome queueing_estimate(const Scenario& scenario, std::uint64_t seed) {
  IngestPath path = resolve_path(scenario, 0, {});
  const std::vector<EpochWindow> windows = closed_form_windows(scenario, 0);
  Outcome outcome;
  outcome.seed = seed;
  outcome.stopped_by = "closed_form";
  double step_s = 0.0;
  for (const EpochWindow& window : windows) {
    path.hit_ratio = window.hit_ratio;
    const double window_s = std::max(uncontended_step_s(path, seed), step_time_bound_s(path));
    step_s += window.weight * window_s;
    outcome.windows.push_back({window.position, window.weight, window.hit_ratio, window_s, 0, 0, "no simulation"});
  }
  assemble_closed_form(scenario, windows, step_s, AnswerKind::estimate, outcome);
  for (const StationReport& station : outcome.stations) {
    if (station.utilization <= kRankOnlyUtilization) continue;
    outcome.warnings.push_back(
        "rank only: " + station.name +
        " is over 80 % busy, and queueing there is not part of the estimate; simulate for a number");
    break;
  }
  return outcome;
}

}  // namespace headrace::models
