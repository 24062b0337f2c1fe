#include "models/interruptions/interruptions.hpp"

#include <algorithm>
#include <cmath>

#include "models/outcome/evidence.hpp"
#include "models/outcome/feasibility.hpp"
#include "models/outcome/ledger.hpp"
#include "models/outcome/ledger_item.hpp"
#include "models/outcome/outcome_assembly.hpp"
#include "models/outcome/outcome_metrics.hpp"
#include "models/path/checkpoint_times.hpp"
#include "models/path/tier_path.hpp"
#include "models/twins/checkpoint_interval.hpp"

namespace headrace::models {

namespace {

constexpr double kSecondsPerMonth = 730.0 * 3600.0;
/// Share of time below which a job is said not to get on; figures are those of this share.
constexpr double kLeastTraining = 1e-9;

const Store& checkpoint_store(const Scenario& scenario, const Checkpoint& checkpoint) {
  return *checkpoint_places(scenario, checkpoint).back().store;
}

/// A checkpoint's way through its tiers into the store.
struct TierTimes {
  double first_s = 0.0;    ///< into the first place
  double drain_s = 0.0;    ///< from there into the store
  double slowest_s = 0.0;  ///< of the steps on the way
  double load_s = 0.0;     ///< mean over where the newest one survives
  double lost_s = 0.0;     ///< mean work of what had not come far enough yet
};

TierTimes tier_times(const Scenario& scenario, const Checkpoint& checkpoint, const IngestPath& path) {
  TierTimes times;
  double unread = 1.0;  // share of the failures after which nothing before held a checkpoint
  double before_s = 0.0;
  const std::vector<CheckpointPlace> places = checkpoint_places(scenario, checkpoint);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const CheckpointPlace& place = places[i];
    const double step_s = i < checkpoint.step_s.size() ? checkpoint.step_s[i]
                                                       : checkpoint_save_s(checkpoint, *place.store, path, place.peer);
    if (i == 0)
      times.first_s = step_s;
    else
      before_s += step_s;
    times.slowest_s = std::max(times.slowest_s, step_s);
    times.load_s += unread * place.survives * checkpoint_load_s(checkpoint, *place.store, path, place.peer);
    times.lost_s += unread * place.survives * before_s;
    unread *= 1.0 - place.survives;
  }
  times.drain_s = before_s;
  if (checkpoint.load_s) times.load_s = *checkpoint.load_s;
  return times;
}

/// How long training stops for one checkpoint. A copy that is still on its way holds up the next one.
double stall_s(const Checkpoint& checkpoint, const IngestPath& path, const TierTimes& times, double interval_s) {
  const bool sync = checkpoint.mode == CheckpointMode::sync;
  if (sync && checkpoint.tiers.empty()) return times.first_s;
  const double copy_s = sync ? times.first_s : snapshot_copy_s(checkpoint, path);
  if (checkpoint.snapshot_overlapped) return std::max({0.0, times.slowest_s - interval_s, copy_s - interval_s});
  return std::max(copy_s, times.slowest_s - interval_s);
}

/// Failures, and spot nodes that are taken away before a checkpoint is written, stop the job alike. Those with enough
/// notice cost a checkpoint and a restart.
struct Stops {
  double per_s = 0.0;       ///< with loss of work
  double preempting = 0.0;  ///< share of these that spot nodes cause
  double restart_s = 0.0;
  double graceful_per_s = 0.0;
  double graceful_s = 0.0;
};

Stops stops_of(const Faults& faults, const TierTimes& times, double nodes, double start_up_s) {
  Stops stops;
  const double back_s = times.load_s + start_up_s;
  const double failures_per_s = faults.node_mtbf_s > 0.0 ? 1.0 / twins::fleet_mtbf(faults.node_mtbf_s, nodes) : 0.0;
  double preemptions_per_s = 0.0;
  if (faults.spot) {
    const double per_s = 1.0 / twins::fleet_mtbf(faults.spot->node_mtbp_s, nodes);
    const double save_s = times.first_s + times.drain_s;
    if (faults.spot->notice_s >= save_s && faults.spot->notice_s > 0.0) {
      stops.graceful_per_s = per_s;
      stops.graceful_s = save_s + faults.spot->replacement_s + back_s;
    } else {
      preemptions_per_s = per_s;
    }
  }
  stops.per_s = failures_per_s + preemptions_per_s;
  if (!(stops.per_s > 0.0)) return stops;
  stops.preempting = preemptions_per_s / stops.per_s;
  const double failed_s = failures_per_s * (faults.detection_s + faults.reschedule_s);
  const double taken_s = faults.spot ? preemptions_per_s * faults.spot->replacement_s : 0.0;
  stops.restart_s = (failed_s + taken_s) / stops.per_s + back_s + times.lost_s;
  return stops;
}

void share_out(const Stops& stops, Interruptions& i) {
  if (i.mtbf_s > 0.0)
    i.training = twins::checkpoint_efficiency({i.stall_s, i.mtbf_s, i.restart_s}, i.interval_s);
  else
    i.training = i.interval_s / (i.interval_s + i.stall_s);
  const double graceful = stops.graceful_per_s * stops.graceful_s;
  i.preempted = graceful / (1.0 + graceful);
  i.training = std::max(kLeastTraining, i.training / (1.0 + graceful));
  i.checkpoint = i.training * i.stall_s / i.interval_s;
  i.failure = i.mtbf_s > 0.0 || graceful > 0.0 ? std::max(0.0, 1.0 - i.training - i.checkpoint) : 0.0;
}

void scale(Metric& metric, double factor) {
  metric.mean *= factor;
  for (std::optional<Interval>* interval : {&metric.ci95, &metric.input_range})
    if (*interval) *interval = Interval{(*interval)->low * factor, (*interval)->high * factor};
}

void scale(std::vector<StageShare>& shares, double factor) {
  for (StageShare& share : shares) {
    share.mean *= factor;
    share.queueing *= factor;
    if (share.ci95) share.ci95 = Interval{share.ci95->low * factor, share.ci95->high * factor};
  }
}

/// The cost of an epoch grows where it is paid by the hour; what is kept of the checkpoints is paid beside it.
void lengthen_ledger(const Scenario& scenario, const Checkpoint& checkpoint, const Interruptions& i, Metric& epoch_time,
                     Metric* cost, Outcome& outcome) {
  const double before_usd = total_usd(outcome.ledger);
  double by_time_usd = 0.0;
  for (LedgerLine& line : outcome.ledger) {
    if (!line.by_time) continue;
    by_time_usd += line.usd;
    line.quantity /= i.training;
    line.usd /= i.training;
  }
  const double byte_months = i.bytes * static_cast<double>(checkpoint.retained) * epoch_time.mean / kSecondsPerMonth;
  const StorePrice& price = checkpoint_store(scenario, checkpoint).price;
  outcome.ledger.push_back(
      ledger_line(LedgerItem::checkpoint_storage, byte_months, byte_months * price.capacity_usd_per_byte_month));
  if (cost == nullptr) return;
  const double factor = before_usd > 0.0 ? (by_time_usd / i.training + outcome.ledger.back().usd) / by_time_usd : 1.0;
  const auto lengthened = [&](double usd) {  // what does not depend on time stays
    const double fixed_usd = before_usd - by_time_usd;
    return by_time_usd > 0.0 ? fixed_usd + (usd - fixed_usd) * factor : usd + outcome.ledger.back().usd;
  };
  cost->mean = lengthened(cost->mean);
  for (std::optional<Interval>* interval : {&cost->ci95, &cost->input_range})
    if (*interval) *interval = Interval{lengthened((*interval)->low), lengthened((*interval)->high)};
}

void add_times(const Interruptions& i, AnswerKind kind, Outcome& outcome) {
  const auto add = [&](std::string_view name, double value) {
    outcome.metrics.push_back({std::string(name), value, {}, {}, kind});
  };
  add("checkpoint_save_s", i.save_s);
  add("checkpoint_stall_s", i.stall_s);
  add("checkpoint_write_bytes_per_s", i.bytes / i.save_s);
  add("checkpoint_interval_s", i.interval_s);
  add("checkpoint_load_s", i.load_s);
  if (i.drain_s > 0.0) add("checkpoint_drain_s", i.drain_s);
  if (i.preempted > 0.0) add("preemption_time_fraction", i.preempted);
  if (!(i.mtbf_s > 0.0)) return;
  add("checkpoint_best_interval_s", i.best_interval_s);
  add("job_mtbf_s", i.mtbf_s);
  add("restart_s", i.restart_s);
}

void warn(const Checkpoint& checkpoint, const Store& store, const Interruptions& i, Outcome& outcome) {
  if ((checkpoint.mode == CheckpointMode::async || i.drain_s > 0.0) && i.save_s > i.interval_s)
    outcome.warnings.push_back({"a checkpoint is still being written when the next one is due",
                                "one checkpoint takes longer than the interval between them",
                                "checkpoint less often, or write faster: checkpoint/interval, stores/write_bandwidth"});
  if (i.training <= kLeastTraining) {
    refuse({"the training makes no progress: it fails before a checkpoint is written",
            "the time between failures is much shorter than an interval and its checkpoint",
            "checkpoint more often, write faster, or reduce failures: checkpoint/interval, faults"},
           outcome);
  }
  const double kept_bytes = i.bytes * static_cast<double>(checkpoint.retained);
  if (store.is_shared() && store.capacity_bytes > 0.0 && kept_bytes > store.capacity_bytes) {
    refuse({"the kept checkpoints do not fit into store '" + store.name + "'",
            std::to_string(checkpoint.retained) + " of them are larger than its capacity",
            "keep fewer checkpoints: checkpoint/retained"},
           outcome);
  }
}

/// What the drives, or the memory, of a node must hold where checkpoints pass them: the part of each that the node
/// writes, beside its cache and a dataset that lies there.
Requirement room_of(const Scenario& scenario, const CheckpointPlace& place, double shard_bytes) {
  const Job& job = scenario.jobs.front();
  const Pool& pool = pool_of(scenario, job);
  const bool in_memory = place.store->kind == StoreKind::dram;
  const bool flash = place.store->kind == StoreKind::nvme || place.store->kind == StoreKind::ssd;
  Requirement room;
  room.room = in_memory ? "host memory of a node" : "capacity of a node's drives";
  room.available_bytes = place.store->capacity_bytes;
  if (!(room.available_bytes > 0.0) && in_memory) room.available_bytes = pool.host.memory_bytes;
  if (!(room.available_bytes > 0.0) && flash) room.available_bytes = pool.drives.capacity_bytes;
  const CacheMedium medium = in_memory ? CacheMedium::dram : CacheMedium::nvme;
  if ((in_memory || flash) && pool.cache.policy != CachePolicy::none && pool.cache.medium == medium)
    room.needs.push_back({"cache", pool.cache.bytes});
  if (in_memory) room.needs.push_back({"page cache", pool.host.page_cache.bytes});
  const Dataset& dataset = dataset_of(scenario, job);
  if (dataset.store == place.store->name) room.needs.push_back({"dataset", corpus_of(scenario, job).bytes});
  const double retained = static_cast<double>(place.retained);
  room.needs.push_back({std::to_string(place.retained) + " checkpoint shards", retained * shard_bytes});
  room.fix = "keep fewer checkpoints there, or a smaller cache: checkpoint/tiers/retained, cache/bytes";
  return room;
}

void check_rooms(const Scenario& scenario, const Checkpoint& checkpoint, const IngestPath& path, double bytes,
                 Outcome& outcome) {
  for (const CheckpointPlace& place : checkpoint_places(scenario, checkpoint)) {
    if (place.store->is_shared()) continue;
    const Requirement room = room_of(scenario, place, bytes / writing_nodes(checkpoint, path));
    require(room, outcome);
    if (place.store->kind == StoreKind::dram || !(room.available_bytes > 0.0)) continue;
    const AnswerKind kind = outcome.metrics.empty() ? AnswerKind::bound : outcome.metrics.front().kind;
    outcome.metrics.push_back({"drive_headroom_bytes", room.available_bytes - room.needed_bytes(), {}, {}, kind});
    break;
  }
}

}  // namespace

std::vector<CheckpointRoom> checkpoint_rooms(const Scenario& scenario, const IngestPath& path) {
  const std::optional<Checkpoint>& checkpoint = scenario.jobs.front().checkpoint;
  std::vector<CheckpointRoom> rooms;
  if (!checkpoint) return rooms;
  const double bytes = checkpoint_bytes(*checkpoint, path);
  for (const CheckpointPlace& place : checkpoint_places(scenario, *checkpoint)) {
    if (!place.store->is_shared()) {
      rooms.push_back({place.store->kind == StoreKind::dram ? Room::checkpoint_memory : Room::local_drives,
                       room_of(scenario, place, bytes / writing_nodes(*checkpoint, path))});
      continue;
    }
    Requirement room{"capacity of store '" + place.store->name + "'", place.store->capacity_bytes, {}, {}};
    const double retained = static_cast<double>(place.retained);
    room.needs.push_back({std::to_string(place.retained) + " checkpoints", retained * bytes});
    room.fix = "keep fewer checkpoints: checkpoint/retained";
    rooms.push_back({Room::checkpoint_store, std::move(room)});
  }
  return rooms;
}

std::optional<Interruptions> interruptions_of(const Scenario& scenario, const IngestPath& path, double first_step_s) {
  const std::optional<Checkpoint>& checkpoint = scenario.jobs.front().checkpoint;
  if (!checkpoint) return std::nullopt;
  const TierTimes times = tier_times(scenario, *checkpoint, path);
  Interruptions i;
  i.bytes = checkpoint_bytes(*checkpoint, path);
  i.save_s = times.first_s + times.drain_s;
  i.drain_s = times.drain_s;
  i.load_s = times.load_s;
  Stops stops;
  const double start_up_s = std::max(0.0, first_step_s - staging_kept_s(scenario, 0));
  if (scenario.faults) stops = stops_of(*scenario.faults, times, path.nodes, start_up_s);
  const double shortest_s = stall_s(*checkpoint, path, times, times.slowest_s);
  if (stops.per_s > 0.0) {
    i.mtbf_s = 1.0 / stops.per_s;
    i.restart_s = stops.restart_s;
    i.redone_s = times.lost_s;
    i.preempting = stops.preempting;
    i.best_interval_s = twins::optimal_interval_s({shortest_s, i.mtbf_s, i.restart_s});
    if (checkpoint->mode == CheckpointMode::async || !checkpoint->tiers.empty())
      i.best_interval_s = std::max(i.best_interval_s, times.slowest_s);
  }
  i.interval_s = checkpoint->interval_s > 0.0 ? checkpoint->interval_s : i.best_interval_s;
  // Where nothing throws work away, checkpoints need be no more frequent than once a day.
  if (!(i.interval_s > 0.0)) i.interval_s = 86400.0;
  i.stall_s = stall_s(*checkpoint, path, times, i.interval_s);
  i.reclaims_per_s = stops.graceful_per_s;
  i.reclaim_s = stops.graceful_s;
  share_out(stops, i);
  return i;
}

void add_interruptions(const Scenario& scenario, Outcome& outcome) {
  const std::optional<Checkpoint>& checkpoint = scenario.jobs.front().checkpoint;
  if (!checkpoint) return;
  const IngestPath path = resolve_path(scenario, 0, {});
  const Interruptions i = *interruptions_of(scenario, path, mean_in(outcome.metrics, "time_to_first_step_s"));
  Metric* epoch_time = nullptr;
  Metric* cost = nullptr;
  double idle = 0.0;
  for (Metric& metric : outcome.metrics) {
    const OverTime rule = traits_of(metric.name).over_time;
    if (rule == OverTime::share) scale(metric, i.training);
    if (rule == OverTime::duration) scale(metric, 1.0 / i.training);
    if (metric.name == "epoch_time_s") epoch_time = &metric;
    if (metric.name == "cost_per_epoch_usd") cost = &metric;
    if (metric.name == "gpu_idle_fraction") idle = metric.mean;
  }
  const double cost_before_usd = cost != nullptr ? cost->mean : 0.0;
  if (epoch_time != nullptr) lengthen_ledger(scenario, *checkpoint, i, *epoch_time, cost, outcome);
  keep_useful_hours(cost_before_usd, outcome.metrics);
  for (GpuStateShare& state : outcome.gpu_states) {
    state.share *= i.training;
    if (state.state == GpuState::checkpoint) state.share = i.checkpoint;
    if (state.state == GpuState::failure) state.share = i.failure;
  }
  add_checkpoint_evidence(path.gpus, scenario.faults.has_value(), outcome.evidence);
  outcome.evidence.not_validated.emplace_back(
      "time lost to checkpoints and failures: renewal closed forms, and the share of time of one published training");
  scale(outcome.blame, i.training);
  scale(outcome.relief, i.training);
  add_times(i, outcome.metrics.empty() ? AnswerKind::bound : outcome.metrics.front().kind, outcome);
  warn(*checkpoint, checkpoint_store(scenario, *checkpoint), i, outcome);
  check_rooms(scenario, *checkpoint, path, i.bytes, outcome);
  const double lost = 1.0 - i.training;
  double longest = idle;  // of what else keeps the GPUs
  if (outcome.verdict == Verdict::collective_bound)
    for (const GpuStateShare& state : outcome.gpu_states)
      if (state.state == GpuState::collective) longest = std::max(longest, state.share);
  const bool decided = outcome.verdict == Verdict::fed || outcome.verdict == Verdict::ingest_bound ||
                       outcome.verdict == Verdict::collective_bound;
  if (decided && lost > kFedIdleFraction && lost > longest) outcome.verdict = Verdict::checkpoint_bound;
  outcome.restate_lone_job();
}

}  // namespace headrace::models
