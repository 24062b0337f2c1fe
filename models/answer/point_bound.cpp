#include "models/answer/point_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/answer/flow_bound.hpp"
#include "models/base/limits.hpp"
#include "models/cluster/cluster_plan.hpp"
#include "models/engine/start_up.hpp"
#include "models/hops/resource_floors.hpp"
#include "models/interruptions/checkpoint_writes.hpp"
#include "models/interruptions/interruptions.hpp"
#include "models/outcome/gpu_memory.hpp"
#include "models/outcome/host_memory.hpp"
#include "models/outcome/ledger.hpp"
#include "models/outcome/ledger_item.hpp"
#include "models/outcome/machine_room.hpp"
#include "models/outcome/outcome_assembly.hpp"
#include "models/outcome/total_epoch_cost.hpp"
#include "models/path/epoch_windows.hpp"
#include "models/path/tier_path.hpp"

namespace headrace::models {

namespace {

bool counts_total_cost(const Scenario& scenario) {
  return scenario.objective && scenario.objective->counts_total_cost();
}

void set_lines_by_ledger(const Scenario& scenario, const IngestPath& path, double hit_ratio, PointBound& bound) {
  bound.epoch_s_per_s = path.steps_per_epoch();
  const double epoch_s = bound.epoch_time_s(bound.step_time_s);
  const double of_steps = 1.0 - bound.epoch_fixed_s / epoch_s;
  double by_time_usd = 0.0;
  std::vector<LedgerLine> ledger = epoch_ledger(scenario, path, hit_ratio, epoch_s);
  if (counts_total_cost(scenario)) ledger = total_cost_ledger(site_payments(scenario), ledger, epoch_s, 1.0);
  for (const LedgerLine& line : ledger) {
    (line.by_time ? by_time_usd : bound.fixed_usd) += line.usd;
    if (is_egress(line)) bound.egress_usd += line.usd;
  }
  bound.usd_per_s = by_time_usd * of_steps / bound.step_time_s;
  bound.fixed_usd += by_time_usd * (1.0 - of_steps);
}

/// With checkpoints: the lines through two step times of the whole account.
void set_lines_by_outcome(const Scenario& scenario, const std::vector<EpochWindow>& windows, double refill_s,
                          PointBound& bound) {
  Scenario even = scenario;  // a last step that is not full has a kink in the step time, which no line has
  for (Job& job : even.jobs)
    if (job.loader.last_batch == LastBatch::keep) job.loader.last_batch = LastBatch::spread;
  const auto at = [&](double step_s) {
    Outcome outcome;
    assemble_closed_form(even, windows, step_s, refill_s, AnswerKind::bound, outcome);
    add_interruptions(even, outcome);
    if (counts_total_cost(even)) restate_at_total_cost(site_payments(even), outcome);
    return outcome;
  };
  const Outcome one = at(bound.step_time_s);
  const Outcome two = at(2.0 * bound.step_time_s);
  const double one_s = one.find("epoch_time_s")->mean;
  bound.epoch_fixed_s = bound.epoch_fixed_s > 0.0 ? 2.0 * one_s - two.find("epoch_time_s")->mean : 0.0;
  bound.epoch_s_per_s = (one_s - bound.epoch_fixed_s) / bound.step_time_s;
  const double one_usd = one.find("cost_per_epoch_usd")->mean;
  bound.usd_per_s = (two.find("cost_per_epoch_usd")->mean - one_usd) / bound.step_time_s;
  bound.fixed_usd = one_usd - bound.usd_per_s * bound.step_time_s;
  for (const LedgerLine& line : one.ledger)
    if (is_egress(line)) bound.egress_usd += line.usd;
}

/// Rooms and rates of one job.
class Rooms {
 public:
  explicit Rooms(const std::string& job) : job_(job) {}

  void add(Room room, const Requirement& requirement) {
    add(room, requirement.needed_bytes(), requirement.available_bytes);
    if (!requirement.is_met()) rooms_.back().sum = requirement.text();
  }
  void add(Room room, double needed, double available) { rooms_.push_back({room, needed, available, job_, {}}); }
  std::vector<RoomUse> take() { return std::move(rooms_); }

 private:
  std::string job_;
  std::vector<RoomUse> rooms_;
};

/// Of job 0, which is alone; `name` is its name where it is not.
std::vector<RoomUse> rooms_of(const Scenario& scenario, const IngestPath& path, const std::vector<EpochWindow>& windows,
                              const std::string& name) {
  const Job& job = scenario.jobs.front();
  const Pool& pool = pool_of(scenario, job);
  const std::optional<StartUp> start = job.index ? start_up_of(scenario, path, false, 0) : std::nullopt;
  Rooms rooms(name);
  rooms.add(Room::host_memory, host_memory(pool, job.loader, path, start ? start->index_bytes_per_node : 0.0));
  rooms.add(Room::gpu_memory, gpu_memory_of(path, pool, job));
  if (job.model && job.model->offload) rooms.add(Room::offloaded_states, offloaded_states_of(path, pool, job));
  for (const CheckpointRoom& one : checkpoint_rooms(scenario, path)) rooms.add(one.room, one.requirement);
  const double workers = job.loader.synchronous ? 1.0 : static_cast<double>(job.loader.workers);
  const double loaders = std::ceil(static_cast<double>(path.loaders) / path.nodes);
  rooms.add(Room::cores, loaders * workers, as_written(pool.host.cores));
  double misses = 0.0;
  for (const EpochWindow& window : windows) misses = std::max(misses, 1.0 - window.hit_ratio - window.tiers.read());
  const double requests_per_s = path.loaders * static_cast<double>(path.batch_samples) * misses *
                                path.requests_per_sample / path.mean_step_floor_s();
  rooms.add(Room::request_limit, requests_per_s, as_written(path.limit_requests_per_s));
  return rooms.take();
}

/// Power and rack units of the site, which hold all machines and stores together.
void add_site(const Scenario& scenario, std::vector<RoomUse>& rooms) {
  for (const SiteLimit& one : site_limits(scenario))
    rooms.push_back({one.room, one.needed, as_written(one.limit), {}, {}});
}

}  // namespace

bool is_plain(const Scenario& scenario) {
  if (is_shared(scenario) || (scenario.faults && !scenario.faults->degraded.empty())) return false;
  for (const Store& store : scenario.stores)
    if (store.schedule) return false;
  for (const Dataset& dataset : scenario.datasets)
    if (dataset.stream) return false;
  return !scenario.jobs.front().checkpoint || checkpoint_writes(scenario).states.empty();
}

PointBound point_bound(const Scenario& scenario) {
  IngestPath path = resolve_path(scenario, 0, {});
  const std::vector<EpochWindow> windows = closed_form_windows(scenario, 0);
  PointBound bound;
  bound.step_floor_s = with_mean_host_part(path, windows).mean_step_floor_s();
  bound.gpus = path.gpus;
  for (const EpochWindow& window : windows) {
    path = in_window(std::move(path), window);
    bound.step_time_s += window.weight * step_time_bound_s(path);
    bound.hit_ratio += window.weight * (window.hit_ratio + window.tiers.read());
  }
  const double refill_s = refill_bound_s(path, windows, bound.step_time_s);
  bound.epoch_fixed_s = epoch_boundary_s(path, refill_s);
  if (scenario.jobs.front().checkpoint)
    set_lines_by_outcome(scenario, windows, refill_s, bound);
  else
    set_lines_by_ledger(scenario, path, bound.hit_ratio, bound);
  bound.rooms = rooms_of(scenario, path, windows, "");
  add_site(scenario, bound.rooms);
  return bound;
}

EpochFigures epoch_figures(const PointBound& bound, double step_s) {
  EpochFigures figures;
  figures.step_time_s = step_s;
  figures.epoch_time_s = bound.epoch_time_s(step_s);
  figures.cost_usd = bound.cost_usd(step_s);
  figures.idle_fraction = bound.idle_fraction(step_s);
  figures.egress_usd = bound.egress_usd;
  const double gpu_hours = bound.gpus * figures.epoch_time_s / 3600.0;
  figures.jobs.push_back(
      {1.0, figures.epoch_time_s, bound.usd_per_s * step_s, bound.fixed_usd, gpu_hours, step_s, figures.idle_fraction});
  return figures;
}

ClusterBound cluster_bound(const Scenario& scenario) {
  if (is_plain(scenario)) {
    PointBound bound = point_bound(scenario);
    return {epoch_figures(bound, bound.step_time_s), std::move(bound.rooms)};
  }
  ClusterBound bound;
  Outcome outcome = flow_bound(scenario);
  if (counts_total_cost(scenario)) restate_at_total_cost(site_payments(scenario), outcome);
  bound.figures = epoch_figures(outcome);
  const bool several = scenario.jobs.size() > 1;
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    const Scenario alone = job_alone(scenario, j);
    const IngestPath path = resolve_path(alone, 0, {});
    const auto rooms = rooms_of(alone, path, closed_form_windows(alone, 0), several ? scenario.jobs[j].name : "");
    bound.rooms.insert(bound.rooms.end(), rooms.begin(), rooms.end());
  }
  add_site(scenario, bound.rooms);
  return bound;
}

double headroom(const Scenario& scenario) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    const Scenario alone = scenario.jobs.size() > 1 ? job_alone(scenario, j) : scenario;
    IngestPath path = resolve_path(alone, 0, {});
    const std::vector<EpochWindow> windows = closed_form_windows(alone, 0);
    const double floor_s = with_mean_host_part(path, windows).mean_step_floor_s();
    double data_s = 0.0;
    for (const EpochWindow& window : windows) {
      path = in_window(std::move(path), window);
      double longest_s = 0.0;
      for (const ResourceFloor& floor : resource_floors(path)) longest_s = std::max(longest_s, floor.step_time_s);
      data_s += window.weight * longest_s;
    }
    if (data_s > 0.0) least = std::min(least, floor_s / data_s);
  }
  return least;
}

}  // namespace headrace::models
