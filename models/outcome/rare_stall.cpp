#include "models/outcome/rare_stall.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "models/base/purposes.hpp"
#include "models/cluster/cluster_run.hpp"
#include "models/hops/resource_floors.hpp"
#include "sim/iid_sum.hpp"
#include "sim/portable_math.hpp"
#include "sim/random_stream.hpp"
#include "sim/replication_interval.hpp"

namespace headrace::models {

namespace {

constexpr double kMostOverlap = 0.1;
constexpr double kRecoveryBatches = 4.0;  // of the outstanding ones
constexpr double kLoads = 4e6;            // batches of all loaders that a stretch may take where it can
constexpr double kMostLoads = 16e6;       // where the usual stretch is not precise enough
constexpr std::uint64_t kLeastEvery = 16;
constexpr std::uint64_t kMostStalls = 64;
constexpr std::uint64_t kStallGroups = 8;

double operations_per_batch(const IngestPath& path, Stage stage) {
  const double per_sample = stage == Stage::metadata ? path.opens_per_sample : path.requests_per_sample;
  return per_sample * path.batch_samples * path.miss_ratio();
}

std::uint64_t steps_between(const RareStall& stall) {
  return std::max<std::uint64_t>(kLeastEvery, 2ULL * stall.recovery_steps);
}

std::uint64_t affordable_steps(const IngestPath& path) {
  return static_cast<std::uint64_t>(std::clamp(kLoads / path.loaders, 1024.0, 4096.0));
}

/// Stalls that the stretch has room for, in whole groups.
std::uint64_t stalls_placed(const IngestPath& path, const RareStall& stall) {
  return std::min(affordable_steps(path) / steps_between(stall), kMostStalls) / kStallGroups * kStallGroups;
}

std::uint64_t least_warm_up_steps(const IngestPath& path) { return 5ULL * path.outstanding; }

/// The stall that `law` hides, with its recovery in steps of the path.
std::optional<RareStall> stall_in(const IngestPath& path, Stage stage, const sim::Distribution& law) {
  const std::optional<sim::RarePart> parts = sim::rare_part(law);
  if (!parts || !(parts->usual.mean() > 0.0)) return std::nullopt;
  double recovery = kRecoveryBatches * path.outstanding;
  const double step_s = std::max(path.mean_step_floor_s(), step_time_bound_s(path));
  if (path.order != DeliveryOrder::in_order && step_s > 0.0)
    recovery += std::ceil(2.0 * parts->rare.mean() / path.lanes / step_s);
  return RareStall{stage, parts->probability, parts->rare, static_cast<std::uint32_t>(std::min(recovery, 1e9))};
}

bool can_be_placed(const IngestPath& path, const RareStall& stall) {
  return stalled_step_share(path, stall) * stall.recovery_steps <= kMostOverlap && stalls_placed(path, stall) > 0;
}

/// Steps, and waits of the stalled loaders and of their peers, in one stretch; seconds.
struct Stretch {
  double elapsed_s = 0.0;
  double own_s = 0.0;
  double peer_s = 0.0;
};

Stretch stretch_of(const StepLog& log, std::uint32_t loaders, std::uint64_t from, std::uint64_t to) {
  Stretch stretch;
  stretch.elapsed_s = sim::seconds(log.records[to].start_ns - log.records[from].start_ns);
  for (std::uint64_t i = from; i < to; ++i) {
    stretch.own_s += sim::seconds(log.records[i].wait_own_ns) / loaders;
    stretch.peer_s += sim::seconds(log.records[i].wait_peer_ns) / loaders;
  }
  return stretch;
}

/// Share of batches that read anything from the store.
double reading_share(const IngestPath& path) {
  const double read_elsewhere = path.hit_ratio + path.tiers.shares.read();
  return read_elsewhere > 0.0 ? 1.0 - sim::ppow(read_elsewhere, path.batch_samples) : 1.0;
}

/// A run without and a run with stalls of the same draws, which go on from one number of stalls to the next.
class StallRuns {
 public:
  StallRuns(const IngestPath& path, const RareStall& stall, std::uint64_t seed, std::uint32_t replication,
            bool contention, const std::stop_token& abandon)
      : path_(path),
        stall_(stall),
        plan_(plan_of(path, stall, seed, replication)),
        without_(path, seed, replication, switches(contention, nullptr)),
        with_(path, seed, replication, switches(contention, &plan_)) {
    without_.abandon_on(abandon);
    with_.abandon_on(abandon);
  }
  StallRuns(const StallRuns&) = delete;
  StallRuns& operator=(const StallRuns&) = delete;

  /// Over a stretch that holds `placed` stalls, no fewer than before.
  StallEffect effect_of(std::uint64_t placed) {
    without_.run_to(plan_.first + plan_.every * placed);
    with_.run_to(plan_.first + plan_.every * placed);
    std::vector<double> delays_s(kStallGroups, 0.0);
    std::vector<double> longer_s(kStallGroups, 0.0);
    double own_s = 0.0;
    double peer_s = 0.0;
    const std::uint64_t count = placed / kStallGroups;
    for (std::size_t i = 0; i < kStallGroups; ++i) {
      const std::uint64_t from = plan_.first + i * count * plan_.every;
      const std::uint64_t to = from + count * plan_.every;
      const Stretch before = stretch_of(without_.log(), path_.loaders, from, to);
      const Stretch after = stretch_of(with_.log(), path_.loaders, from, to);
      delays_s[i] = (after.elapsed_s - before.elapsed_s) / static_cast<double>(count) / reading_share(path_);
      longer_s[i] = longer_than_mean_s(i * count + 1, count);  // a step starts when its batch is there
      own_s += after.own_s - before.own_s;
      peer_s += after.peer_s - before.peer_s;
    }
    StallEffect effect;
    effect.stage = stall_.stage;
    effect.stalled_steps = stalled_step_share(path_, stall_);
    effect.duration_s = stall_.duration_s.mean();
    effect.delay_s = delay(delays_s, longer_s);
    if (own_s + peer_s > 0.0) effect.own_share = std::clamp(own_s / (own_s + peer_s), 0.0, 1.0);
    return effect;
  }

 private:
  static StallPlan plan_of(const IngestPath& path, const RareStall& stall, std::uint64_t seed,
                           std::uint32_t replication) {
    const double usual_s =
        stall.stage == Stage::metadata ? path.metadata_latency_s.mean() : path.request_latency_s.mean();
    const double start = sim::uniform({seed, replication, kDrawStall, path.draw_base + 1}, 0);
    return {stall.stage, stall.duration_s, usual_s, least_warm_up_steps(path), steps_between(stall), start};
  }
  static RunSwitches switches(bool contention, const StallPlan* stalls) {
    RunSwitches switches;
    switches.contention = contention;
    switches.stalls = stalls;
    return switches;
  }

  /// What the durations of so many stalls are longer than their law says on average; each.
  double longer_than_mean_s(std::uint64_t first, std::uint64_t count) const {
    double sum_s = 0.0;
    for (std::uint64_t i = first; i < first + count; ++i) sum_s += plan_.duration_of_s(i);
    return sum_s / static_cast<double>(count) - stall_.duration_s.mean();
  }

  /// Of one stall. Where most of a stall delays the job, a longer one delays it by as much more: what chance made the
  /// placed ones longer is taken off.
  Measured delay(std::vector<double> delays_s, const std::vector<double>& longer_s) const {
    const double mean_s = sim::replication_interval(delays_s).mean;
    if (mean_s > 0.5 * stall_.duration_s.mean())
      for (std::size_t i = 0; i < delays_s.size(); ++i) delays_s[i] -= longer_s[i];
    const sim::ReplicationResult result = sim::replication_interval(delays_s);
    Measured delay{std::max(0.0, result.mean), std::nullopt};
    if (result.interval) delay.ci95 = Interval{std::max(0.0, result.interval->lo), std::max(0.0, result.interval->hi)};
    return delay;
  }

  const IngestPath& path_;
  const RareStall& stall_;
  const StallPlan plan_;
  ClusterRun without_;
  ClusterRun with_;
};

}  // namespace

double stalled_step_share(const IngestPath& path, const RareStall& stall) {
  const double operations = operations_per_batch(path, stall.stage) * path.loaders;
  return -sim::pexpm1(operations * sim::plog1p(-stall.per_operation));
}

RareStalls without_rare_stalls(const IngestPath& before) {
  RareStalls stalls{before, {}, {}};
  IngestPath& path = stalls.usual;
  if (const auto stall = stall_in(before, Stage::metadata, path.metadata_latency_s)) {
    const bool take = can_be_placed(before, *stall);
    (take ? stalls.taken : stalls.left).push_back(*stall);
    if (take) path.metadata_latency_s = sim::rare_part(path.metadata_latency_s)->usual;
  }
  if (const auto stall = stall_in(before, Stage::request, path.request_latency_s)) {
    const bool take = can_be_placed(before, *stall);
    (take ? stalls.taken : stalls.left).push_back(*stall);
    if (!take) return stalls;
    path.request_latency_s = sim::rare_part(path.request_latency_s)->usual;
    path.requests.per_worker_per_s = path.lanes / path.request_latency_s.mean();
  }
  return stalls;
}

StallEffect measure_stall(const IngestPath& path, const RareStall& stall, std::uint64_t seed, std::uint32_t replication,
                          bool contention, double target_s, const std::stop_token& abandon) {
  StallRuns runs(path, stall, seed, replication, contention, abandon);
  std::uint64_t placed = stalls_placed(path, stall);
  for (;;) {
    const StallEffect effect = runs.effect_of(placed);
    const double arm_s = effect.delay_s.ci95 ? effect.delay_s.ci95->high - effect.delay_s.mean : 0.0;
    const double next_loads = static_cast<double>(2 * placed * steps_between(stall)) * path.loaders;
    if (effect.stalled_steps * arm_s <= target_s || next_loads > kMostLoads) return effect;
    placed *= 2;
  }
}

}  // namespace headrace::models
