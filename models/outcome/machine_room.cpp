#include "models/outcome/machine_room.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/base/limits.hpp"
#include "models/path/cache_stack.hpp"
#include "models/path/checkpoint_times.hpp"

namespace headrace::models {

namespace {

constexpr double kSecondsPerRoomDay = 86400.0;

/// 0: the job saves nothing, or nobody says how often.
double saves_per_day(const Job& job, const Outcome& outcome) {
  if (!job.checkpoint) return 0.0;
  double interval_s = job.checkpoint->interval_s;
  if (!(interval_s > 0.0)) interval_s = mean_in(outcome.metrics, "checkpoint_interval_s");
  return interval_s > 0.0 ? kSecondsPerRoomDay / interval_s : 0.0;
}

bool is_on_node_drives(const Scenario& scenario, const std::string& store_name) {
  const Store* store = detail::find_by_name(scenario.stores, store_name);
  return store != nullptr && (store->kind == StoreKind::nvme || store->kind == StoreKind::ssd);
}

/// Bytes that a save leaves on the drives of a node, in its tiers and where it ends; a copy for a peer counts there.
double saved_on_a_node(const Scenario& scenario, std::size_t j) {
  const Checkpoint& checkpoint = *scenario.jobs[j].checkpoint;
  double copies = is_on_node_drives(scenario, checkpoint.store) ? 1.0 : 0.0;
  for (const CheckpointTier& tier : checkpoint.tiers)
    if (is_on_node_drives(scenario, tier.store)) copies += tier.peer ? 2.0 : 1.0;
  if (copies == 0.0) return 0.0;
  const IngestPath path = resolve_path(scenario, j, {});
  return copies * checkpoint_bytes(checkpoint, path) / path.nodes;
}

/// Cache fills and checkpoints of the nodes of the first job, in the capacities of their drives.
double node_writes_per_day(const Scenario& scenario, const Outcome& outcome) {
  const Pool& pool = pool_of(scenario, scenario.jobs.front());
  if (!(pool.drives.capacity_bytes > 0.0)) return 0.0;
  double bytes = 0.0;
  if (pool.cache.medium == CacheMedium::nvme && cache_stack(scenario, 0).evicts())  // else it is written once
    bytes += mean_in(outcome.metrics, "cache_fill_bytes_per_s") * kSecondsPerRoomDay;
  if (const double saves = saves_per_day(scenario.jobs.front(), outcome); saves > 0.0)
    bytes += saves * saved_on_a_node(scenario, 0);
  return bytes / pool.drives.capacity_bytes;
}

/// The store that a job's checkpoints end in.
const Store* store_of_checkpoints(const Scenario& scenario, const Job& job) {
  if (!job.checkpoint) return nullptr;
  if (job.checkpoint->store.empty()) return &store_of(scenario, dataset_of(scenario, job));
  return detail::find_by_name(scenario.stores, job.checkpoint->store);
}

double written_per_day(const Scenario& scenario, const Store& store, const Outcome& outcome) {
  double bytes = 0.0;
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    const Job& job = scenario.jobs[j];
    if (store_of_checkpoints(scenario, job) != &store) continue;
    const double saves = saves_per_day(job, outcome);
    if (saves > 0.0)
      bytes +=
          static_cast<double>(job.copies) * checkpoint_bytes(*job.checkpoint, resolve_path(scenario, j, {})) * saves;
  }
  return bytes;
}

/// What is limited, in the words of a warning.
struct RoomLimit {
  std::string what;
  double needed = 0.0;
  std::optional<double> limit;
  std::string_view unit;
  std::string_view fix;

  bool exceeded() const { return exceeds(needed, limit); }
};

RoomLimit in_words(const SiteLimit& one) {
  return {std::string(traits(one.room).name), one.needed, one.limit, traits(one.room).unit, one.fix};
}

std::string sum_of(const RoomLimit& one) {
  return fmt::format("{:.4g} {} of {:.4g} {}", one.needed, one.unit, *one.limit, one.unit);
}

void warn_above(const RoomLimit& one, Outcome& outcome) {
  if (!one.exceeded()) return;
  outcome.warnings.emplace_back(fmt::format("the {} is above its limit", one.what), sum_of(one), std::string(one.fix));
}

/// Capacities of a store that checkpoints write per day; nothing: no capacity is stated.
std::optional<double> store_writes_per_day(const Scenario& scenario, const Store& store, const Outcome& outcome) {
  if (!(store.capacity_bytes > 0.0)) return std::nullopt;
  return written_per_day(scenario, store, outcome) / store.capacity_bytes;
}

std::optional<double> if_any(double writes) { return writes > 0.0 ? std::optional(writes) : std::nullopt; }

void warn_of_writes(const Scenario& scenario, double node_writes, Outcome& outcome) {
  warn_above({"drive writes per day of the nodes", node_writes,
              stated_limit(pool_of(scenario, scenario.jobs.front()).drives.writes_per_day), "per day",
              "pin the cache, or take drives of a higher rating"},
             outcome);
  for (const Store& store : scenario.stores)
    if (const auto writes = store_writes_per_day(scenario, store, outcome); writes && store.purchase)
      warn_above({fmt::format("drive writes per day of store '{}'", store.name), *writes,
                  stated_limit(store.purchase->writes_per_day), "per day",
                  "save less often, or take drives of a higher rating"},
                 outcome);
}

bool is_anything_owned(const Scenario& scenario) {
  return scenario.prices.owned || std::any_of(scenario.stores.begin(), scenario.stores.end(),
                                              [](const Store& store) { return store.purchase.has_value(); });
}

}  // namespace

double site_pue(const Scenario& scenario) {
  const Prices& prices = scenario.prices;
  if (prices.owned) return prices.owned->pue;
  return prices.total_cost ? prices.total_cost->pue : TotalCost{}.pue;
}

double site_usd_per_kwh(const Scenario& scenario) {
  const Prices& prices = scenario.prices;
  if (prices.owned) return prices.owned->usd_per_kwh;
  return prices.total_cost ? prices.total_cost->usd_per_kwh : TotalCost{}.usd_per_kwh;
}

MachineRoom machine_room(const Scenario& scenario) {
  MachineRoom room;
  const Prices& prices = scenario.prices;
  if (prices.owned) {
    const double units = prices.total_cost ? prices.total_cost->node_rack_units : 0.0;
    for (const Pool& pool : scenario.cluster.pools) {
      const auto nodes = static_cast<double>(pool.nodes);
      const double gpu_w = prices.owned->gpu_w > 0.0 ? prices.owned->gpu_w : pool.gpu.power_w;
      room.gpu_node_w += nodes * (static_cast<double>(pool.gpus_per_node) * gpu_w + prices.owned->node_w);
      room.node_rack_units += nodes * units;
    }
  }
  room.rack_units = room.node_rack_units;
  for (const Store& store : scenario.stores) {
    if (!store.purchase) continue;
    room.store_w += store.purchase->power_w;
    room.rack_units += store.purchase->rack_units;
  }
  room.site_w = (room.gpu_node_w + room.store_w) * site_pue(scenario);
  return room;
}

std::vector<SiteLimit> site_limits(const Scenario& scenario) {
  if (!scenario.prices.total_cost) return {};
  const TotalCost& terms = *scenario.prices.total_cost;
  const MachineRoom room = machine_room(scenario);
  return {{Room::site_power, room.site_w / 1000.0, divided(terms.power_limit_w, 1000.0),
           "take a store or nodes of less power, or raise prices/total_cost/power_limit"},
          {Room::site_space, room.rack_units, terms.rack_unit_limit,
           "take a denser store, or raise prices/total_cost/rack_unit_limit"}};
}

std::string room_excess(const Scenario& scenario) {
  for (const SiteLimit& site : site_limits(scenario))
    if (const RoomLimit one = in_words(site); one.exceeded())
      return fmt::format("the {} is above its limit: {}", one.what, sum_of(one));
  return {};
}

bool RoomFacts::empty() const {
  return !(site_power_w > 0.0) && !(rack_units > 0.0) && !node_drive_writes_per_day && !store_drive_writes_per_day;
}

RoomFacts room_facts(const Scenario& scenario, const Outcome& outcome) {
  const MachineRoom room = machine_room(scenario);
  double most = 0.0;
  for (const Store& store : scenario.stores)
    most = std::max(most, store_writes_per_day(scenario, store, outcome).value_or(0.0));
  return {room.site_w, room.rack_units, if_any(node_writes_per_day(scenario, outcome)), if_any(most)};
}

void add_machine_room(const Scenario& scenario, Outcome& outcome) {
  if (outcome.metrics.empty() || !(scenario.prices.total_cost || is_anything_owned(scenario))) return;
  const AnswerKind kind = outcome.metrics.front().kind;
  const RoomFacts room = room_facts(scenario, outcome);
  const auto add = [&](const char* name, double value) {
    if (value > 0.0) outcome.metrics.push_back({name, value, {}, {}, kind});
  };
  add("room_power_w", room.site_power_w);
  add("room_rack_units", room.rack_units);
  add("node_drive_writes_per_day", room.node_drive_writes_per_day.value_or(0.0));
  warn_of_writes(scenario, room.node_drive_writes_per_day.value_or(0.0), outcome);
  add("store_drive_writes_per_day", room.store_drive_writes_per_day.value_or(0.0));
  for (const SiteLimit& one : site_limits(scenario)) warn_above(in_words(one), outcome);
}

}  // namespace headrace::models
