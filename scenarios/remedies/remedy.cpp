#include "scenarios/remedies/remedy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "models/answer/flow_bound.hpp"
#include "models/answer/point_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/cluster/cluster_plan.hpp"
#include "models/outcome/confidence.hpp"
#include "models/path/ingest_path.hpp"
#include "scenarios/document/print_visitor.hpp"
#include "scenarios/document/shell_quoted.hpp"
#include "scenarios/document/units.hpp"
#include "scenarios/remedies/levers.hpp"
#include "scenarios/remedies/remedy_judge.hpp"

namespace headrace::scenarios {
namespace {

using models::Scenario;

constexpr double kLeastGain = 0.01;
constexpr double kNearlyBest = 0.8;
constexpr double kHalf = 0.5;  ///< of the best gain: enough of a change that needs no other machines
constexpr double kDoubled = 2.0;
constexpr double kEnough = 0.5;    ///< of the wait: one change that gains so much is enough
constexpr double kPairPays = 2.0;  ///< gain of two changes over that of the first
constexpr std::uint64_t kPacked = 1000;
constexpr std::string_view kNic = "pools/nic/bandwidth";
constexpr std::string_view kDoubleNicAndFabric =
    "double the network bandwidth of each node, which leaf uplinks and spine follow";
constexpr std::string_view kPrefixes = "stores/limit/prefixes";
constexpr std::string_view kWorkers = "loader/workers";
constexpr std::string_view kOnNvme = "cache the data on NVMe";
constexpr std::string_view kWithinCores = "use every core for workers";

/// Single files become shards that are read in order: one open for a thousand samples.
bool pack_samples(Scenario& scenario, double /*factor*/) {
  bool any = false;
  for (models::Dataset& data : scenario.datasets) {
    if (data.samples_per_file != 1 || data.files < 2 * kPacked || data.stream) continue;
    data.files = (data.files + kPacked - 1) / kPacked;
    data.samples_per_file = kPacked;
    data.order = models::SampleOrder::shard_sequential;
    any = true;
  }
  return any;
}

/// Names of objects spread over twice as many prefixes, each with its own limit.
bool double_prefixes(Scenario& scenario, double factor) {
  bool any = false;
  for (models::Store& store : scenario.stores) {
    if (!(store.limit.requests_per_s_per_prefix > 0.0)) continue;
    store.limit.prefixes *= static_cast<decltype(store.limit.prefixes)>(factor);
    any = true;
  }
  return any;
}

bool quadruple_prefixes(Scenario& scenario, double factor) { return double_prefixes(scenario, factor * factor); }

bool is_remote(const Scenario& scenario) {
  return std::any_of(scenario.stores.begin(), scenario.stores.end(),
                     [](const models::Store& store) { return store.is_shared(); });
}

/// In nodes that have neither a cache nor the data on their own drives: at most so much.
constexpr double kCacheBytes = 13e12;

/// What the jobs of a pool read over and over.
double read_bytes(const Scenario& scenario, const models::Pool& pool) {
  double bytes = 0.0;
  for (const models::Job& job : scenario.jobs)
    if (job.pool == pool.name) bytes = std::max(bytes, models::corpus_of(scenario, job).bytes);
  return bytes;
}

/// Data that one node cannot hold are kept once, by all nodes together, and no larger than they are.
void size_cache(const Scenario& scenario, models::Pool& pool) {
  constexpr double kWhole = 1e12;
  const auto whole = [](double bytes) { return std::min(kCacheBytes, kWhole * std::ceil(bytes / kWhole)); };
  const double bytes = read_bytes(scenario, pool);
  pool.cache.bytes = whole(bytes);
  if (pool.nodes < 2 || bytes <= kCacheBytes) return;
  pool.cache.scope = models::CacheScope::partitioned;
  pool.cache.bytes = whole(bytes / static_cast<double>(pool.nodes));
}

bool cache_on_nvme(Scenario& scenario, double /*factor*/) {
  const bool remote = is_remote(scenario);
  bool any = false;
  for (models::Pool& pool : scenario.cluster.pools) {
    if (!remote || pool.cache.policy != models::CachePolicy::none) continue;
    pool.cache.policy = models::CachePolicy::lru;
    pool.cache.medium = models::CacheMedium::nvme;
    size_cache(scenario, pool);
    pool.drives.capacity_bytes = std::max(pool.drives.capacity_bytes, pool.cache.bytes);
    pool.cache.bandwidth_bytes_per_s = 12e9;
    pool.cache.latency_s = models::DistributionSpec::constant(100e-6);
    any = true;
  }
  return any;
}

/// Caches that are smaller than what is read over and over lose most of it to eviction before it is read again.
bool pin_caches(Scenario& scenario, double /*factor*/) {
  bool any = false;
  const auto pin = [&any](models::CachePolicy& policy) {
    if (policy == models::CachePolicy::none || policy == models::CachePolicy::pinned ||
        policy == models::CachePolicy::clairvoyant)
      return;
    policy = models::CachePolicy::pinned;
    any = true;
  };
  for (models::Pool& pool : scenario.cluster.pools) pin(pool.cache.policy);
  for (models::Store& store : scenario.stores)
    if (store.cache && !store.cache->tiering) pin(store.cache->policy);
  return any;
}

/// The interval between checkpoints that a job has today, whole seconds; 0: none that is known.
double interval_today_s(const models::Outcome& bound, const models::Job& job) {
  double interval_s = models::mean_in(bound.metrics, "checkpoint_interval_s");
  for (const models::JobReport& report : bound.jobs)
    if (report.name == job.name) interval_s = models::mean_in(report.metrics, "checkpoint_interval_s");
  return std::round(interval_s);
}

/// Writes that go on while the job trains, as often as today: where saves stop the job for less, the best interval
/// would become much shorter, and the store would write all the time.
bool save_in_background(Scenario& scenario, double /*factor*/) {
  const models::Outcome today = models::flow_bound(scenario);
  bool any = false;
  for (models::Job& job : scenario.jobs) {
    if (!job.checkpoint || job.checkpoint->mode == models::CheckpointMode::async) continue;
    job.checkpoint->mode = models::CheckpointMode::async;
    if (!(job.checkpoint->interval_s > 0.0)) job.checkpoint->interval_s = interval_today_s(today, job);
    any = true;
  }
  return any;
}

/// At the interval that suits the failures best.
bool save_at_best_interval(Scenario& scenario, double /*factor*/) {
  if (!scenario.faults || !(scenario.faults->node_mtbf_s > 0.0)) return false;  // never, then
  bool any = false;
  for (models::Job& job : scenario.jobs) {
    if (!job.checkpoint || !(job.checkpoint->interval_s > 0.0)) continue;
    job.checkpoint->interval_s = 0.0;
    any = true;
  }
  return any;
}

bool speed_up_writes(Scenario& scenario, double factor) {
  bool any = false;
  for (models::Store& store : scenario.stores) {
    const bool written = std::any_of(scenario.jobs.begin(), scenario.jobs.end(), [&](const models::Job& job) {
      return job.checkpoint && job.checkpoint->store == store.name;
    });
    if (!written || store.write_cache) continue;
    const double now = store.write_bandwidth_bytes_per_s;
    store.write_bandwidth_bytes_per_s = factor * (now > 0.0 ? now : store.bandwidth_bytes_per_s);
    any = true;
  }
  return any;
}

bool restart_sooner(Scenario& scenario, double factor) {
  if (!scenario.faults || !(scenario.faults->node_mtbf_s > 0.0)) return false;
  scenario.faults->detection_s /= factor;
  scenario.faults->reschedule_s /= factor;
  return true;
}

/// Of data that arrive during training, where the scenario states it.
bool enlarge(double models::StreamSource::*what, Scenario& scenario, double factor) {
  bool any = false;
  for (models::Dataset& data : scenario.datasets) {
    if (!data.stream || !((*data.stream).*what > 0.0)) continue;
    (*data.stream).*what *= factor;
    any = true;
  }
  return any;
}

bool enlarge_staging(Scenario& scenario, double factor) {
  return enlarge(&models::StreamSource::buffer_bytes, scenario, factor);
}

bool drain_staging_faster(Scenario& scenario, double factor) {
  return enlarge(&models::StreamSource::drain_bytes_per_s, scenario, factor);
}

/// What it takes to make a change.
enum Effort {
  kSetting,   ///< of the job
  kFiles,     ///< other files, or another way to read them
  kMachines,  ///< other machines
  kHardly,    ///< what cannot be bought, such as the latency of a remote store, or what the machines do not hold
};

struct Change {
  std::string_view advice;
  std::string_view parameter;
  bool (*make)(Scenario& scenario, double factor);
  Effort effort;
};

/// Twice the workers, or as many as the cores of a node hold.
bool workers_within_cores(Scenario& scenario, double factor) {
  bool any = false;
  for (std::size_t i = 0; i < scenario.jobs.size(); ++i) {
    models::Job& job = scenario.jobs[i];
    if (job.loader.synchronous || job.loader.outstanding > 0) continue;
    auto workers = static_cast<std::uint64_t>(std::ceil(static_cast<double>(job.loader.workers) * factor));
    if (const std::optional<std::uint64_t> cores = pool_of(scenario, job).host.cores) {
      const models::IngestPath path = models::resolve_path(scenario, i, {});
      const double loaders = std::ceil(static_cast<double>(path.loaders) / path.nodes);
      workers = std::min(workers, static_cast<std::uint64_t>(static_cast<double>(*cores) / loaders + 1e-9));
    }
    if (workers <= job.loader.workers) continue;
    job.loader.workers = workers;
    any = true;
  }
  return any;
}

Effort effort_of(std::string_view parameter, bool remote) {
  if (parameter == kWorkers || parameter == "loader/prefetch") return kSetting;
  if (remote && (parameter == "stores/latency" || parameter == "stores/metadata/latency")) return kHardly;
  return parameter.starts_with("loader/") || parameter == kPrefixes ? kFiles : kMachines;
}

/// Uplinks and spine are stated by the adapters under them.
bool has_leaves(const Scenario& scenario) {
  return std::any_of(scenario.cluster.pools.begin(), scenario.cluster.pools.end(),
                     [](const models::Pool& pool) { return pool.nodes_per_leaf > 0; });
}

std::vector<Change> all_changes(const Scenario& scenario, RemedyGoal goal) {
  if (goal == RemedyGoal::interruptions)
    return {{"save in the background", "checkpoint/mode", save_in_background, kSetting},
            {"save at the best interval for the failures", "checkpoint/interval", save_at_best_interval, kSetting},
            {"find and replace failed nodes in half the time", "faults/reschedule", restart_sooner, kMachines},
            {"double the bandwidth that checkpoints are written with", "stores/write_bandwidth", speed_up_writes,
             kMachines}};
  const bool remote = is_remote(scenario);
  std::vector<Change> changes{
      {kWithinCores, kWorkers, workers_within_cores, kSetting},
      {"keep what the caches hold, evict nothing", "pools/cache/policy", pin_caches, kSetting},
      {"pack 1,000 samples into each file and read them in order", "datasets/samples_per_file", pack_samples, kFiles},
      {kOnNvme, "pools/cache", cache_on_nvme, kMachines},
      {"write new data to the store twice as fast", "datasets/stream/drain", drain_staging_faster, kMachines},
      {"double the buffer for new data", "datasets/stream/buffer", enlarge_staging, kMachines}};
  for (const Lever& lever : kLevers) {
    if (lever.doubled.empty()) continue;
    const bool prefixes = lever.parameter == kPrefixes;
    changes.push_back({lever.parameter == kNic && has_leaves(scenario) ? kDoubleNicAndFabric : lever.doubled,
                       lever.parameter, prefixes ? double_prefixes : lever.pull, effort_of(lever.parameter, remote)});
    if (prefixes)  // other names cost nothing: as many as it takes, before hardware
      changes.push_back({"spread the objects over four times the prefixes", kPrefixes, quadruple_prefixes, kFiles});
  }
  return changes;
}

/// The room that a scenario takes most of, by what there is.
struct TightestRoom {
  double share = 0.0;  ///< more than 1: the machines do not hold it
  std::string text = {};
};

TightestRoom tightest_room(const Scenario& scenario) {
  TightestRoom tightest;
  for (const models::RoomUse& room : models::cluster_bound(scenario).rooms) {
    const double share = room.known() ? room.needed / room.available : 0.0;
    if (room.room == models::Room::request_limit || share <= tightest.share) continue;
    tightest.share = share;
    tightest.text = room.unit() == "B" ? std::string(room.name())
                                       : fmt::format("{:.6g} {} of each node, which has {:.6g}", room.needed,
                                                     room.name(), room.available);
  }
  return tightest;
}

using Document = nlohmann::ordered_json;

Document document_of(Scenario scenario) {
  return print_record([&scenario](models::Visitor& visitor) { describe(scenario, visitor); });
}

/// Links are bought by the bit: "25 GB/s" of one is taken for a slip of "25 Gb/s".
std::string link_text(const std::string& pointer, const std::string& value) {
  constexpr double kBits = 8.0;
  constexpr double kGiga = 1e9;
  if (!pointer.ends_with("nic/bandwidth")) return value;
  const auto rate = parse_quantity(value, models::Unit::bytes_per_second);
  return rate ? print_number(kBits * *rate / kGiga) + " Gb/s" : value;
}

void add_changed(const Document& before, const Document& after, const std::string& pointer,
                 std::vector<ChangedValue>& values) {
  if (before == after) return;
  const bool inside =
      after.is_structured() && before.type() == after.type() && (after.is_object() || after.size() == before.size());
  if (!inside) {
    values.push_back({pointer, after.is_string() ? link_text(pointer, after.get<std::string>()) : after.dump()});
    return;
  }
  static const Document kNone;
  for (const auto& [key, child] : after.items()) {
    const bool known = after.is_array() || before.contains(key);
    const Document& old = !known ? kNone : after.is_array() ? before[std::stoul(key)] : before[key];
    add_changed(old, child, join_pointer(pointer, key), values);
  }
}

/// What makes `after` of `before`, as options of the command line.
std::string sets_between(const Scenario& before, const Scenario& after) {
  std::string sets;
  for (const ChangedValue& one : changed_values(before, after))
    sets +=
        fmt::format("{}--set {}", sets.empty() ? "" : " ", shell_quoted(fmt::format("{}={}", one.pointer, one.value)));
  return sets;
}

/// A change and what it gains over the scenario that it was made in.
struct Tried {
  const Change* change = nullptr;
  Scenario scenario;
  std::string advice = {};
  std::vector<std::string> notes = {};  ///< on the machines that it takes
  Effort effort = kSetting;
  double gain = 0.0;
  std::optional<double> idle_then = {};  ///< where it shortens more than waits
  double cost_usd = 0.0;                 ///< of an epoch afterwards
};

/// Whether the change leaves what is neither computed nor waited for, such as the exchange of gradients, as it was.
bool only_waits_change(const JudgedWait& now, const JudgedWait& then) {
  constexpr double kSame = 0.005;
  return std::abs(then.computed / now.computed - 1.0) < kSame;
}

/// Of today's GPU time, where GPUs compute another share of theirs for the same work: 1 - now / then.
double saved_share(const JudgedWait& now, const JudgedWait& then) {
  if (!(then.idle < 1.0)) return 0.0;
  if (only_waits_change(now, then)) return (now.idle - then.idle) / (1.0 - then.idle);
  return 1.0 - (1.0 - now.idle) * now.computed / ((1.0 - then.idle) * then.computed);
}

/// Whether the caches of the nodes hold the datasets of every job.
bool caches_hold_all(const Scenario& scenario) {
  return std::all_of(scenario.jobs.begin(), scenario.jobs.end(), [&](const models::Job& job) {
    const models::Pool& pool = models::pool_of(scenario, job);
    const bool together = pool.cache.scope == models::CacheScope::partitioned;
    return pool.cache.policy != models::CachePolicy::none &&
           models::corpus_of(scenario, job).bytes <=
               pool.cache.bytes * (together ? static_cast<double>(pool.nodes) : 1.0);
  });
}

/// "cache the data on NVMe, 7 TB in each node, one cache of all nodes"; of data that do not fit which part. Pools with
/// unlike caches are named.
std::string cache_advice(const Scenario& before, const Scenario& after) {
  double held_share = 1.0;
  std::vector<std::pair<std::string, std::string>> caches;  // pool, what its nodes have
  for (std::size_t i = 0; i < after.cluster.pools.size(); ++i) {
    const models::Pool& pool = after.cluster.pools[i];
    if (before.cluster.pools[i].cache.policy != models::CachePolicy::none ||
        pool.cache.policy == models::CachePolicy::none)
      continue;
    const bool together = pool.cache.scope == models::CacheScope::partitioned;
    const double held = pool.cache.bytes * (together ? static_cast<double>(pool.nodes) : 1.0);
    held_share = std::min(held_share, held / read_bytes(after, pool));
    caches.emplace_back(pool.name, fmt::format("{:.0f} TB in each node{}", pool.cache.bytes / 1e12,
                                               together ? ", one cache of all nodes" : ""));
  }
  if (caches.empty()) return std::string(kOnNvme);
  const bool alike = std::all_of(caches.begin(), caches.end(),
                                 [&](const auto& cache) { return cache.second == caches.front().second; });
  const bool some = caches.size() < after.cluster.pools.size();
  std::string where;
  for (const auto& [pool, size] : caches)
    where += alike && !some ? "" : fmt::format("{}pool {}: {}", where.empty() ? "" : "; ", pool, size);
  return fmt::format(
      "cache {} on NVMe, {}",
      held_share < 1.0 ? fmt::format("{:.0f} % of the data", std::floor(100.0 * held_share)) : "the data",
      alike && !some ? caches.front().second : where);
}

/// What stores can send, by their drives and otherwise.
double store_bytes_per_s(const Scenario& scenario) {
  double sum = 0.0;
  for (const models::StationReport& station : models::flow_bound(scenario).stations)
    if (station.resource == models::Resource::store_bandwidth) sum += station.capacity;
  return sum;
}

/// What the change is where it was made, and what the machines do not hold of it.
void tell_change(const Change& change, const Scenario& before, const TightestRoom& room_before, Tried& one) {
  one.advice = change.advice;
  one.effort = change.effort;
  if (change.advice == kWithinCores)
    one.advice = fmt::format("use {} workers in each loader, as many as the cores hold",
                             one.scenario.jobs.front().loader.workers);
  if (change.advice == kOnNvme) {
    one.advice = cache_advice(before, one.scenario);
    one.notes.emplace_back("from the second epoch on");
  }
  const auto hourly_usd = [](const Scenario& of) { return models::cluster_bound(of).figures.hourly_usd(); };
  constexpr double kSame = 1.0 + 1e-9;
  const bool is_paid_by_schedule =
      change.parameter.starts_with("stores/") &&
      std::any_of(before.stores.begin(), before.stores.end(),
                  [](const models::Store& store) { return store.schedule && store.schedule->usd_per_hour > 0.0; });
  if (one.effort == kMachines && !is_paid_by_schedule)
    if (const double now_usd = hourly_usd(before); now_usd > 0.0 && hourly_usd(one.scenario) <= kSame * now_usd)
      one.notes.emplace_back("no price stated");
  if (change.parameter == "pools/cache/bytes" && caches_hold_all(one.scenario) && !caches_hold_all(before))
    one.notes.emplace_back("the caches then hold all data");
  if (change.parameter == "stores/drives/count" && store_bytes_per_s(one.scenario) > kSame * store_bytes_per_s(before))
    one.notes.emplace_back("their bandwidth counts too");
  const TightestRoom room = tightest_room(one.scenario);
  constexpr double kOver = 1.0 + 1e-9;
  if (!(room.share > kOver) || !(room.share > kOver * room_before.share)) return;
  one.notes.push_back(fmt::format("beyond the machine: {}", room.text));
  one.effort = kHardly;
}

/// Where some pools do without the new cache at no loss, only the others have it.
void spare_caches(const Scenario& before, const RemedyJudge& judge, Scenario& after, JudgedWait& then) {
  constexpr double kAsGood = 0.002;  // of GPU time
  std::size_t changed = 0;
  for (std::size_t i = 0; i < after.cluster.pools.size(); ++i)
    changed += after.cluster.pools[i].cache.policy != before.cluster.pools[i].cache.policy ? 1U : 0U;
  for (std::size_t i = 0; i < after.cluster.pools.size() && changed > 1; ++i) {
    if (after.cluster.pools[i].cache.policy == before.cluster.pools[i].cache.policy) continue;
    Scenario without = after;
    without.cluster.pools[i] = before.cluster.pools[i];
    const std::optional<JudgedWait> spared = judge.judge(without);
    if (!spared || spared->idle > then.idle + kAsGood) continue;
    after = std::move(without);
    then = *spared;
    --changed;
  }
}

/// Every change that the scenario allows, easiest first, with its gain over what the judge knows of today.
std::vector<Tried> tried(const Scenario& scenario, const std::vector<Change>& changes, const RemedyJudge& judge) {
  std::vector<Tried> all;
  const TightestRoom room = tightest_room(scenario);
  for (const Change& change : changes) {
    Tried one{&change, scenario};
    if (!change.make(one.scenario, kDoubled)) continue;
    // Where the cores hold twice the workers, that is the lever of its own.
    const auto workers = [](const Scenario& of) { return static_cast<double>(of.jobs.front().loader.workers); };
    if (change.advice == kWithinCores && workers(one.scenario) >= kDoubled * workers(scenario)) continue;
    std::optional<JudgedWait> then = judge.judge(one.scenario);
    if (!then) continue;
    if (change.advice == kOnNvme) spare_caches(scenario, judge, one.scenario, *then);
    tell_change(change, scenario, room, one);
    one.gain = saved_share(*judge.now(), *then);
    if (!only_waits_change(*judge.now(), *then)) one.idle_then = then->idle;
    one.cost_usd = then->cost_usd;
    all.push_back(std::move(one));
  }
  std::stable_sort(all.begin(), all.end(), [](const Tried& a, const Tried& b) { return a.effort < b.effort; });
  return all;
}

/// The easiest of those that gain nearly as much as the best, or half as much without other machines. What can hardly
/// be done comes in only where nothing else gains.
const Tried* easiest(const std::vector<Tried>& all) {
  const auto best_from = [&all](Effort least, Effort most) {
    double best = 0.0;
    for (const Tried& one : all)
      if (one.effort >= least && one.effort <= most) best = std::max(best, one.gain);
    return best;
  };
  const double best = best_from(kSetting, kMachines);
  for (const Effort effort : {kSetting, kFiles, kMachines, kHardly}) {
    const double own = best_from(effort, effort);
    const double needed = effort == kHardly ? 0.0 : (effort < kMachines ? kHalf : kNearlyBest) * best;
    if (own < std::max(kLeastGain, needed)) continue;
    const auto found = std::find_if(all.begin(), all.end(), [&](const Tried& one) {
      return one.effort == effort && one.gain >= std::max(kLeastGain, kNearlyBest * own);
    });
    if (found != all.end()) return &*found;
  }
  return nullptr;
}

/// The notes behind the advice, in one pair of brackets, each once.
std::string with_notes(const std::string& advice, const std::vector<std::string>& first,
                       const std::vector<std::string>& second = {}) {
  std::vector<std::string> notes = first;
  for (const std::string& note : second)
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
  return notes.empty() ? advice : fmt::format("{} ({})", advice, fmt::join(notes, "; "));
}

/// Remedies of one scenario, whose share of waiting is known.
class Remedies {
 public:
  Remedies(const Scenario& scenario, double idle_fraction, const RemedyJudge& judge)
      : scenario_(scenario), idle_fraction_(idle_fraction), judge_(judge) {}

  Remedy single(const Tried& one) const {
    return made(one, {with_notes(one.advice, one.notes), std::string(one.change->parameter),
                      sets_between(scenario_, one.scenario), one.gain, std::nullopt, judge_.kind(), std::nullopt});
  }

  Remedy pair(const Tried& first, const Tried& second) const {
    return made(second,
                {with_notes(fmt::format("{} and {}", first.advice, second.advice), first.notes, second.notes),
                 fmt::format("{}, {}", first.change->parameter, second.change->parameter),
                 sets_between(scenario_, second.scenario), second.gain, std::nullopt, judge_.kind(), std::nullopt});
  }

 private:
  Remedy made(const Tried& last, models::RemedyReport report) const {
    report.lost_after = last.idle_then;
    if (!report.lost_after) report.gain = std::min(idle_fraction_, report.gain);
    if (const double now_usd = judge_.now()->cost_usd; now_usd > 0.0) report.cost_usd = last.cost_usd - now_usd;
    report.grade = models::confidence_of(models::queueing_estimate(last.scenario, 1)).grade;
    return {std::move(report), last.scenario};
  }

  const Scenario& scenario_;
  double idle_fraction_;
  const RemedyJudge& judge_;
};

std::vector<Remedy> remedies_by(const RemedyJudge& judge, const Scenario& scenario, double idle_fraction,
                                std::size_t most) {
  if (!judge.now()) return {};
  const Remedies make(scenario, idle_fraction, judge);
  const std::vector<Change> changes = all_changes(scenario, judge.goal());
  std::vector<Tried> singles = tried(scenario, changes, judge);
  const Tried* first = easiest(singles);
  if (first == nullptr) return {};
  std::vector<Remedy> all{make.single(*first)};
  if (first->gain < kEnough * judge.now()->idle) {
    // Two limits that lie close together: a change of one alone gains little.
    std::vector<Tried> pairs = tried(first->scenario, changes, judge);
    // A cache that was just chosen and is doubled at once is another cache, which the first advice does not tell.
    std::erase_if(pairs, [first](const Tried& one) {
      return one.change->parameter.starts_with(std::string(first->change->parameter) + "/");
    });
    const Tried* second = easiest(pairs);
    if (second != nullptr && second->change != first->change && second->gain >= kPairPays * first->gain)
      all.front() = make.pair(*first, *second);
  }
  const Change* taken = first->change;
  std::stable_sort(singles.begin(), singles.end(), [](const Tried& a, const Tried& b) {
    return (a.effort == kHardly) != (b.effort == kHardly) ? b.effort == kHardly : a.gain > b.gain;
  });
  for (const Tried& one : singles)
    if (all.size() < most && one.change != taken && one.gain >= kLeastGain) all.push_back(make.single(one));
  return all;
}

}  // namespace

std::vector<Remedy> remedies(const Scenario& scenario, double idle_fraction, std::size_t most,
                             std::optional<std::uint64_t> simulated_seed, RemedyGoal goal) {
  if (most == 0) return {};
  RemedyJudge judge(scenario, idle_fraction, simulated_seed, goal);
  std::vector<Remedy> all = remedies_by(judge, scenario, idle_fraction, most);
  if (!all.empty() && judge.turns_to_simulation(all.front().changed))
    all = remedies_by(judge, scenario, idle_fraction, most);
  return all;
}

double idle_after(const models::RemedyReport& change, double idle_fraction) {
  if (change.lost_after) return *change.lost_after;
  return change.gain < 1.0 ? std::max(0.0, (idle_fraction - change.gain) / (1.0 - change.gain)) : 0.0;
}

std::vector<ChangedValue> changed_values(const Scenario& before, const Scenario& after) {
  std::vector<ChangedValue> values;
  add_changed(document_of(before), document_of(after), "", values);
  return values;
}

}  // namespace headrace::scenarios
