#include "scenarios/planner/events.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/base/limits.hpp"
#include "models/engine/start_up.hpp"
#include "models/hops/resource_floors.hpp"
#include "models/interruptions/degradation.hpp"
#include "models/outcome/shards.hpp"
#include "models/path/epoch_windows.hpp"
#include "models/path/tier_path.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::scenarios {

using models::HoldUnder;
using models::PlanEvent;
using models::Scenario;

namespace {

Scenario without_a_server(const Scenario& scenario, std::uint64_t servers) {
  Scenario slower = scenario;
  if (!slower.faults) slower.faults.emplace();
  models::Degradation loss;
  loss.store = models::dataset_of(scenario, scenario.jobs.front()).store;
  loss.remaining = 1.0 - 1.0 / static_cast<double>(servers);
  return degraded(slower, loss);
}

std::optional<Scenario> without_a_leaf(const Scenario& scenario) {
  Scenario smaller = scenario;
  models::Job& job = smaller.jobs.front();
  for (models::Pool& pool : smaller.cluster.pools) {
    if (pool.name != job.pool) continue;
    const std::uint64_t nodes = job.nodes > 0 ? job.nodes : pool.nodes;
    if (pool.nodes_per_leaf == 0 || pool.nodes_per_leaf >= nodes) return std::nullopt;
    job.nodes = nodes - pool.nodes_per_leaf;
    return smaller;
  }
  return std::nullopt;
}

/// Until every rank has its first batch. All workers of all loaders begin at once and share what is shared, so that the
/// first batches are there together, when all of them have passed it.
double first_batches_s(const models::IngestPath& path) {
  double per_batch_s = 0.0;
  for (const models::ResourceFloor& floor : models::resource_floors(path))
    if (floor.resource != models::Resource::workers) per_batch_s = std::max(per_batch_s, floor.step_time_s);
  const double at_once = std::min<double>(path.workers, path.outstanding);
  return std::max(models::first_batch_s(path), at_once * per_batch_s + path.pin_s + path.receive_s);
}

Scenario with_cold_caches(const Scenario& scenario) {
  Scenario cold = scenario;
  for (models::Pool& pool : cold.cluster.pools) {
    pool.cache.policy = models::CachePolicy::none;
    pool.host.page_cache.bytes = 0.0;
  }
  for (models::Store& store : cold.stores) store.cache.reset();
  return cold;
}

}  // namespace

std::optional<Scenario> during(const Scenario& scenario, const HoldUnder& hold) {
  switch (hold.event) {
    case PlanEvent::storage_node_down:
      return without_a_server(scenario, hold.servers);
    case PlanEvent::leaf_down:
      return without_a_leaf(scenario);
    default:
      return with_cold_caches(scenario);
  }
}

double first_step_s(const Scenario& scenario) {
  const models::IngestPath path =
      in_window(resolve_path(scenario, 0, {}), models::closed_form_windows(scenario, 0).front());
  const auto start = models::start_up_of(scenario, path, false, 0);
  return (start ? start->index_s : 0.0) + models::staging_time_s(scenario, 0) + path.worker_start_s +
         models::shuffle_fill_s(scenario.jobs.front().loader, path) + first_batches_s(path);
}

std::string_view event_name(PlanEvent event) {
  for (const auto& name : models::kPlanEventNames)
    if (name.value == event) return name.name;
  return "";
}

std::optional<BrokenLimit> broken_limit(const HoldUnder& hold, double idle, double epoch_s, double normal_s) {
  const std::string_view event = event_name(hold.event);
  if (models::exceeds(idle, hold.idle_fraction))
    return BrokenLimit{
        (1.0 - *hold.idle_fraction) / std::max(1e-9, 1.0 - idle) - 1.0,
        fmt::format("{}: GPUs idle {:.1f} %, limit {:.1f} %", event, 100.0 * idle, 100.0 * *hold.idle_fraction),
        fmt::format("{:.1f} points", 100.0 * (idle - *hold.idle_fraction))};
  if (models::exceeds(epoch_s, hold.epoch_time_s))
    return BrokenLimit{epoch_s / *hold.epoch_time_s - 1.0,
                       fmt::format("{}: an epoch takes {:.4g} s, limit {:.4g} s", event, epoch_s, *hold.epoch_time_s)};
  if (normal_s > 0.0 && models::exceeds(epoch_s, models::times(hold.slowdown, normal_s)))
    return BrokenLimit{epoch_s / (*hold.slowdown * normal_s) - 1.0,
                       fmt::format("{}: an epoch takes {:.2f} times as long, limit {:.2f} times", event,
                                   epoch_s / normal_s, *hold.slowdown)};
  return std::nullopt;
}

}  // namespace headrace::scenarios
