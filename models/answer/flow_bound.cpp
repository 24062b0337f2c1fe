#include "models/answer/flow_bound.hpp"

#include <vector>

#include "models/answer/shared_bound.hpp"
#include "models/cluster/cluster_plan.hpp"
#include "models/hops/resource_floors.hpp"
#include "models/interruptions/checkpoint_writes.hpp"
#include "models/interruptions/interruptions.hpp"
#include "models/interruptions/over_time.hpp"
#include "models/outcome/cluster_outcome.hpp"
#include "models/outcome/input_warnings.hpp"
#include "models/outcome/machine_room.hpp"
#include "models/outcome/outcome_assembly.hpp"
#include "models/path/epoch_windows.hpp"
#include "models/path/tier_path.hpp"

namespace headrace::models {

namespace {

/// Without faults that slow the job down.
Outcome healthy_flow_bound(const Scenario& scenario) {
  const IngestPath path = resolve_path(scenario, 0, {});
  const std::vector<EpochWindow> windows = closed_form_windows(scenario, 0);
  Outcome outcome;
  outcome.stopped_by = "closed_form";
  double step_s = 0.0;
  for (const EpochWindow& window : windows) {
    const double bound_s = step_time_bound_s(in_window(path, window));
    step_s += window.weight * bound_s;
    outcome.windows.push_back({window.position, window.weight, window.hit_ratio, bound_s, 0, 0});
  }
  assemble_closed_form(scenario, windows, step_s, refill_bound_s(path, windows, step_s), AnswerKind::bound, outcome);
  add_interruptions(scenario, outcome);
  return outcome;
}

/// What others take is not subtracted from a job: beside them it is never faster than alone. All together have no more
/// than there is.
Outcome bound_of_each(const Scenario& scenario) {
  require_all_at_once(scenario);
  std::vector<JobOutcome> outcomes;
  for (std::size_t job = 0; job < scenario.jobs.size(); ++job) {
    const JobOutcome one{job, healthy_flow_bound(less_mean_writes(job_alone(scenario, job)))};
    outcomes.insert(outcomes.end(), scenario.jobs[job].copies, one);
  }
  Outcome all = merge_jobs(scenario, loads_asked(scenario), outcomes);
  hold_to_shared_resources(scenario, outcomes, all);
  return all;
}

}  // namespace

Outcome flow_bound(const Scenario& scenario) {
  Outcome outcome = bound_over_time(scenario, [](const Scenario& state) {
    return is_shared(state) ? bound_of_each(state) : healthy_flow_bound(state);
  });
  add_machine_room(scenario, outcome);
  warn_of_inputs(scenario, outcome);
  return outcome;
}

}  // namespace headrace::models
