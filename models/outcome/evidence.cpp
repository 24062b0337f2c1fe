#include "models/outcome/evidence.hpp"

#include <algorithm>
#include <array>
#include <cmath>  // std::sqrt only
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/base/limits.hpp"
#include "models/hops/drawn_times.hpp"
#include "models/hops/resource_floors.hpp"
#include "models/outcome/measured_groups.hpp"
#include "models/outcome/workers_load.hpp"

namespace headrace::models {

namespace {

/// Ranges that a group of reference cases covers (tests/validation/closed_form_cases.json), and how far simulation was
/// from its idle share, in points (docs/validation.md).
struct ValidatedGroup {
  const char* name;
  double loaders_low, loaders_high;
  double workers_low, workers_high;
  double load_low, load_high;    ///< mean batch time over workers times step time
  double cv_high;                ///< of batch times, from 0: less variable is nearer to arithmetic
  double depth_low, depth_high;  ///< outstanding batches per worker
  bool any_order;                ///< delivery in any order as well
  double error_mean, error_largest;
  std::uint64_t cases;
};

constexpr std::array kGroups = {
    ValidatedGroup{"prefetch queue: one loader, exact and simulated", 1, 1, 1, 16, 0.7, 1.18, 2, 1, 17, true, 0.035,
                   0.17, 37},
    ValidatedGroup{"barrier: synchronized loaders, simulated", 2, 10000, 1, 8, 0.8, 0.9, 0.3, 1, 8, false, 0.025, 0.27,
                   46},
    ValidatedGroup{"contention: 1,000 loaders on leaves and a pool, simulated", 2, 1000, 4, 4, 0.5, 0.9, 0.3, 2, 2,
                   false, 0.040, 0.075, 3},
};

/// So little beyond the last reference case counts as at it: neighbouring cases lie further apart, and what they were
/// off by changes from one to the next by more than such a step could.
constexpr double kAtTheEdge = 1.02;

double factor_outside(double value, double low, double high) {
  if (value > high * kAtTheEdge) return value / high;
  return value * kAtTheEdge < low && value > 0.0 ? low / value : 1.0;
}

void add_above(std::string_view dimension, double value, double high, EvidenceReport& report) {
  if (value > high * kAtTheEdge)
    report.extrapolates.push_back({std::string(dimension), value, 0.0, high, value / high});
}

void add_below(const char* dimension, double value, double low, double high, EvidenceReport& report) {
  if (value * kAtTheEdge < low && value > 0.0)
    report.extrapolates.push_back({dimension, value, low, high, low / value});
}

constexpr double kMebibyte = 1048576.0;

void add_measurements(const IngestPath& path, EvidenceReport& report) {
  add_measured(kMeasuredLoader, path.workers, report);
  if (path.loaders > 1) add_measured(kMeasuredRanks, path.gpus, report);
  const double hits = path.hit_ratio + path.tiers.shares.page;
  if (hits > 0.0 && path.nodes == 1) add_measured(kMeasuredCacheSize, hits, report);
  if (path.tiers.linux_pages && path.tiers.shares.page > 0.0 && path.nodes == 1)
    add_measured(kMeasuredPageCache, path.tiers.shares.page, report);
  if (path.contending_workers > 0.0) add_measured(kMeasuredContention, path.contending_workers, report);
  if (path.scaling_workers > 0.0) add_measured(kMeasuredScaling, path.scaling_workers, report);
  if (path.landing_links > 0) add_measured(kMeasuredLanding, path.landing_links, report);
  if (path.host_load.is_slowed()) add_measured(kMeasuredHostLoad, path.host_load.slowdown, report);
  if (path.barrier.mean_s() > 0.0) add_measured(kMeasuredBarrier, path.gpus, report);
  const Loader& loader = path.stated_loader;
  if (loader.collate_bytes_per_s || !loader.transport.is_free() || path.receive_s > 0.0 || path.pin_s > 0.0)
    add_measured(kMeasuredBatchCost, path.batch_samples * path.memory_bytes_per_sample / kMebibyte, report);
}

void add_unvalidated(std::string_view part, const std::vector<Stage>& stages, EvidenceReport& report) {
  report.not_validated.emplace_back(part);
  report.not_validated_stages.insert(report.not_validated_stages.end(), stages.begin(), stages.end());
}

/// What the host does for a batch beyond its samples, and in which stages.
void add_unvalidated_host(const IngestPath& path, EvidenceReport& report) {
  const HostCosts& host = path.host;
  std::vector<Stage> stages;
  if (host.protocol_works || host.protocol_delays || path.fault_s_per_sample > 0.0) stages.push_back(Stage::protocol);
  if (host.decode_s_per_byte > 0.0 || host.remote.capacity_per_s || path.gpu_decode_s > 0.0)
    stages.push_back(Stage::decode);
  if (host.memory.capacity_per_s) stages.push_back(Stage::memory);
  if (!stages.empty()) add_unvalidated("costs of host and transport: closed forms only", stages, report);
}

/// What the path uses and no reference case holds.
void add_all_unvalidated(const IngestPath& path, EvidenceReport& report) {
  if (path.nodes > 1 && (path.hit_ratio > 0.0 || path.cache.capacity_per_s))
    add_unvalidated("caches of several nodes: hit ratios are validated, their effect on step time is not",
                    {Stage::cache}, report);
  if (path.limit_requests_per_s)
    add_unvalidated("request limit per prefix: compared with its token bucket only", {Stage::throttle}, report);
  if (path.tiers.shares.any())
    add_unvalidated("tiers of caches: hit ratios are compared with simulations of every item only",
                    {Stage::peer, Stage::shared_cache}, report);
  if (path.metadata.capacity_per_s)
    add_unvalidated(
        "metadata service: closed forms, which miss the published rates of several clients (headrace explain accuracy)",
        {Stage::metadata}, report);
  add_unvalidated_host(path, report);
  if (exceeds(or_no_limit(path.bulk_nic_bytes_per_s), path.nic_bytes_per_s))
    add_unvalidated(kGoodputNotValidated, {Stage::transfer}, report);
  if (path.samples_packed != 1.0 || path.packed_fill < 1.0)
    add_unvalidated("sequence packing: next fit in closed form only", {}, report);
  if (path.collective_s > 0.0) add_unvalidated("exchange of gradients: alpha-beta formulas only", {}, report);
}

/// A path in the dimensions of the groups.
struct Position {
  double loaders, workers, load, cv, depth;
};

double factor_outside(const Position& at, const ValidatedGroup& group) {
  return factor_outside(at.loaders, group.loaders_low, group.loaders_high) *
         factor_outside(at.workers, group.workers_low, group.workers_high) *
         factor_outside(at.load, group.load_low, group.load_high) * factor_outside(at.cv, 0.0, group.cv_high) *
         factor_outside(at.depth, group.depth_low, group.depth_high);
}

template <class T>
void add_missing(const std::vector<T>& more, std::vector<T>& list) {
  for (const T& item : more)
    if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
}

const ValidatedGroup& nearest_group(const Position& at) {
  const ValidatedGroup* nearest = nullptr;
  double least = 0.0;
  for (const ValidatedGroup& group : kGroups) {
    if ((group.loaders_high == 1) != (at.loaders == 1)) continue;  // a barrier is another matter than none
    const double away = factor_outside(at, group);
    if (nearest != nullptr && away >= least) continue;
    least = away;
    nearest = &group;
  }
  return *nearest;
}

}  // namespace

void add_measured(const MeasuredGroup& group, double value, EvidenceReport& report) {
  MeasuredPart part{group.part,   {group.metric, group.unit, group.error_mean, group.error_largest, group.points},
                    {},           {},
                    group.system, group.source,
                    group.date};
  const double factor = factor_outside(value, group.low, group.high);
  if (factor > 1.0) part.extrapolates.push_back({group.dimension, value, group.low, group.high, factor});
  report.measured.push_back(std::move(part));
}

void add_checkpoint_evidence(double ranks, bool loaded, EvidenceReport& report) {
  add_measured(kMeasuredSaves, ranks, report);
  if (loaded) add_measured(kMeasuredLoads, ranks, report);
}
void add_listing_evidence(double keys, EvidenceReport& report) { add_measured(kMeasuredListing, keys, report); }

void add_evidence(const EvidenceReport& job, EvidenceReport& cluster) {
  const auto far_out = [](const EvidenceReport& report) {
    double factor = 1.0;
    for (const ExtrapolatedDimension& dimension : report.extrapolates) factor *= dimension.factor;
    return factor;
  };
  if (cluster.nearest_case.empty() || far_out(job) > far_out(cluster)) {
    cluster.nearest_case = job.nearest_case;
    cluster.error = job.error;
    cluster.extrapolates = job.extrapolates;
  }
  for (const MeasuredPart& part : job.measured) {
    const auto known = std::find_if(cluster.measured.begin(), cluster.measured.end(),
                                    [&](const MeasuredPart& other) { return other.part == part.part; });
    if (known == cluster.measured.end()) cluster.measured.push_back(part);
  }
  add_missing(job.not_validated, cluster.not_validated);
  add_missing(job.not_validated_stages, cluster.not_validated_stages);
}

EvidenceReport evidence_for(const IngestPath& path) {
  const double mean_s = mean_batch_time_s(path);
  const double cv = mean_s > 0.0 ? std::sqrt(batch_time_variance(path)) / mean_s : 0.0;
  const bool bounded = cv <= std::numeric_limits<double>::max();
  const double workers = path.workers;
  const Position at{static_cast<double>(path.loaders), workers, mean_s / (workers * path.mean_step_floor_s()),
                    bounded ? cv : 0.0, path.outstanding / workers};
  const ValidatedGroup& nearest = nearest_group(at);
  EvidenceReport report;
  report.nearest_case = nearest.name;
  report.error =
      ErrorBand{"gpu_idle_fraction", "percentage points", nearest.error_mean, nearest.error_largest, nearest.cases};
  // On the side where queues are longer only: fewer loaders, less load and deeper prefetch lose less to chance.
  add_above("loaders", at.loaders, nearest.loaders_high, report);
  add_above("workers", at.workers, nearest.workers_high, report);
  add_above(kWorkersLoad, at.load, nearest.load_high, report);
  add_above("variability of batch times (CV)", at.cv, nearest.cv_high, report);
  add_below("outstanding batches per worker", at.depth, nearest.depth_low, nearest.depth_high, report);
  add_measurements(path, report);
  if (!bounded) report.not_validated.emplace_back("batch times of unbounded variance: no case covers them");
  if (path.order != DeliveryOrder::in_order && !nearest.any_order)
    report.not_validated.emplace_back("delivery in any order with a barrier: compared with cases of one loader only");
  add_all_unvalidated(path, report);
  return report;
}

bool is_not_validated(const EvidenceReport& report, std::string_view part) {
  return std::find(report.not_validated.begin(), report.not_validated.end(), part) != report.not_validated.end();
}

}  // namespace headrace::models
