#include "models/outcome/outcome_assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/engine/start_up.hpp"
#include "models/hops/resource_floors.hpp"
#include "models/outcome/data_site.hpp"
#include "models/outcome/evidence.hpp"
#include "models/outcome/gpu_memory.hpp"
#include "models/outcome/host_memory.hpp"
#include "models/outcome/ledger.hpp"
#include "models/outcome/ownership.hpp"
#include "models/outcome/shards.hpp"
#include "models/outcome/tier_metrics.hpp"
#include "models/path/cache_stack.hpp"
#include "models/path/checkpoint_times.hpp"
#include "models/path/host_costs.hpp"
#include "models/path/tier_path.hpp"

namespace headrace::models {

namespace {

/// Value of f(mean) with the interval carried along; f is monotone.
template <class F>
Measured mapped(const Measured& value, F f) {
  Measured result{f(value.mean), std::nullopt};
  if (value.ci95) {
    const double a = f(value.ci95->low);
    const double b = f(value.ci95->high);
    result.ci95 = Interval{std::min(a, b), std::max(a, b)};
  }
  return result;
}

Metric metric(std::string_view name, const Measured& value, AnswerKind kind) {
  Metric result;
  result.name = name;
  result.mean = value.mean;
  result.ci95 = kind == AnswerKind::simulated ? value.ci95 : std::nullopt;
  result.kind = kind;
  return result;
}

/// A steady epoch.
Measured epoch_time_s(const IngestPath& path, const EpochMeans& means) {
  const double beside_steps_s = epoch_boundary_s(path, means.refill_s) + path.last_step_extra_s(means.step_time_s.mean);
  return means.step_time_s.scaled(path.steps_per_epoch()).plus(beside_steps_s);
}

/// The first epoch, whose workers always start.
Measured first_epoch_time_s(const IngestPath& path, const EpochMeans& means) {
  const Measured steps = means.first_epoch_step_time_s->scaled(path.steps_per_epoch());
  const double extra_s = path.last_step_extra_s(means.first_epoch_step_time_s->mean);
  if (path.epochs_start_anew()) return steps.plus(means.refill_s + path.worker_start_s + extra_s);
  return extra_s > 0.0 ? steps.plus(extra_s) : steps;
}

/// What the job does before its first batch, in seconds and dollars.
void add_start_up(const Scenario& scenario, const IngestPath& path, const StartUp& start, AnswerKind kind,
                  Outcome& outcome) {
  const Job& job = scenario.jobs.front();
  const double usd_per_list = store_of(scenario, dataset_of(scenario, job)).price.usd_per_list;
  const double machine_usd_per_s = (path.gpus * gpu_hour_usd(scenario) + path.nodes * node_hour_usd(scenario)) / 3600.0;
  const auto add = [&](std::string_view name, double value) {
    outcome.metrics.push_back(metric(name, {value, std::nullopt}, kind));
  };
  add("index_time_s", start.index_s);
  add("list_requests", start.list_requests);
  if (kind == AnswerKind::simulated) add("throttled_list_requests", start.throttled);
  add("start_up_cost_usd", start.list_requests * usd_per_list + start.index_s * machine_usd_per_s);
}

void add_costs(const Scenario& scenario, const IngestPath& path, double hit_ratio, const EpochMeans& means,
               Outcome& outcome) {
  const Measured epoch = epoch_time_s(path, means);
  const Measured cost =
      mapped(epoch, [&](double epoch_s) { return total_usd(epoch_ledger(scenario, path, hit_ratio, epoch_s)); });
  const auto add = [&](std::string_view name, const Measured& value) {
    outcome.metrics.push_back(metric(name, value, means.kind));
  };
  add("cost_per_epoch_usd", cost);
  const double gpu_usd_per_s = path.gpus * gpu_hour_usd(scenario) / 3600.0;
  const double between_s = epoch_boundary_s(path, means.refill_s);
  add("idle_cost_per_epoch_usd",
      means.idle_fraction.scaled(gpu_usd_per_s * (epoch.mean - between_s)).plus(gpu_usd_per_s * between_s));
  const double useful_hours = path.gpus * means.utilization.mean * (epoch.mean - between_s) / 3600.0;
  if (useful_hours > 0.0) add("cost_per_useful_gpu_hour_usd", cost.scaled(1.0 / useful_hours));
  if (scenario.jobs.front().loads_per_year > 0.0)
    add("egress_cost_per_year_usd", {egress_usd_per_year(scenario, path, hit_ratio), std::nullopt});
}

void add_metrics(const Scenario& scenario, const IngestPath& path, const EpochWindow& mean, const EpochMeans& means,
                 Outcome& outcome) {
  const double hit_ratio = mean.hit_ratio;
  constexpr double kRounding = 1e-12;  // of shares that sum to one
  const double read = hit_ratio + mean.tiers.read();
  const double answered = read > 1.0 - kRounding ? 1.0 : read;
  const AnswerKind kind = means.kind;
  const Measured& step = means.step_time_s;
  const auto add = [&](std::string_view name, const Measured& value) {
    outcome.metrics.push_back(metric(name, value, kind));
  };
  const auto per_step = [&](double amount) { return mapped(step, [amount](double s) { return amount / s; }); };
  const double bytes = static_cast<double>(path.loaders) * path.batch_samples * path.mean_sample_bytes();
  add("step_time_s", step);
  add("gpu_utilization", means.utilization);
  add("gpu_idle_fraction", means.idle_fraction);
  const double epoch_s = epoch_time_s(path, means).mean;
  const double between_s = path.epochs_start_anew() ? epoch_boundary_s(path, means.refill_s) : 0.0;
  add("goodput_fraction", between_s > 0.0 ? means.utilization.scaled(1.0 - between_s / epoch_s) : means.utilization);
  add("samples_per_s", per_step(path.samples_per_step));
  add("ingest_bytes_per_s", per_step(bytes));
  add("store_bytes_per_s", per_step(bytes * path.miss_bytes_factor * (1.0 - answered) * path.host.store_share));
  add("epoch_time_s", epoch_time_s(path, means));
  if (means.first_epoch_step_time_s) add("first_epoch_time_s", first_epoch_time_s(path, means));
  if (path.stated_loader.last_batch != LastBatch::spread)
    add("steps_per_epoch", {std::ceil(path.steps_per_epoch()), std::nullopt});
  if (path.epochs_start_anew()) add("epoch_boundary_s", {between_s, std::nullopt});
  if (path.host_load.is_slowed()) {
    add("host_slowdown", {path.host_load.slowdown, std::nullopt});
    add("host_wait_s", {path.host_load.wait_s, std::nullopt});
  }
  if (scenario.jobs.front().step.barrier) {
    add("slowest_loader_wait_s", {means.idle_fraction.mean * step.mean, std::nullopt});
    add("barrier_s", {path.barrier.mean_s(), std::nullopt});
    add("slowest_rank_wait_s", {path.barrier.slowest_rank_s, std::nullopt});
  }
  const std::optional<StartUp> start = start_up_of(scenario, path, kind == AnswerKind::simulated, outcome.seed);
  if (means.time_to_first_step_s || start) {
    const double fill_s = shuffle_fill_s(scenario.jobs.front().loader, path);
    const double index_s = start ? start->index_s : 0.0;
    add("time_to_first_step_s",
        {index_s + path.worker_start_s + fill_s +
             means.time_to_first_step_s.value_or(staging_time_s(scenario, 0) + first_batch_s(path)),
         std::nullopt});
  }
  if (start) add_start_up(scenario, path, *start, kind, outcome);
  add_costs(scenario, path, answered, means, outcome);
  add("cache_hit_ratio", {hit_ratio, std::nullopt});
  for (const auto& [name, value] : tier_metrics(scenario, mean, step.mean)) add(name, {value, std::nullopt});
  const double compute_s = path.compute_s.mean();
  add("mlperf_au_v1_percent", mapped(step, [compute_s](double s) { return 100.0 * compute_s / s; }));
  add("mlperf_au_percent", means.utilization.scaled(100.0));
}

/// What packing makes of samples, where the job packs them.
void add_packing(const Scenario& scenario, const IngestPath& path, const EpochMeans& means, Outcome& outcome) {
  const std::optional<SequencePacking>& packing = scenario.jobs.front().step.packing;
  if (!packing) return;
  const auto add = [&](std::string_view name, const Measured& value) {
    outcome.metrics.push_back(metric(name, value, means.kind));
  };
  add("samples_per_sequence", {path.samples_packed, std::nullopt});
  add("packing_fill_fraction", {path.packed_fill, std::nullopt});
  add("cut_token_fraction", {path.packed_cut, std::nullopt});
  const double tokens = path.samples_per_step * packing->tokens * path.packed_fill;
  add("useful_tokens_per_s", mapped(means.step_time_s, [tokens](double s) { return tokens / s; }));
}

void add_states(const EpochMeans& means, Outcome& outcome) {
  double total_s = 0.0;
  for (const double seconds : means.state_s) total_s += seconds;
  for (std::size_t i = 0; i < kGpuStateCount; ++i)
    outcome.gpu_states.push_back({static_cast<GpuState>(i), total_s > 0.0 ? means.state_s[i] / total_s : 0.0});
}

/// Utilization follows from conservation of flow: demand of a step over what the resource could do in a step's time.
void add_stations(const IngestPath& path, const std::vector<EpochWindow>& windows, double step_time_s,
                  Outcome& outcome) {
  for (const EpochWindow& window : windows) {
    for (const ResourceFloor& floor : resource_floors(in_window(path, window))) {
      if (floor.resource == Resource::workers) continue;
      auto found = std::find_if(outcome.stations.begin(), outcome.stations.end(),
                                [&](const StationReport& station) { return station.resource == floor.resource; });
      if (found == outcome.stations.end()) {
        StationReport station;
        station.resource = floor.resource;
        station.name = name(floor.resource);
        station.stage = floor.stage;
        station.unit = traits(floor.resource).unit;
        station.capacity = floor.capacity_per_s;
        found = outcome.stations.insert(outcome.stations.end(), station);
      }
      found->throughput += window.weight * floor.demand_per_step / step_time_s;
      found->floor_step_time_s += window.weight * floor.step_time_s;
    }
  }
  for (StationReport& station : outcome.stations) station.carry(station.throughput);
}

/// What the store of a job must hold: every dataset that lies on it, the job's as it reads it, and checkpoints that are
/// kept there. Where checkpoints pass the drives of nodes, their own check counts the dataset too.
std::optional<Requirement> store_room(const Scenario& scenario, const Job& job) {
  const Store& store = store_of(scenario, dataset_of(scenario, job));
  if (!(store.capacity_bytes > 0.0)) return std::nullopt;
  Requirement room;
  room.room = store.is_shared() ? "capacity of store '" + store.name + "'" : "capacity of a node's drives";
  room.available_bytes = store.capacity_bytes;
  room.fix = "raise the capacity of the store, or reduce the data of the job";
  for (const Dataset& dataset : scenario.datasets) {
    if (dataset.store != store.name) continue;
    const bool read = std::any_of(job.datasets.begin(), job.datasets.end(),
                                  [&](const DatasetShare& share) { return share.dataset == dataset.name; });
    room.needs.push_back(
        {"dataset '" + dataset.name + "'", read ? corpus_bytes(dataset, job.loader) : dataset.bytes()});
  }
  if (store.cache && store.cache->tiering) room.available_bytes += store.cache->bytes;  // the flash holds its part
  if (!job.checkpoint) return room;
  for (const CheckpointPlace& place : checkpoint_places(scenario, *job.checkpoint)) {
    if (place.store->name != store.name) continue;
    if (!store.is_shared()) return std::nullopt;
    room.needs.push_back({std::to_string(place.retained) + " checkpoints",
                          static_cast<double>(place.retained) * job.checkpoint->total_bytes()});
  }
  return room;
}

void check_loader(const Scenario& scenario, const IngestPath& path, Outcome& outcome) {
  const Job& job = scenario.jobs.front();
  if (const std::optional<Requirement> room = store_room(scenario, job)) require(*room, outcome);
  const std::optional<StartUp> start = start_up_of(scenario, path, false, 0);
  const double index_bytes = start ? start->index_bytes_per_node : 0.0;
  require(host_memory(pool_of(scenario, job), job.loader, path, index_bytes), outcome);
  require_data_stay(scenario, job, outcome);
  if (auto few = shard_warning(dealt_dataset(scenario, job), path, job.loader))
    outcome.warnings.push_back(std::move(*few));
}

/// A job can be fed and still train slower for its loaders.
void warn_of_slowed_step(const IngestPath& path, double step_time_s, Outcome& outcome) {
  const HostLoad& load = path.host_load;
  if (load.wait_s < kFedIdleFraction * step_time_s) return;
  const std::string text = fmt::format(
      "load on the node's cores slows the step: its host part takes {:.2f} times as long, {:.1f} % of the step",
      load.slowdown, 100.0 * load.wait_s / step_time_s);
  outcome.warnings.push_back({text, "workers and other processes use the cores that the training process needs",
                              "use fewer workers or less CPU work per sample, decode elsewhere, or add cores"});
}

/// A cache that evicts nothing: where it has room left in the last epoch, later ones would hit more.
void warn_of_filling_cache(const Scenario& scenario, const IngestPath& path, Outcome& outcome) {
  const std::uint64_t epochs = scenario.jobs.front().epochs;
  if (epochs < 2 || cache_stack(scenario, 0).evicts()) return;
  constexpr double kNotable = 0.01;  // of what is read: less would hardly be hit later
  const double filled = mean_in(outcome.metrics, "cache_fill_bytes_per_s") * path.nodes;
  if (!(filled > kNotable * mean_in(outcome.metrics, "ingest_bytes_per_s"))) return;
  outcome.warnings.push_back(
      {fmt::format("the cache of a node still fills in epoch {}, the last: {:.0f} % of reads hit", epochs,
                   100.0 * mean_in(outcome.metrics, "cache_hit_ratio")),
       "it keeps what the node has read, a part of the dataset in each epoch",
       "give the job the epochs that it trains: jobs/0/epochs"});
}

/// A cache that turns over all the time writes drives to their end before the years that they are rated for.
void warn_of_worn_drives(const Scenario& scenario, Outcome& outcome) {
  constexpr double kDay_s = 86400.0;
  constexpr double kReadDriveWritesPerDay = 1.0;  // what drives made for reading are commonly rated for, at most
  const Metric* life = outcome.find("drive_life_s");
  const Metric* written = outcome.find("cache_fill_bytes_per_s");
  const Pool& pool = pool_of(scenario, scenario.jobs.front());
  const LocalDrives& drives = pool.drives;
  if (written == nullptr || !(drives.capacity_bytes > 0.0) || !cache_stack(scenario, 0).evicts()) return;
  const double writes_per_day = written->mean * kDay_s / drives.capacity_bytes;
  if (life == nullptr) {
    if (pool.cache.medium != CacheMedium::nvme || drives.writes_per_day > 0.0) return;
    if (!(writes_per_day > kReadDriveWritesPerDay)) return;
    outcome.warnings.push_back(
        {fmt::format(
             "the cache writes the capacity of a node's drives {:.3g} times a day, and their rating is not stated",
             writes_per_day),
         "drives made for reading are commonly rated for one such write a day or less",
         "state the rating (drives/writes_per_day of the pool), or keep what fits in the cache (policy pinned)"});
    return;
  }
  const double life_years = life->mean / kDay_s / 365.25;
  if (life_years >= drives.rated_years) return;
  outcome.warnings.push_back(
      {fmt::format("the drives of a node wear out in {}, by what the cache writes to them while the job runs",
                   life_years < 2.0 ? fmt::format("{:.0f} days", life->mean / kDay_s)
                                    : fmt::format("{:.1f} years", life_years)),
       fmt::format(
           "it writes their capacity {:.3g} times a day, and they are rated for {:.3g} times a day over {:.3g} years",
           writes_per_day, drives.writes_per_day, drives.rated_years),
       "keep what fits in the cache (policy pinned), or use drives that are rated for more writes per day"});
}

/// Share of GPU time that must wait, whatever the queues do: by the flow bound.
double least_idle(const IngestPath& path, const std::vector<EpochWindow>& windows) {
  double bound_s = 0.0;
  for (const EpochWindow& window : windows) bound_s += window.weight * step_time_bound_s(in_window(path, window));
  return bound_s > 0.0 ? std::max(0.0, 1.0 - path.mean_step_floor_s() / bound_s) : 0.0;
}

/// A run without intervals decides nothing, but where a resource alone makes the GPUs wait no interval is needed.
void decide(const EpochMeans& means, bool enough_data, double least_idle, Outcome& outcome) {
  constexpr double kSurely = 0.05;  // hit ratios of caches in the bound are modelled ones
  if (outcome.verdict == Verdict::infeasible) return;
  if (!enough_data)
    outcome.verdict = least_idle > kSurely ? Verdict::ingest_bound : Verdict::inconclusive;
  else
    outcome.verdict = means.idle_fraction.mean <= kFedIdleFraction ? Verdict::fed : Verdict::ingest_bound;
}

/// Ranks that wait longer for each other's gradients than for data.
void decide_collective(const EpochMeans& means, Outcome& outcome) {
  const bool decided = outcome.verdict == Verdict::fed || outcome.verdict == Verdict::ingest_bound;
  const double share = means.state_s[index(GpuState::collective)] / means.step_time_s.mean;
  if (decided && share > kCollectiveBoundFraction && share > means.idle_fraction.mean)
    outcome.verdict = Verdict::collective_bound;
}

}  // namespace

Measured Measured::scaled(double factor) const {
  Measured result{mean * factor, std::nullopt};
  if (ci95) result.ci95 = Interval{ci95->low * factor, ci95->high * factor};
  return result;
}

Measured Measured::plus(double offset) const {
  Measured result{mean + offset, std::nullopt};
  if (ci95) result.ci95 = Interval{ci95->low + offset, ci95->high + offset};
  return result;
}

void assemble(const Scenario& scenario, const std::vector<EpochWindow>& windows, const EpochMeans& means,
              bool enough_data, Outcome& outcome) {
  const IngestPath path = with_mean_host_part(resolve_path(scenario, 0, {}), windows);
  const EpochWindow mean = mean_window(windows);
  add_metrics(scenario, path, mean, means, outcome);
  add_packing(scenario, path, means, outcome);
  add_training_figures(scenario, path, means.kind, means.step_time_s.mean, outcome);
  add_states(means, outcome);
  add_stations(path, windows, means.step_time_s.mean, outcome);
  outcome.ledger = epoch_ledger(scenario, path, cached_share(mean), epoch_time_s(path, means).mean);
  JobReport job;
  job.name = scenario.jobs.front().name;
  job.metrics = outcome.metrics;
  job.ledger = outcome.ledger;
  outcome.jobs = {std::move(job)};
  outcome.evidence = evidence_for(in_window(path, mean));
  if (const auto& listing = scenario.jobs.front().index; listing && listing->set_up_s > 0.0)
    add_listing_evidence(static_cast<double>(dataset_of(scenario, scenario.jobs.front()).files), outcome.evidence);
  else if (listing)
    outcome.evidence.not_validated.emplace_back(
        "listing at the start without a set-up time: token buckets and closed forms; published listings are missed");
  const Store& store = store_of(scenario, dataset_of(scenario, scenario.jobs.front()));
  const bool seeks = store.drives && (store.drives->positioning_s > 0.0 || store.kind == StoreKind::hdd);
  if (store.redundancy || seeks) outcome.evidence.not_validated.emplace_back(kDrivesNotValidated);
  if (scenario.fabric.collectives == CollectiveTraffic::shared && path.nodes > 1 && !path.local_store)
    outcome.evidence.not_validated.emplace_back(kCollectivesNotValidated);
  if (scenario.jobs.front().step.efficiency)
    outcome.evidence.not_validated.emplace_back("compute time over micro-batch: a formula with one constant");
  check_loader(scenario, path, outcome);
  warn_of_slowed_step(path, means.step_time_s.mean, outcome);
  warn_of_worn_drives(scenario, outcome);
  warn_of_filling_cache(scenario, path, outcome);
  decide(means, enough_data, enough_data ? 0.0 : least_idle(path, windows), outcome);
  if (scenario.jobs.front().collective) decide_collective(means, outcome);
}

double refill_bound_s(const IngestPath& path, const std::vector<EpochWindow>& windows, double step_time_s) {
  if (!path.epochs_start_anew()) return 0.0;
  const IngestPath slowed = with_mean_host_part(path, windows);
  const bool fed = step_time_s <= slowed.mean_fed_step_s() * (1.0 + 1e-9);
  const double batch_s = mean_batch_time_s(in_window(path, windows.front())) + slowed.pin_s;
  return fed ? batch_s : std::min(batch_s, slowed.mean_step_floor_s());
}

double epoch_boundary_s(const IngestPath& path, double refill_s) {
  if (!path.epochs_start_anew()) return 0.0;
  return refill_s + (path.stated_loader.epoch_start->persistent_workers ? 0.0 : path.worker_start_s);
}

void assemble_closed_form(const Scenario& scenario, const std::vector<EpochWindow>& windows, double step_time_s,
                          double refill_s, AnswerKind kind, Outcome& outcome) {
  const IngestPath path = with_mean_host_part(resolve_path(scenario, 0, {}), windows);
  EpochMeans means;
  means.kind = kind;
  means.refill_s = refill_s;
  means.step_time_s = {step_time_s, std::nullopt};
  const double wait_s = std::max(0.0, step_time_s - path.mean_step_floor_s());
  means.idle_fraction = {wait_s / step_time_s, std::nullopt};
  means.utilization = {path.compute_s.mean() / step_time_s, std::nullopt};
  means.state_s[index(GpuState::compute)] = path.compute_s.mean();
  means.state_s[index(GpuState::h2d)] = path.h2d_s;
  means.state_s[index(GpuState::collective)] = path.collective_s;
  means.state_s[index(GpuState::overhead)] = path.mean_overhead_s();
  means.state_s[index(GpuState::ingest_wait_own)] = wait_s;
  assemble(scenario, windows, means, true, outcome);
  // The binding stage is the one whose resource allows the least, or what the training process does before its step.
  double longest_s = path.synchronous ? 0.0 : path.mean_fed_step_s() * (1.0 + 1e-9);
  if (path.receive_s > 0.0) outcome.binding = Stage::receive;
  std::array<double, kStageCount> floor_s{};
  for (const EpochWindow& window : windows) {
    std::array<double, kStageCount> highest_s{};
    for (const ResourceFloor& floor : resource_floors(in_window(path, window)))
      highest_s[index(floor.stage)] = std::max(highest_s[index(floor.stage)], floor.step_time_s);
    for (std::size_t i = 0; i < kStageCount; ++i) floor_s[i] += window.weight * highest_s[i];
  }
  for (std::size_t i = 0; i < kStageCount; ++i) {
    if (floor_s[i] <= longest_s) continue;
    longest_s = floor_s[i];
    outcome.binding = static_cast<Stage>(i);
  }
}

}  // namespace headrace::models
