#include "models/point_bound.hpp"

#include <algorithm>
#include <cmath>

#include "models/cluster_plan.hpp"
#include "models/flow_bound.hpp"
#include "models/gpu_memory.hpp"
#include "models/hit_profile.hpp"
#include "models/host_memory.hpp"
#include "models/interruptions.hpp"
#include "models/ledger.hpp"
#include "models/outcome_assembly.hpp"
#include "models/start_up.hpp"
#include "models/tier_path.hpp"

namespace headrace::models {

namespace {

void set_lines_by_ledger(const Scenario& scenario, const IngestPath& path, double hit_ratio, PointBound& bound) {
  bound.epoch_s_per_s = path.steps_per_epoch();
  const double epoch_s = bound.epoch_time_s(bound.step_time_s);
  double by_time_usd = 0.0;
  for (const LedgerLine& line : epoch_ledger(scenario, path, hit_ratio, epoch_s)) {
    (line.by_time ? by_time_usd : bound.fixed_usd) += line.usd;
    if (line.item.starts_with("egress")) bound.egress_usd += line.usd;
  }
  bound.usd_per_s = by_time_usd / bound.step_time_s;
}

/// With checkpoints: the lines through two step times of the whole account.
void set_lines_by_outcome(const Scenario& scenario, const std::vector<EpochWindow>& windows, PointBound& bound) {
  const auto at = [&](double step_s) {
    Outcome outcome;
    assemble_closed_form(scenario, windows, step_s, AnswerKind::bound, outcome);
    add_interruptions(scenario, outcome);
    return outcome;
  };
  const Outcome one = at(bound.step_time_s);
  const Outcome two = at(2.0 * bound.step_time_s);
  bound.epoch_s_per_s = one.find("epoch_time_s")->mean / bound.step_time_s;
  const double one_usd = one.find("cost_per_epoch_usd")->mean;
  bound.usd_per_s = (two.find("cost_per_epoch_usd")->mean - one_usd) / bound.step_time_s;
  bound.fixed_usd = one_usd - bound.usd_per_s * bound.step_time_s;
  for (const LedgerLine& line : one.ledger)
    if (line.item.starts_with("egress")) bound.egress_usd += line.usd;
}

void add_room(const Requirement& requirement, std::string_view name, PointBound& bound) {
  bound.rooms.push_back({name, "B", requirement.needed_bytes(), requirement.available_bytes});
  if (!requirement.is_met()) bound.obstacles.push_back(requirement.room + ": " + requirement.text());
}

void add_rooms(const Scenario& scenario, const IngestPath& path, const std::vector<EpochWindow>& windows,
               PointBound& bound) {
  const Job& job = scenario.jobs.front();
  const Pool& pool = pool_of(scenario, job);
  const std::optional<StartUp> start = job.index ? start_up_of(scenario, path, false, 0) : std::nullopt;
  add_room(host_memory(pool, job.loader, path, start ? start->index_bytes_per_node : 0.0), "host memory", bound);
  add_room(gpu_memory_of(path, pool, job), "GPU memory", bound);
  if (job.model && job.model->offload) add_room(offloaded_states_of(path, pool, job), "offloaded states", bound);
  const double workers = job.loader.synchronous ? 1.0 : static_cast<double>(job.loader.workers);
  const double loaders = std::ceil(static_cast<double>(path.loaders) / path.nodes);
  bound.rooms.push_back({"cores", "cores", loaders * workers, static_cast<double>(pool.host.cores)});
  double misses = 0.0;
  for (const EpochWindow& window : windows) misses = std::max(misses, 1.0 - window.hit_ratio - window.tiers.read());
  const double requests_per_s =
      path.loaders * static_cast<double>(path.batch_samples) * misses * path.requests_per_sample / bound.step_floor_s;
  bound.rooms.push_back({"request limit", "requests/s", requests_per_s, path.limit_requests_per_s});
}

}  // namespace

bool is_plain(const Scenario& scenario) {
  return !is_shared(scenario) && (!scenario.faults || scenario.faults->degraded.empty());
}

PointBound point_bound(const Scenario& scenario) {
  IngestPath path = resolve_path(scenario, 0, {});
  const std::vector<EpochWindow> windows = closed_form_windows(scenario, 0);
  PointBound bound;
  bound.step_floor_s = path.mean_step_floor_s();
  for (const EpochWindow& window : windows) {
    enter_window(path, window);
    bound.step_time_s += window.weight * step_time_bound_s(path);
    bound.hit_ratio += window.weight * (window.hit_ratio + window.tiers.read());
  }
  if (scenario.jobs.front().checkpoint)
    set_lines_by_outcome(scenario, windows, bound);
  else
    set_lines_by_ledger(scenario, path, bound.hit_ratio, bound);
  add_rooms(scenario, path, windows, bound);
  return bound;
}

}  // namespace headrace::models
