// What a question about a scenario is answered with, whichever of the three levels answered it. Reports show it,
// nothing in it depends on clock, host or thread count.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/describe/declarations.hpp"
#include "models/describe/unit.hpp"
#include "models/engine/step_series.hpp"
#include "models/hops/resource.hpp"
#include "models/hops/stage.hpp"
#include "models/outcome/sizing_sheet.hpp"

namespace headrace::models {

enum class Verdict : std::uint8_t { fed, ingest_bound, checkpoint_bound, collective_bound, inconclusive, infeasible };
inline constexpr std::array<std::string_view, 6> kVerdictNames = {
    "fed", "ingest_bound", "checkpoint_bound", "collective_bound", "inconclusive", "infeasible"};

/// The level that gave a number: a bound holds always, an estimate has a stated error, a simulated value an interval.
enum class AnswerKind : std::uint8_t { bound, estimate, simulated };
inline constexpr std::array<std::string_view, 3> kAnswerKindNames = {"bound", "estimate", "simulated"};
inline std::string_view name(AnswerKind kind) { return kAnswerKindNames[static_cast<std::size_t>(kind)]; }

struct Interval {
  double low = 0.0;
  double high = 0.0;
};

struct Metric {
  std::string name;  ///< name and unit as described in outcome_metrics.hpp
  double mean = 0.0;
  std::optional<Interval> ci95;         ///< simulation noise; null unless simulated
  std::optional<Interval> input_range;  ///< p10 to p90 over the plausible ranges of assumed inputs
  AnswerKind kind = AnswerKind::simulated;
};

/// Nothing where no metric has that name.
inline const Metric* find_in(const std::vector<Metric>& metrics, std::string_view name) {
  for (const Metric& metric : metrics)
    if (metric.name == name) return &metric;
  return nullptr;
}

/// 0 where no metric has that name.
inline double mean_in(const std::vector<Metric>& metrics, std::string_view name) {
  const Metric* metric = find_in(metrics, name);
  return metric == nullptr ? 0.0 : metric->mean;
}

/// A share of elapsed GPU time that a stage causes (blame) or that would be won if it were infinitely fast (relief).
struct StageShare {
  Stage stage = Stage::cache;
  double mean = 0.0;
  std::optional<Interval> ci95;
  double queueing = 0.0;  ///< part of the mean spent queueing; the rest is service (blame only)
};

struct GpuStateShare {
  GpuState state = GpuState::compute;
  double share = 0.0;
};

/// A resource on the path, whether it is simulated as a station or known by its flow.
struct StationReport {
  Resource resource = Resource::workers;
  std::string owner;  ///< store, pool or job that it belongs to, where several jobs run
  std::string name;
  double utilization = 0.0;        ///< demand over capacity in the measured window
  double capacity = 0.0;           ///< in `unit`
  double throughput = 0.0;         ///< in `unit`
  std::string unit;                ///< "B/s", "requests/s", "cores"
  double queue_time_mean_s = 0.0;  ///< per batch, where the stage queues at this resource
  double floor_step_time_s = 0.0;  ///< step time if this resource alone were the limit
  Stage stage = Stage::transfer;   ///< in which batches use it

  /// Sets what it carries, at most what it can: the rest of a short run's demand was fetched before the run.
  void carry(double demand_per_s) {
    throughput = std::min(demand_per_s, capacity);
    utilization = throughput / capacity;
  }
};

struct LoadTimeQuantiles {
  double p50_s = 0.0;
  double p90_s = 0.0;
  double p99_s = 0.0;
  double p999_s = 0.0;
};

struct LedgerLine {
  std::string item;       ///< "gpu hours", "storage share", "requests", "egress", ...
  double quantity = 0.0;  ///< per epoch, in `unit`
  std::string unit;
  double usd = 0.0;
  bool by_time = false;  ///< grows with the time that the epoch takes: a trait of the item (ledger_item.hpp)
};

struct WindowReport {
  double position = 0.0;  ///< middle of the window in the epoch, 0 to 1
  double weight = 0.0;    ///< share of the epoch's steps
  double hit_ratio = 0.0;
  double step_time_s = 0.0;
  std::uint64_t warm_up_steps = 0;
  std::uint64_t measured_steps = 0;
  std::string control = "not needed";  ///< control variate: "applied", or why not
  double variance_cut = 1.0;           ///< of the mean step time by it: before over after
};

/// How narrow the intervals were to be, and how narrow they are: longer arms. Nothing where there is no interval.
struct PrecisionReport {
  double asked = 0.0;                  ///< of the step time, relative
  std::optional<double> reached;       ///< of the step time, relative
  double idle_asked = 0.0;             ///< of gpu_idle_fraction, absolute
  std::optional<double> idle_reached;  ///< of gpu_idle_fraction, absolute
  bool met = false;                    ///< both, on enough data
  bool enough_data = false;            ///< for the intervals to be trusted; not part of a document
};

/// One replication of one window, on its own: what --replay SEED:REPLICATION --steps N repeats to the last bit.
struct ReplicationReport {
  std::optional<std::uint32_t> window;  ///< index among the windows; null: the first epoch, with cold caches
  std::uint32_t replication = 0;
  std::uint64_t steps = 0;
  std::uint64_t warm_up_steps = 0;  ///< of these
  double elapsed_s = 0.0;           ///< simulated, up to the end of the last step
  double step_time_s = 0.0;         ///< means after the warm-up
  double gpu_utilization = 0.0;
  double gpu_idle_fraction = 0.0;
  std::string job = {};    ///< empty for a lone job
  StepSeries series = {};  ///< empty unless the study was asked to keep it; not part of a document
};

/// Stalls that are too rare to wait for: measured by placing them, and part of every mean.
struct StallReport {
  Stage stage = Stage::metadata;
  double per_operation = 0.0;  ///< probability that an operation stalls
  double duration_s = 0.0;     ///< mean of a stalled operation
  double stalled_steps = 0.0;  ///< share of the steps that meet a stall
  double delay_s = 0.0;        ///< of the job, per such step
  std::optional<Interval> delay_ci95;
  double share = 0.0;  ///< of elapsed time
};

struct JobReport {
  std::string name;
  std::vector<Metric> metrics;          ///< means over its copies
  std::vector<LedgerLine> ledger = {};  ///< one epoch of one copy

  // Of a job beside others; of a lone job the outcome itself says it.
  std::uint64_t copies = 1;
  std::uint64_t nodes = 0;  ///< of all copies
  std::uint64_t gpus = 0;   ///< of all copies
  Verdict verdict = Verdict::inconclusive;
  std::optional<Stage> binding = {};
  std::optional<LoadTimeQuantiles> batch_load_time = {};
  std::vector<GpuStateShare> gpu_states = {};
  std::vector<StageShare> blame = {};
  std::vector<StageShare> relief = {};
  std::vector<WindowReport> windows = {};

  bool is_beside_others() const { return gpus > 0; }
};

/// A background load: what it asked for and what it got.
struct LoadReport {
  std::string name;
  double asked_bytes_per_s = 0.0;
  std::optional<double> served_bytes_per_s;  ///< nothing unless simulated
};

/// A dimension in which the scenario lies outside what was validated.
struct ExtrapolatedDimension {
  std::string dimension;
  double value = 0.0;
  double low = 0.0;     ///< of the validated range
  double high = 0.0;    ///< of the validated range
  double factor = 1.0;  ///< beyond the nearer end of the range, > 1
};

/// How far the model was from the reference over all cases of a group.
struct ErrorBand {
  std::string metric;
  std::string unit;
  double mean = 0.0;  ///< of the absolute errors
  double largest = 0.0;
  std::uint64_t cases = 0;
};

/// Published measurements that a part of the model in use was held against.
struct MeasuredPart {
  std::string part;  ///< "contention of cores (V7)"
  ErrorBand error;   ///< `cases` are measured points
  std::vector<ExtrapolatedDimension> extrapolates;
  std::string machine = {};  ///< layer of the machine on which a real pipeline was compared; empty: published data
  std::string system = {};   ///< what was measured: "ImageNet on a virtual machine with 8 CPUs (PRESTO)"
  std::string source = {};   ///< publication, or program and version
  std::string date = {};     ///< of the publication or of the run
};

struct EvidenceReport {
  std::string nearest_case;
  std::optional<ErrorBand> error;  ///< of that group of cases
  std::vector<ExtrapolatedDimension> extrapolates;
  std::vector<MeasuredPart> measured;
  std::vector<std::string> not_validated;   ///< parts of the model in use that no reference case or measurement covers
  std::vector<Stage> not_validated_stages;  ///< stages that those parts describe
  std::string assumed;                      ///< the assumed figure that limits the answer; filled in by reports/
};

enum class ConfidenceGrade : std::uint8_t { measured_here, near_measurements, extrapolated, assumed };
inline constexpr std::array<std::string_view, 4> kConfidenceGradeNames = {"measured_here", "near_measurements",
                                                                          "extrapolated", "assumed"};

/// How far an answer can be trusted.
struct Confidence {
  ConfidenceGrade grade = ConfidenceGrade::near_measurements;
  std::string reason;               ///< one or two sentences
  bool may_change_verdict = false;  ///< what the evidence leaves open is enough to turn the verdict
};

/// What an estimate promises about its step time.
struct EstimateReport {
  std::optional<double> certified_error;  ///< relative; none: good for ranking only
};

/// Share of a metric's variance over the input ranges that one input alone causes.
struct InputEffect {
  std::string parameter;  ///< JSON pointer
  double share = 0.0;
};

struct MetricDrivers {
  std::string metric;
  std::vector<InputEffect> effects;  ///< largest first
};

/// What a metric is with one input at an end of its range and all others as the scenario states them.
struct InputBar {
  std::string parameter;  ///< JSON pointer
  double at_low = 0.0;    ///< of the input's range
  double at_high = 0.0;
};

struct MetricTornado {
  std::string metric;
  double middle = 0.0;         ///< with every input as the scenario states it, answered in the same way
  std::vector<InputBar> bars;  ///< widest first
};

/// A figure that was drawn.
struct DrawnInput {
  std::string parameter;
  Unit unit = Unit::one;
  double value = 0.0;  ///< in the scenario; the mean of a law
  double low = 0.0;
  double high = 0.0;
  Evidence evidence = Evidence::assumed;
  bool stated = false;  ///< the scenario states the range
};

/// What the uncertainty of the inputs leaves open, beside simulation noise.
struct InputReport {
  std::uint64_t points = 0;        ///< answered at the outcome's own level
  std::uint64_t bound_points = 0;  ///< answered by the flow bound, to sharpen the others; 0: none
  std::uint64_t steps = 0;         ///< simulated per point; 0: not simulated
  std::vector<DrawnInput> inputs;
  std::vector<MetricDrivers> drivers;
  std::vector<MetricTornado> tornado;                   ///< of step time, waits, epoch and cost
  std::vector<std::string> measure_next;                ///< what moves the answer most, at most three
  std::array<double, kVerdictNames.size()> verdicts{};  ///< share of the points with each verdict
};

/// A fault that slows the job down: how much of the time it is there, and how fast the job is meanwhile.
struct SlowedState {
  double time_share = 0.0;
  double speed = 0.0;  ///< over that without any fault
};

/// Something that the reader should know: what was seen, why, and what to do about it. The last two may be empty.
struct Warning {
  Warning(std::string seen_text = {}, std::string cause_text = {}, std::string fix_text = {})
      : seen(std::move(seen_text)), cause(std::move(cause_text)), fix(std::move(fix_text)) {}
  Warning(const char* seen_text) : seen(seen_text) {}

  std::string seen;
  std::string cause;
  std::string fix;
};

/// What to change first where GPUs wait for data, and what that gains.
struct RemedyReport {
  std::string change;                ///< an imperative: "double the workers of each loader"
  std::string parameter;             ///< what it changes, as `headrace explain` finds it
  std::string options;               ///< of the command line: "--set /jobs/0/loader/workers=16"; empty: other machines
  double gain = 0.0;                 ///< share of GPU time that the same work takes less
  std::optional<double> lost_after;  ///< share of GPU time lost then; nothing: now's without the gain
  AnswerKind kind = AnswerKind::estimate;  ///< simulated: by short simulations, where the estimate is off
  std::optional<double> cost_usd;          ///< of an epoch, more than now; nothing: no prices are stated
  ConfidenceGrade grade = ConfidenceGrade::near_measurements;  ///< of an estimate of the changed configuration
};

struct Outcome {
  // Defined out of line, or every source that copies an outcome would compile the copies of all its parts.
  Outcome();
  Outcome(const Outcome& other);
  Outcome(Outcome&& other) noexcept;
  Outcome& operator=(const Outcome& other);
  Outcome& operator=(Outcome&& other) noexcept;
  ~Outcome();

  std::string scenario_sha256;  ///< filled in by scenarios/
  std::uint64_t seed = 0;
  Verdict verdict = Verdict::inconclusive;
  std::string scope;                         ///< what it is of, where the scenario's campaign has more; empty: all
  std::optional<Stage> binding;              ///< the stage with the largest relief
  std::string stopped_by;                    ///< "precision", "max_steps", "other_starts", "max_wall", "closed_form"
  std::uint64_t steps = 0;                   ///< simulated steps of the longest window: --steps that repeats the run
  std::uint32_t sampled_nodes = 0;           ///< that stand for all; 0: all were simulated, or none
  std::optional<PrecisionReport> precision;  ///< nothing unless simulated
  std::vector<Metric> metrics;
  std::optional<LoadTimeQuantiles> batch_load_time;
  std::vector<GpuStateShare> gpu_states;
  std::vector<StageShare> blame;
  std::vector<StageShare> relief;
  std::vector<StationReport> stations;
  std::vector<WindowReport> windows;
  std::vector<StallReport> rare_stalls;
  std::vector<ReplicationReport> replications;
  std::vector<LedgerLine> ledger;
  std::vector<JobReport> jobs;
  std::vector<LoadReport> background;
  std::vector<SlowedState> slowed;  ///< in the order of faults/degraded
  EvidenceReport evidence;
  std::optional<EstimateReport> estimate;   ///< at the level of estimates
  std::optional<InputReport> inputs;        ///< with --inputs ranges
  std::optional<SizingSheet> sizing;        ///< with the verb bound
  std::vector<RemedyReport> more_remedies;  ///< what helps instead of the first one, the largest gain first
  std::optional<RemedyReport> remedy;       ///< filled in by reports/, where GPUs wait for data
  std::vector<Warning> warnings;

  const Metric* find(std::string_view metric_name) const { return find_in(metrics, metric_name); }
  /// A lone job has the metrics and the ledger of the outcome; to be called where those have changed.
  void restate_lone_job();
};

/// Seed of the simulation that the outcome comes from; nothing where it is a closed form, or was cut short.
inline std::optional<std::uint64_t> simulated_seed(const Outcome& outcome) {
  const bool cut_short = outcome.stopped_by == "max_wall" || outcome.stopped_by == "interrupted";
  return outcome.precision && !cut_short ? std::optional(outcome.seed) : std::nullopt;
}

}  // namespace headrace::models
