#include "models/study/paired_difference.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "models/interruptions/fault_course.hpp"
#include "models/outcome/job_weights.hpp"
#include "models/outcome/outcome_metrics.hpp"
#include "models/study/paired_series.hpp"
#include "sim/batch_means.hpp"
#include "sim/replication_interval.hpp"
#include "sim/student_t.hpp"
#include "sim/warm_up.hpp"

namespace headrace::models {

namespace {

using Law = StepLaw;

PerStep means_of(const ReplicationReport& run) {
  return {run.step_time_s, run.step_time_s * run.gpu_idle_fraction, run.step_time_s * run.gpu_utilization};
}

/// One job of an outcome, or the lone one.
struct JobPart {
  const std::vector<Metric>* metrics = nullptr;
  const std::vector<LedgerLine>* ledger = nullptr;
  const std::vector<WindowReport>* windows = nullptr;
  std::vector<const ReplicationReport*> runs;  ///< of its epoch: all replications of a window of a copy, one by one
  std::vector<const ReplicationReport*> cold_runs;  ///< of its first epoch
  double copies = 1.0;
  double gpus = 1.0;
  bool asked_alone = false;    ///< the question is about this job, not about the cluster
  double stall_s = 0.0;        ///< that rare stalls add to a step, measured apart
  double stall_error_s = 0.0;  ///< half-width of it

  const Metric* find(std::string_view name) const { return find_in(*metrics, name); }
};

void add_runs(const Outcome& outcome, const std::string& job, JobPart& part) {
  for (const ReplicationReport& run : outcome.replications)
    if (run.job == job) (run.window ? part.runs : part.cold_runs).push_back(&run);
}

std::vector<JobPart> parts_of(const Outcome& outcome) {
  std::vector<JobPart> parts;
  for (const JobReport& job : outcome.jobs) {
    const bool alone = !job.is_beside_others();
    JobPart part;
    part.metrics = alone ? &outcome.metrics : &job.metrics;
    part.ledger = alone ? &outcome.ledger : &job.ledger;
    part.windows = alone ? &outcome.windows : &job.windows;
    part.copies = static_cast<double>(job.copies);
    if (!alone) part.gpus = static_cast<double>(job.gpus);
    add_runs(outcome, alone ? std::string() : job.name, part);
    for (const StallReport& stall : outcome.rare_stalls) {
      part.stall_s += stall.stalled_steps * stall.delay_s;
      if (stall.delay_ci95) part.stall_error_s += stall.stalled_steps * (stall.delay_ci95->high - stall.delay_s);
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

/// Share of the epoch's steps that a run speaks for, among the runs of its part.
double weight_of(const ReplicationReport& run, const JobPart& part, double replications) {
  const double share = run.window ? (*part.windows)[*run.window].weight : 1.0;
  return share / (replications * part.copies);
}

const std::vector<const ReplicationReport*>& runs_of(const JobPart& part, Law law) {
  return law == Law::first_time && !part.cold_runs.empty() ? part.cold_runs : part.runs;
}

std::uint32_t replications_of(const JobPart& part) {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  bool any = false;
  for (const ReplicationReport* run : part.runs) {
    first = any ? std::min(first, run->replication) : run->replication;
    last = any ? std::max(last, run->replication) : run->replication;
    any = true;
  }
  return any ? last - first + 1 : 0;
}

PerStep mean_per_step(const JobPart& part, const std::vector<const ReplicationReport*>& runs, double replications) {
  PerStep mean;
  for (const ReplicationReport* run : runs) mean.add(weight_of(*run, part, replications), means_of(*run));
  mean.duration += part.stall_s;
  mean.wait += part.stall_s;
  return mean;
}

/// What the metric of value `value` gains per second of duration, wait and compute of a step.
PerStep gradient(Law law, double value, const PerStep& mean, const JobPart& part) {
  double by_time_usd = 0.0;
  double all_usd = 0.0;
  for (const LedgerLine& line : *part.ledger) {
    all_usd += line.usd;
    if (line.by_time) by_time_usd += line.usd;
  }
  const double per_step = value / mean.duration;
  const double per_wait = mean.wait > 0.0 ? value / mean.wait : 0.0;
  const double per_compute = mean.compute > 0.0 ? value / mean.compute : 0.0;
  switch (law) {
    case Law::time:
    case Law::first_time:
      return {per_step, 0.0, 0.0};
    case Law::rate:
      return {-per_step, 0.0, 0.0};
    case Law::idle:
      return {-per_step, per_wait, 0.0};
    case Law::wait_cost:
      return {0.0, per_wait, 0.0};
    case Law::busy:
      return {-per_step, 0.0, per_compute};
    case Law::cost:
      return {by_time_usd > 0.0 ? by_time_usd / mean.duration : per_step, 0.0, 0.0};
    case Law::useful_cost:
      return {by_time_usd > 0.0 ? per_step * by_time_usd / all_usd : per_step, 0.0, -per_compute};
    case Law::other:
      break;
  }
  return {};
}

/// Half-widths of an interval about its mean.
struct Arms {
  double low = 0.0;
  double high = 0.0;

  void add_independent(double weight, const Arms& other) {
    low = std::sqrt(low * low + weight * weight * other.low * other.low);
    high = std::sqrt(high * high + weight * weight * other.high * other.high);
  }
  void add_linear(double weight, const Arms& other) {
    low += weight * other.low;
    high += weight * other.high;
  }
};

/// One side of a comparison: a job, its law and the gradient of a metric.
struct Side {
  const JobPart* part = nullptr;
  const std::vector<const ReplicationReport*>* runs = nullptr;
  PerStep slope;
};

struct Found {
  Arms arms;
  Pairing pairing = Pairing::none;
  std::uint64_t pairs = 0;
};

/// Half-width of the mean of a series whose neighbours are unlike: long batches, in which that evens out. Interleaved
/// workers make two scenarios drift in and out of phase, and short batches would take that for noise.
double half_width_of_long_batches(const std::vector<double>& series, double confidence) {
  constexpr std::size_t kBatches = 16;
  const std::vector<double> means = sim::batch_means(series, series.size() / kBatches, kBatches);
  const double error = std::sqrt(sim::variance_of(means) / static_cast<double>(kBatches));
  return sim::student_t_quantile(0.5 + confidence / 2.0, static_cast<std::int64_t>(kBatches) - 1) * error;
}

/// Whether the reported means have an interval of their own. Beside a store at its knee a run's queue remembers
/// thousands of steps; what two runs have of it in common cancels, and their difference forgets at once. Then it must
/// pass on its own what a run passes: no long warm-up, and halves that agree.
enum class OwnIntervals : std::uint8_t { known, missing };

/// The runs of one replication, window by window: before and after, with what a step of either counts for.
struct RunPairs {
  std::vector<RunSeries> before;
  std::vector<RunSeries> after;
  double reported = 0.0;  ///< difference of the reported means, each after its own warm-up
};

RunSeries series_of(const ReplicationReport& run, const PerStep& slope) {
  return {run.steps,
          run.warm_up_steps,
          run.series.batch_steps,
          run.series.duration_s,
          run.series.wait_s,
          run.series.compute_s,
          slope};
}

/// How sure an interval is, and whether it may be rough.
struct Asked {
  double confidence;
  sim::TooShort too_short;

  /// Differences of one value, no fewer of which say that others are rare.
  std::size_t fewest_alike() const { return too_short == sim::TooShort::rough ? 64 : 256; }
};

/// Arms of the mean difference of one replication; absent without enough steps.
std::optional<Found> arms_of_pairs(const RunPairs& pairs, const Asked& asked, OwnIntervals own) {
  const auto empty = [](const RunSeries& run) { return run.duration_s.empty(); };
  if (std::any_of(pairs.before.begin(), pairs.before.end(), empty) ||
      std::any_of(pairs.after.begin(), pairs.after.end(), empty))
    return std::nullopt;
  const PairedSeries series = paired_series(pairs.before, pairs.after);
  const std::vector<double>& differences = series.differences;
  if (differences.empty()) return std::nullopt;
  const auto [least, most] = std::minmax_element(differences.begin(), differences.end());
  const bool constant =
      differences.size() >= asked.fewest_alike() && *most - *least <= 1e-12 * series.level;  // but for rounding
  if (constant) return Found{{}, Pairing::steps, differences.size()};
  const bool missing = own == OwnIntervals::missing;
  if (missing && (!series.short_warm_up || !sim::halves_agree(differences))) return std::nullopt;
  const sim::SteadyStateResult result = sim::steady_state_interval(differences, asked.confidence, asked.too_short);
  if (!result.interval) return std::nullopt;
  const double aside = missing ? std::abs(pairs.reported - result.mean) : 0.0;
  if (result.lag1 < -0.1) {
    const double half = half_width_of_long_batches(differences, asked.confidence) + aside;
    return Found{{half, half}, Pairing::steps, result.batches};
  }
  return Found{{result.mean - result.interval->lo + aside, result.interval->hi - result.mean + aside},
               Pairing::steps,
               result.batches};
}

std::optional<Found> by_steps(const Side& before, const Side& after, const Asked& asked, OwnIntervals own) {
  if (before.runs->size() != after.runs->size() || before.runs->empty()) return std::nullopt;
  const double replications = replications_of(*before.part);
  std::map<std::uint32_t, RunPairs> pairs;  // by replication
  for (std::size_t i = 0; i < before.runs->size(); ++i) {
    const ReplicationReport& b = *(*before.runs)[i];
    const ReplicationReport& a = *(*after.runs)[i];
    if (b.window != a.window || b.replication != a.replication) return std::nullopt;
    const PerStep b_slope = before.slope.scaled(weight_of(b, *before.part, replications));
    const PerStep a_slope = after.slope.scaled(weight_of(a, *after.part, replications));
    RunPairs& windows = pairs[b.replication];
    windows.before.push_back(series_of(b, b_slope));
    windows.after.push_back(series_of(a, a_slope));
    windows.reported += a_slope.dot(means_of(a)) - b_slope.dot(means_of(b));
  }
  Found all{{}, Pairing::steps, 0};
  for (const auto& [replication, windows] : pairs) {
    const auto found = arms_of_pairs(windows, asked, own);
    if (!found) return std::nullopt;
    all.arms.add_independent(1.0, found->arms);
    all.pairs += found->pairs;
  }
  return all;
}

/// One value per replication: the means of its runs times the slope.
std::vector<double> replication_values(const Side& side) {
  std::uint32_t first = side.runs->empty() ? 0 : side.runs->front()->replication;
  for (const ReplicationReport* run : *side.runs) first = std::min(first, run->replication);
  std::vector<double> values(replications_of(*side.part), 0.0);
  for (const ReplicationReport* run : *side.runs)
    values.at(run->replication - first) += weight_of(*run, *side.part, 1.0) * side.slope.dot(means_of(*run));
  return values;
}

std::optional<Found> by_replications(const Side& before, const Side& after, double confidence) {
  const std::vector<double> b = replication_values(before);
  const std::vector<double> a = replication_values(after);
  const sim::ReplicationResult result = sim::paired_difference_interval(b, a, confidence);
  if (!result.interval) return std::nullopt;
  const double half = result.interval->hi - result.mean;
  return Found{{half, half}, Pairing::replications, b.size()};
}

/// From the intervals of both, `factor` times that of the first.
Found by_intervals(const Metric& before, const Metric& after, double factor, double scale) {
  const bool told = before.ci95 && after.ci95;
  if (!told) {
    const bool exact = !before.ci95 && !after.ci95 && !needs_replications(before) && !needs_replications(after) &&
                       traits_of(before.name).law == Law::other && !is_of_courses(before.name);
    const bool closed = before.kind != AnswerKind::simulated && after.kind != AnswerKind::simulated;
    return {{}, exact || closed ? Pairing::exact : Pairing::none, 0};
  }
  Found found{{}, Pairing::independent, 0};
  found.arms.add_independent(scale, {after.mean - after.ci95->low, after.ci95->high - after.mean});
  found.arms.add_independent(scale * std::abs(factor),
                             {before.ci95->high - before.mean, before.mean - before.ci95->low});
  return found;
}

/// Arms of scale (after - factor before) for one job.
Found arms_of_job(const JobPart& before, const JobPart& after, std::string_view name, double factor, double scale,
                  bool paired, const Asked& asked) {
  const Metric& b = *before.find(name);
  const Metric& a = *after.find(name);
  const Law law = traits_of(name).law;
  const bool told = a.ci95 && b.ci95;
  const bool simulated = a.kind == AnswerKind::simulated && b.kind == AnswerKind::simulated;
  // A first epoch is no steady state, of which pairs of steps could tell the mean.
  const bool modelled =
      paired && law != Law::other && replications_of(before) > 0 && (told || (simulated && law != Law::first_time));
  if (!modelled) return by_intervals(b, a, factor, scale);
  const auto side = [&](const JobPart& part, const Metric& metric, double times) {
    Side result{&part, &runs_of(part, law), {}};
    const PerStep mean = mean_per_step(part, *result.runs, replications_of(part));
    if (mean.duration > 0.0) result.slope = gradient(law, metric.mean, mean, part).scaled(times);
    return result;
  };
  const Side from = side(before, b, scale * factor);
  const Side to = side(after, a, scale);
  std::optional<Found> found = by_steps(from, to, asked, told ? OwnIntervals::known : OwnIntervals::missing);
  if (!found && told) found = by_replications(from, to, asked.confidence);
  if (!found) return by_intervals(b, a, factor, scale);
  // Stalls lengthen the wait and with it the step; their effect is measured apart, and not in pairs.
  for (const Side* s : {&from, &to}) {
    const double error = std::abs(s->slope.duration + s->slope.wait) * s->part->stall_error_s;
    found->arms.add_independent(1.0, {error, error});
  }
  return *found;
}

/// Weights of the jobs in the cluster's metric.
std::vector<double> weights_of(const std::vector<JobPart>& parts, std::string_view name) {
  if (parts.size() == 1 && parts.front().asked_alone) return {1.0};
  std::vector<WeighedJob> jobs;
  for (const JobPart& part : parts) jobs.push_back({part.metrics, part.gpus, part.copies});
  return job_weights(jobs, name);
}

/// Arms of scale (after - factor before) over the jobs of both.
Found arms_of(const std::vector<JobPart>& before, const std::vector<JobPart>& after, std::string_view name,
              double factor, double scale, bool paired, const Asked& asked) {
  Found all{{}, Pairing::steps, 0};
  const std::vector<double> weights_before = weights_of(before, name);
  const std::vector<double> weights_after = weights_of(after, name);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const double weight_before = weights_before[i];
    const double weight_after = weights_after[i];
    if (weight_before == 0.0 && weight_after == 0.0) continue;
    const double ratio = weight_after > 0.0 ? weight_before / weight_after : 1.0;
    const Found found = arms_of_job(before[i], after[i], name, factor * ratio,
                                    scale * (weight_after > 0.0 ? weight_after : weight_before), paired, asked);
    all.arms.add_linear(1.0, found.arms);
    all.pairing = std::max(all.pairing, found.pairing);
    all.pairs += found.pairs;
  }
  return all;
}

bool have(const std::vector<JobPart>& parts, std::string_view name) {
  return !parts.empty() &&
         std::all_of(parts.begin(), parts.end(), [&](const JobPart& part) { return part.find(name) != nullptr; });
}

std::vector<JobPart> parts_for(const Outcome& outcome, const MetricName& name) {
  std::vector<JobPart> parts = parts_of(outcome);
  if (name.job.empty()) return parts;
  std::vector<JobPart> one;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (outcome.jobs[i].name != name.job) continue;
    one.push_back(std::move(parts[i]));
  }
  for (JobPart& part : one) part.asked_alone = true;
  return one;
}

void finish(const Arms& arms, const Arms& relative_arms, PairedDifference& result) {
  if (result.pairing == Pairing::none) return;
  result.ci = Interval{result.mean - arms.low, result.mean + arms.high};
  if (result.relative)
    result.relative_ci = Interval{*result.relative - relative_arms.low, *result.relative + relative_arms.high};
}

}  // namespace

bool can_pair(const Outcome& before, const Outcome& after) {
  // Jobs that share a store run on until the last of them is through: their runs are of nearly equal length.
  const auto alike = [](std::uint64_t a, std::uint64_t b) { return std::min(a, b) * 10 >= std::max(a, b) * 9; };
  if (before.seed != after.seed || !alike(before.steps, after.steps) || before.steps == 0) return false;
  if (before.replications.size() != after.replications.size()) return false;
  // What states of faults are averaged of is not what the replications say.
  if (before.find("degraded_time_fraction") != nullptr || after.find("degraded_time_fraction") != nullptr) return false;
  for (std::size_t i = 0; i < before.replications.size(); ++i) {
    const ReplicationReport& b = before.replications[i];
    const ReplicationReport& a = after.replications[i];
    if (b.window != a.window || b.replication != a.replication || b.job != a.job || !alike(b.steps, a.steps))
      return false;
  }
  return true;
}

std::optional<PairedDifference> paired_difference(const Outcome& before, const Outcome& after, std::string_view full,
                                                  double confidence, sim::TooShort too_short) {
  const std::optional<Metric> b = metric_of(before, full);
  const std::optional<Metric> a = metric_of(after, full);
  if (!a || !b) return std::nullopt;
  PairedDifference result;
  result.metric = full;
  result.before = b->mean;
  result.after = a->mean;
  result.mean = a->mean - b->mean;
  if (b->mean != 0.0) result.relative = a->mean / b->mean - 1.0;
  const MetricName name = split_metric(full);
  if (!name.quantile.empty()) return result;  // one run says nothing about the noise of a quantile
  const std::vector<JobPart> from = parts_for(before, name);
  const std::vector<JobPart> to = parts_for(after, name);
  Found found;
  Found relative;
  if (from.size() == to.size() && have(from, name.metric) && have(to, name.metric)) {
    const bool paired = can_pair(before, after);
    const Asked asked{confidence, too_short};
    found = arms_of(from, to, name.metric, 1.0, 1.0, paired, asked);
    if (result.relative)
      relative = arms_of(from, to, name.metric, a->mean / b->mean, 1.0 / std::abs(b->mean), paired, asked);
  } else {
    found = by_intervals(*b, *a, 1.0, 1.0);
    if (result.relative) relative = by_intervals(*b, *a, a->mean / b->mean, 1.0 / std::abs(b->mean));
  }
  result.pairing = found.pairing;
  result.pairs = found.pairs;
  finish(found.arms, relative.arms, result);
  return result;
}

std::vector<PairedDifference> paired_differences(const Outcome& before, const Outcome& after, double confidence) {
  std::vector<PairedDifference> all;
  for (const Metric& metric : before.metrics)
    if (auto difference = paired_difference(before, after, metric.name, confidence))
      all.push_back(std::move(*difference));
  return all;
}

std::optional<PairedDifference> paired_difference(std::span<const Outcome> before, std::span<const Outcome> after,
                                                  std::string_view metric, double confidence) {
  std::vector<double> from;
  std::vector<double> to;
  for (const Outcome& outcome : before)
    if (const auto value = metric_value(outcome, metric)) from.push_back(*value);
  for (const Outcome& outcome : after)
    if (const auto value = metric_value(outcome, metric)) to.push_back(*value);
  if (from.empty() || from.size() != before.size() || to.size() != after.size() || from.size() != to.size())
    return std::nullopt;
  const sim::ReplicationResult result = sim::paired_difference_interval(from, to, confidence);
  PairedDifference difference;
  difference.metric = metric;
  difference.before = sim::mean_of(from);
  difference.after = sim::mean_of(to);
  difference.mean = difference.after - difference.before;
  difference.pairs = from.size();
  if (difference.before != 0.0) difference.relative = difference.after / difference.before - 1.0;
  if (!result.interval) return difference;
  difference.pairing = Pairing::replications;
  const double half = result.interval->hi - result.mean;
  double relative_half = 0.0;
  if (difference.relative) {
    const double factor = difference.after / difference.before;
    for (double& value : from) value *= factor;
    const sim::ReplicationResult scaled = sim::paired_difference_interval(from, to, confidence);
    relative_half = (scaled.interval->hi - scaled.mean) / std::abs(difference.before);
  }
  finish({half, half}, {relative_half, relative_half}, difference);
  return difference;
}

}  // namespace headrace::models
