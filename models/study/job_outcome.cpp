#include "models/study/job_outcome.hpp"

#include <fmt/format.h>
#include <algorithm>

#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "models/cluster/cluster_run.hpp"
#include "models/interruptions/interruptions.hpp"
#include "models/outcome/bottleneck.hpp"
#include "models/outcome/lockstep.hpp"
#include "models/outcome/merged_batches.hpp"
#include "models/outcome/tier_metrics.hpp"
#include "models/study/job_study.hpp"
#include "models/study/looks.hpp"
#include "models/study/other_starts.hpp"
#include "models/study/relief.hpp"
#include "models/study/study.hpp"

namespace headrace::models {

namespace {

void add_blame(const JobStudy& job, const JobMeans& means, Outcome& outcome) {
  for (std::size_t s = 0; s < kStageCount; ++s) {
    WeightedSum sum;
    double queueing = 0.0;
    for (std::size_t i = 0; i < means.windows.size(); ++i) {
      const WindowMeans& window = means.windows[i];
      const double weight = means.weights[i] * window.step_time_s.mean / means.epoch.step_time_s.mean;
      sum.add(weight, window.blame[s]);
      queueing += weight * window.blame[s].mean * window.queueing_share[s];
    }
    const Measured value = sum.value();
    const bool present = std::any_of(job.studies.begin(), job.studies.end(),
                                     [&](const auto& study) { return study->visits(static_cast<Stage>(s)); });
    if (present || value.mean > 0.0) outcome.blame.push_back({static_cast<Stage>(s), value.mean, value.ci95, queueing});
  }
}

/// Nobody gains more than is lost: relief is measured on a part of the steps, where waits may be longer than in all.
/// What slows the host part of a step is lost too.
void keep_within_waits(Outcome& outcome) {
  const Metric* idle = outcome.find("gpu_idle_fraction");
  const Metric* step = outcome.find("step_time_s");
  if (idle == nullptr || step == nullptr) return;
  const Metric* host = outcome.find("host_wait_s");
  const double lost = idle->mean + (host == nullptr ? 0.0 : host->mean / step->mean);
  for (StageShare& share : outcome.relief) {
    share.mean = std::min(share.mean, lost);
    if (share.ci95)
      share.ci95 = Interval{std::min(share.ci95->low, share.mean), std::max(share.ci95->high, share.mean)};
  }
}

void add_relief(std::vector<StageShare> relief, Outcome& outcome) {
  outcome.relief = std::move(relief);
  for (const StallReport& stall : outcome.rare_stalls) {  // they would go with their stage
    const auto found = std::find_if(outcome.relief.begin(), outcome.relief.end(),
                                    [&](const StageShare& share) { return share.stage == stall.stage; });
    if (found == outcome.relief.end()) continue;
    const double arm =
        stall.delay_ci95 && stall.delay_s > 0.0 ? stall.share * (stall.delay_ci95->high / stall.delay_s - 1.0) : 0.0;
    found->mean += stall.share;
    if (!found->ci95) continue;
    found->ci95 = Interval{found->ci95->low + stall.share - arm, found->ci95->high + stall.share + arm};
  }
  keep_within_waits(outcome);
  if (!outcome.relief.empty())
    if (const auto binding = binding_stage(outcome.relief, outcome.blame)) outcome.binding = binding;
}

/// What a window of the epoch says of the load times of its batches.
struct WindowLoads {
  sim::Histogram time_ns;
  std::array<double, kStageCount> service_s{};
  std::array<double, kStageCount> queueing_s{};
  double throttled = 0.0;
  double elapsed_s = 0.0;

  explicit WindowLoads(const WindowStudy& study) {
    for (std::uint32_t r = 0; r < study.replications(); ++r) {
      const LoadTotals& totals = study.run(r).totals();
      time_ns.merge(totals.load_time_ns);
      for (std::size_t s = 0; s < kStageCount; ++s) {
        service_s[s] += totals.service_s[s];
        queueing_s[s] += totals.queueing_s[s];
      }
      throttled += static_cast<double>(totals.throttled_requests) *
                   (static_cast<double>(study.ranks()) / static_cast<double>(study.loaders()));
      const StepLog& log = study.log(r);
      const std::size_t from = std::min<std::size_t>(totals.from_step, log.steps() - 1);
      elapsed_s += sim::seconds(log.records.back().start_ns - log.records[from].start_ns);
    }
  }
  double batches() const { return static_cast<double>(time_ns.count()); }
};

/// Of a whole epoch: every window counts by its share of the steps, however many batches of it were simulated.
sim::Histogram merged(const std::vector<WindowLoads>& windows, const std::vector<double>& weights) {
  constexpr double kParts = 256.0;  // of the lightest batch
  double lightest = HUGE_VAL;
  double heaviest = 0.0;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    lightest = std::min(lightest, weights[i] / windows[i].batches());
    heaviest = std::max(heaviest, weights[i] / windows[i].batches());
  }
  sim::Histogram all;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const double weight = weights[i] / windows[i].batches() / lightest;
    all.merge(windows[i].time_ns, heaviest == lightest ? 1 : std::llround(weight * kParts));
  }
  return all;
}

/// What each window was like, for those whose batches were counted.
std::vector<SimulatedWindow> simulated_windows(const JobStudy& job, const JobMeans& means) {
  std::vector<SimulatedWindow> windows;
  for (std::size_t i = 0; i < job.studies.size(); ++i) {
    const sim::Histogram time_ns = WindowLoads(*job.studies[i]).time_ns;
    if (time_ns.count() == 0) continue;
    const double step_s = means.windows[i].step_time_s.mean;
    windows.push_back({job.windows[i], means.weights[i] * step_s / means.epoch.step_time_s.mean, step_s,
                       sim::seconds(time_ns.quantile_ns(0.5)), sim::seconds(time_ns.quantile_ns(0.999))});
  }
  return windows;
}

void add_load_times(const JobStudy& job, const JobMeans& means, Outcome& outcome) {
  std::vector<WindowLoads> windows;
  std::vector<double> weights;
  for (std::size_t i = 0; i < job.studies.size(); ++i) {
    WindowLoads loads(*job.studies[i]);
    if (loads.time_ns.count() == 0 || !(means.weights[i] > 0.0)) continue;
    windows.push_back(std::move(loads));
    weights.push_back(means.weights[i]);
  }
  if (windows.empty()) return;
  const sim::Histogram load_time_ns = merged(windows, weights);
  const auto quantile_s = [&](double p) { return sim::seconds(load_time_ns.quantile_ns(p)); };
  outcome.batch_load_time = LoadTimeQuantiles{quantile_s(0.5), quantile_s(0.9), quantile_s(0.99), quantile_s(0.999)};
  // Means of a batch.
  std::array<double, kStageCount> time_s{};
  std::array<double, kStageCount> queueing_s{};
  double all_s = 0.0;
  double throttled = 0.0;
  double elapsed_s = 0.0;
  const double all_weights = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const double weight = weights[i] / all_weights / windows[i].batches();
    for (std::size_t s = 0; s < kStageCount; ++s) {
      queueing_s[s] += weight * windows[i].queueing_s[s];
      time_s[s] += weight * (windows[i].queueing_s[s] + windows[i].service_s[s]);
    }
    throttled += weight * windows[i].throttled;
    elapsed_s += weight * windows[i].elapsed_s;
  }
  for (const double stage_s : time_s) all_s += stage_s;
  const auto add = [&](const char* name, double mean) {
    outcome.metrics.push_back({name, mean, {}, {}, AnswerKind::simulated});
  };
  add("batch_load_time_s", all_s);
  add("metadata_time_share", all_s > 0.0 ? time_s[index(Stage::metadata)] / all_s : 0.0);
  // A stage's queue stands before the busiest of its resources.
  std::array<StationReport*, kStageCount> busiest{};
  for (StationReport& station : outcome.stations) {
    StationReport*& first = busiest[index(station.stage)];
    if (first == nullptr || station.utilization > first->utilization) first = &station;
  }
  for (std::size_t s = 0; s < kStageCount; ++s)
    if (busiest[s] != nullptr) busiest[s]->queue_time_mean_s = queueing_s[s];
  add("throttled_requests_per_s", elapsed_s > 0.0 ? throttled / elapsed_s : 0.0);
}

/// Means over the epoch of what each law of stalls does.
void add_stalls(const JobStudy& job, const JobMeans& means, Outcome& outcome) {
  for (std::size_t s = 0; s < job.left_out.size(); ++s) {
    StallReport report;
    report.stage = job.left_out[s].stage;
    report.per_operation = job.left_out[s].per_operation;
    report.duration_s = job.left_out[s].duration_s.mean();
    WeightedSum delay;
    for (std::size_t i = 0; i < job.studies.size(); ++i) {
      const StallEffect& effect = job.studies[i]->stalls()[s];
      report.stalled_steps += means.weights[i] * effect.stalled_steps;
      report.share += means.weights[i] * effect.stalled_steps * effect.delay_s.mean / means.epoch.step_time_s.mean;
      delay.add(means.weights[i], effect.delay_s);
    }
    report.delay_s = delay.value().mean;
    report.delay_ci95 = delay.value().ci95;
    outcome.rare_stalls.push_back(report);
  }
}

/// Without the precision asked for, an idle share on both sides of the threshold decides nothing.
void withhold_verdict(const Measured& idle, Outcome& outcome) {
  if (outcome.precision->met) return;
  if (outcome.stopped_by == "max_steps" && outcome.precision->reached)
    outcome.warnings.push_back("the longest run did not reach the requested precision; see the intervals");
  const bool undecided = idle.ci95 && idle.ci95->low < kFedIdleFraction && idle.ci95->high > kFedIdleFraction;
  if (!undecided || outcome.verdict == Verdict::infeasible || outcome.verdict == Verdict::inconclusive) return;
  outcome.verdict = Verdict::inconclusive;
  outcome.warnings.push_back(
      {"the interval of the idle share contains 1 %, the limit between fed and ingest-bound",
       outcome.stopped_by == "other_starts" ? "runs with other starts lie on both sides"
                                            : "the run is too short to decide",
       outcome.stopped_by == "other_starts" ? "" : "run longer: --steps, --max-wall, --precision"});
}

void add_replications(const JobStudy& job, bool keep_series, Outcome& outcome) {
  const auto add = [&](const WindowStudy& study, std::optional<std::uint32_t> window) {
    for (std::uint32_t r = 0; r < study.replications(); ++r) {
      ReplicationReport& report = outcome.replications.emplace_back(study.report(r));
      report.window = window;
      if (keep_series) report.series = step_series(study.log(r), study.loaders());
    }
  };
  for (std::size_t i = 0; i < job.studies.size(); ++i) add(*job.studies[i], static_cast<std::uint32_t>(i));
  if (job.cold) add(*job.cold, std::nullopt);
}

/// The windows, and what they lack. Returns whether all have enough data.
bool add_windows(const StudyContext& study, const JobStudy& job, const JobMeans& of_job, Outcome& outcome) {
  bool enough = true;
  for (std::size_t i = 0; i < job.studies.size(); ++i) {
    const WindowMeans& means = of_job.windows[i];
    enough = enough && means.enough_data;
    outcome.windows.push_back({job.windows[i].position, of_job.weights[i], job.windows[i].hit_ratio,
                               means.step_time_s.mean, means.warm_up_steps, means.measured_steps,
                               std::string(study.options.control ? means.control : "switched off"),
                               means.variance_cut});
    outcome.steps = std::max(outcome.steps, job.studies[i]->most_steps());
    if (!means.enough_data)
      outcome.warnings.push_back("not enough data for an interval: " + std::string(means.reason) +
                                 "; run longer (--steps, --max-wall) or reduce the noise");
  }
  for (std::size_t i = 0; i < job.studies.size(); ++i) {
    if (job.meets_enough_stalls(i, of_job.windows[i].measured_steps)) continue;
    outcome.warnings.push_back({"the run is too short for its rare stalls: it can expect fewer than fifty",
                                "a latency has a rare, much longer part that is too frequent to be measured separately",
                                "run longer: --steps, --replications"});
    return false;
  }
  return enough;
}

std::string stopped_by(const StudyContext& study, const std::vector<WindowMeans>& windows) {
  const StudyOptions& options = study.options;
  if (options.stop.stop_requested()) return "interrupted";
  if (study.cut_short) return "max_wall";
  if (options.steps > 0) return "steps";
  const bool precise = std::all_of(windows.begin(), windows.end(), [&](const WindowMeans& means) {
    return precision_of(options.precision, means.step_time_s, means.idle_fraction, means.enough_data).met;
  });
  if (precise) return "precision";
  const bool differ =
      std::any_of(windows.begin(), windows.end(), [](const WindowMeans& means) { return means.differ_by_start; });
  return differ ? "other_starts" : "max_steps";
}

/// What runs with other starts wait for.
void warn_of_starts(const std::vector<WindowMeans>& windows, Outcome& outcome) {
  if (std::none_of(windows.begin(), windows.end(), [](const WindowMeans& means) { return means.differ_by_start; }))
    return;
  std::map<std::uint32_t, std::pair<double, double>> waits;  // of each start: time waited, and all time
  for (const ReplicationReport& report : outcome.replications) {
    if (!report.window) continue;
    const WindowReport& window = outcome.windows[*report.window];
    waits[report.replication].first += window.weight * report.step_time_s * report.gpu_idle_fraction;
    waits[report.replication].second += window.weight * report.step_time_s;
  }
  double least = 1.0;
  double most = 0.0;
  for (const auto& [replication, times] : waits) {
    least = std::min(least, times.first / times.second);
    most = std::max(most, times.first / times.second);
  }
  outcome.warnings.push_back(
      {fmt::format("GPUs wait {:.1f} % to {:.1f} % of the time in {} runs, depending on how they start", 100.0 * least,
                   100.0 * most, waits.size()),
       "batches are nearly alike, so that ranks keep the order in which they began for longer than a run",
       waits.size() > kOtherStarts ? "plan for the larger share; more workers or a faster busiest resource take the "
                                     "difference away"
                                   : "plan for the larger share; more workers or a faster busiest resource take the "
                                     "difference away, simulate with --replications 16 shows more starts"});
}

}  // namespace

Outcome job_outcome(const StudyContext& study, const JobStudy& job, const JobMeans& means,
                    std::vector<StageShare> relief) {
  const StudyOptions& options = study.options;
  const EpochMeans& epoch = means.epoch;
  Outcome outcome;
  outcome.seed = options.seed;
  const bool enough = add_windows(study, job, means, outcome);
  add_replications(job, options.keep_series, outcome);
  outcome.stopped_by = stopped_by(study, means.windows);
  outcome.precision = precision_of(options.precision, epoch.step_time_s, epoch.idle_fraction, enough);
  const Scenario alone = job_alone(study.scenario, job.job);
  std::vector<EpochWindow> windows = job.windows;
  for (std::size_t i = 0; i < windows.size(); ++i) windows[i].weight = means.weights[i];
  assemble(alone, windows, epoch, enough || options.verdict_by_means, outcome);
  warn_of_starts(means.windows, outcome);
  if (!options.verdict_by_means) withhold_verdict(epoch.idle_fraction, outcome);
  add_load_times(job, means, outcome);
  const IngestPath path = resolve_path(alone, 0, study.granularity);
  if (study.choice && study.choice->piloted) {
    const bool asked = options.granularity.has_value();
    if (auto warning = granularity_warning(*study.choice, asked)) outcome.warnings.push_back(std::move(*warning));
  } else {
    warn_of_merged_batches(path, outcome);
  }
  if (!is_shared(study.scenario)) warn_of_lockstep(study.scenario, job.job, simulated_windows(job, means), outcome);
  add_stalls(job, means, outcome);
  add_blame(job, means, outcome);
  if (study.cut_short && options.relief && epoch.idle_fraction.mean >= kLeastIdleToRelieve)
    outcome.warnings.push_back("relief was not measured: the run ended early; --steps " +
                               std::to_string(outcome.steps) + " repeats it with relief");
  add_relief(std::move(relief), outcome);
  add_interruptions(alone, outcome);
  return outcome;
}

}  // namespace headrace::models
