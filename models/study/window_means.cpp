#include "models/study/window_means.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "models/outcome/rare_stall.hpp"
#include "models/study/step_control.hpp"
#include "sim/steady_state_interval.hpp"
#include "sim/student_t.hpp"
#include "sim/time.hpp"
#include "sim/warm_up.hpp"

namespace headrace::models {

namespace {

/// Per-step series of one replication, in seconds per loader, after the warm-up.
struct Series {
  std::vector<double> duration_s;
  std::vector<double> wait_s;
  std::vector<double> compute_s;
  std::array<double, kGpuStateCount> state_s{};  ///< sums
  std::size_t warm_up_steps = 0;
  bool reliable = false;
  bool settled = false;
  std::string_view reason;
  double wait_factor = 1.0;    ///< that a control variate put on the mean wait, and so on its blame
  double control_error = 0.0;  ///< standard error that the control's own mean adds to that of the step time
};

Series series_of(const StepLog& log, std::uint32_t loaders, const WarmUpRule& rule) {
  Series series;
  const std::vector<double> all = step_durations(log);
  const sim::WarmUpVerdict cut = sim::warm_up(all, rule.least_steps, rule.period_steps);
  // A run shorter than its warm-up is not reliable, and says so; its second half is still the best that there is.
  series.warm_up_steps = std::min(cut.steps, all.size() / 2);
  series.reliable = cut.reliable;
  series.settled = cut.settled;
  series.reason = cut.reason;
  const double n = loaders;
  for (std::size_t i = series.warm_up_steps; i < all.size(); ++i) {
    const StepRecord& record = log.records[i];
    const double own_s = sim::seconds(record.wait_own_ns) / n;
    const double peer_s = sim::seconds(record.wait_peer_ns) / n;
    series.duration_s.push_back(all[i]);
    series.wait_s.push_back(own_s + peer_s);
    series.compute_s.push_back(sim::seconds(record.compute_ns));
    series.state_s[index(GpuState::compute)] += sim::seconds(record.compute_ns);
    series.state_s[index(GpuState::ingest_wait_own)] += own_s;
    series.state_s[index(GpuState::ingest_wait_peer)] += peer_s;
    series.state_s[index(GpuState::h2d)] += sim::seconds(record.h2d_ns);
    series.state_s[index(GpuState::collective)] += sim::seconds(record.collective_ns);
    series.state_s[index(GpuState::overhead)] += sim::seconds(record.overhead_ns);
  }
  return series;
}

/// Of the means of two replications or more.
double variance_of(const std::vector<sim::SteadyStateResult>& results, double mean) {
  double squares = 0.0;
  for (const sim::SteadyStateResult& result : results) squares += (result.mean - mean) * (result.mean - mean);
  return squares / static_cast<double>(results.size() - 1);
}

/// Whether replications lie further apart than their own intervals explain: their variance against the one that the
/// arms stand for, by the chi-squared distribution at one in a thousand. A missing interval explains nothing.
bool lie_apart(const std::vector<sim::SteadyStateResult>& results, double mean) {
  // Quantiles at 0.999 over their degrees of freedom, from 1 on; the last one, for more than 8, is too large then.
  constexpr std::array<double, 8> kMost = {10.83, 6.91, 5.42, 4.62, 4.10, 3.74, 3.47, 3.27};
  constexpr double kNormal = 1.96;         // arms of 95 % are so many standard errors
  constexpr double kLeastRelative = 2e-3;  // standard deviations below are of no account
  if (results.size() < 2) return false;
  double explained = 0.0;
  for (const sim::SteadyStateResult& result : results) {
    const double error = result.interval ? (result.interval->hi - result.interval->lo) / (2.0 * kNormal) : 0.0;
    explained += error * error / static_cast<double>(results.size());
  }
  const double variance = variance_of(results, mean);
  return variance > kMost[std::min(results.size() - 2, kMost.size() - 1)] * explained &&
         std::sqrt(variance) > kLeastRelative * std::abs(mean);
}

/// Student's t over replications.
Interval interval_over(const std::vector<sim::SteadyStateResult>& results, double mean) {
  const double arm = sim::student_t_quantile(0.975, static_cast<std::int64_t>(results.size()) - 1) *
                     std::sqrt(variance_of(results, mean) / static_cast<double>(results.size()));
  return {mean - arm, mean + arm};
}

/// Mean over replications. Arms add like independent errors, and there is no interval unless every replication has one;
/// of replications that lie `apart` they say nothing.
Measured merged(const std::vector<sim::SteadyStateResult>& results, bool apart = false) {
  Measured sum;
  double low2 = 0.0;
  double high2 = 0.0;
  bool all = true;
  for (const sim::SteadyStateResult& result : results) {
    sum.mean += result.mean;
    all = all && result.interval.has_value();
    if (!result.interval) continue;
    low2 += (result.mean - result.interval->lo) * (result.mean - result.interval->lo);
    high2 += (result.interval->hi - result.mean) * (result.interval->hi - result.mean);
  }
  const double n = static_cast<double>(results.size());
  sum.mean /= n;
  if (apart)
    sum.ci95 = interval_over(results, sum.mean);
  else if (all)
    sum.ci95 = Interval{sum.mean - std::sqrt(low2) / n, sum.mean + std::sqrt(high2) / n};
  return sum;
}

void clamp_share(Measured& share) {
  if (!share.ci95) return;
  share.ci95->low = std::clamp(share.ci95->low, 0.0, share.mean);
  share.ci95->high = std::clamp(share.ci95->high, share.mean, 1.0);
}

std::vector<double> blame_series(const StepLog& log, std::uint32_t loaders, std::size_t from, Stage stage) {
  std::vector<double> blame;
  for (std::size_t i = from; i < log.steps(); ++i) {
    const StageBlame& part = log.records[i].blame[index(stage)];
    blame.push_back(sim::seconds(part.queueing_ns + part.service_ns) / loaders);
  }
  return blame;
}

std::array<StageBlame, kStageCount> blame_sums(const StepLog& log, std::size_t from) {
  std::array<StageBlame, kStageCount> sums{};
  for (std::size_t i = from; i < log.steps(); ++i) {
    for (std::size_t s = 0; s < kStageCount; ++s) {
      sums[s].queueing_ns += log.records[i].blame[s].queueing_ns;
      sums[s].service_ns += log.records[i].blame[s].service_ns;
    }
  }
  return sums;
}

double root_of_squares(double a, double b) { return std::sqrt(a * a + b * b); }

/// value * factor + shift, where `error` is the half-width of an independent error.
Measured moved(const Measured& value, double factor, double shift, double error) {
  Measured result{value.mean * factor + shift, std::nullopt};
  if (!value.ci95) return result;
  result.ci95 = Interval{result.mean - root_of_squares(factor * (value.mean - value.ci95->low), error),
                         result.mean + root_of_squares(factor * (value.ci95->high - value.mean), error)};
  return result;
}

/// The series with the control's deviation taken out of every step's duration and, since computation has none of it,
/// out of its wait: shares of time still sum to one. Nothing if the control does not apply.
std::optional<Series> controlled(const Series& series, const StepControl& control) {
  const std::optional<sim::ControlMean> mean = control.mean();
  const std::size_t steps = series.duration_s.size();
  if (!mean || control.twin_s().size() != series.warm_up_steps + steps) return std::nullopt;
  const std::span<const double> twin = control.twin_s().subspan(series.warm_up_steps);
  const sim::ControlFit fit = sim::fit_control(series.duration_s, twin, *mean);
  if (!fit.applied()) return std::nullopt;
  Series result = series;
  double wait_before_s = 0.0;
  double wait_after_s = 0.0;
  for (std::size_t i = 0; i < steps; ++i) {
    const double deviation_s = fit.coefficient * (twin[i] - mean->mean);
    result.duration_s[i] -= deviation_s;
    result.wait_s[i] -= deviation_s;
    wait_before_s += series.wait_s[i];
    wait_after_s += result.wait_s[i];
  }
  if (!(wait_before_s > 0.0 && wait_after_s > 0.0)) return std::nullopt;
  result.wait_factor = wait_after_s / wait_before_s;
  result.state_s[index(GpuState::ingest_wait_own)] *= result.wait_factor;
  result.state_s[index(GpuState::ingest_wait_peer)] *= result.wait_factor;
  result.control_error = std::abs(fit.coefficient) * mean->standard_error;
  const bool known = sim::steady_state_interval(result.duration_s).interval &&
                     sim::ratio_interval(result.wait_s, result.duration_s).interval;
  return known ? std::optional<Series>(std::move(result)) : std::nullopt;
}

/// What the replications say, one entry each.
struct Results {
  std::vector<sim::SteadyStateResult> step, idle, busy;
  std::array<std::vector<sim::SteadyStateResult>, kStageCount> blame;
  std::array<StageBlame, kStageCount> blamed{};
  sim::TooShort too_short = sim::TooShort::none;

  sim::SteadyStateResult share(std::span<const double> part, std::span<const double> all) const {
    return sim::ratio_interval(part, all, 0.95, too_short);
  }

  void add(const Series& series, const StepLog& log, std::uint32_t loaders) {
    step.push_back(sim::steady_state_interval(series.duration_s, 0.95, too_short));
    idle.push_back(share(series.wait_s, series.duration_s));
    busy.push_back(share(series.compute_s, series.duration_s));
    // An error e of the step time is one of the wait: e (1 - idle) / step in the idle share, e busy / step in the
    // other.
    const double relative = step.back().mean > 0.0 ? series.control_error / step.back().mean : 0.0;
    sim::add_error(step.back(), series.control_error);
    sim::add_error(idle.back(), relative * (1.0 - idle.back().mean));
    sim::add_error(busy.back(), relative * busy.back().mean);
    const std::array<StageBlame, kStageCount> sums = blame_sums(log, series.warm_up_steps);
    std::optional<sim::SteadyStateResult> nothing;  // of every stage that no wait is blamed on
    for (std::size_t s = 0; s < kStageCount; ++s) {
      blamed[s].queueing_ns += sums[s].queueing_ns;
      blamed[s].service_ns += sums[s].service_ns;
      const bool any = sums[s].queueing_ns + sums[s].service_ns > 0;
      if (!any && nothing) {
        blame[s].push_back(*nothing);
        continue;
      }
      std::vector<double> part = blame_series(log, loaders, series.warm_up_steps, static_cast<Stage>(s));
      for (double& wait_s : part) wait_s *= series.wait_factor;
      blame[s].push_back(share(part, series.duration_s));
      if (!any) nothing = blame[s].back();
    }
  }

  void merge_into(WindowMeans& means) const {
    const bool apart = lie_apart(step, merged(step).mean);
    means.differ_by_start = apart;
    means.enough_data = means.enough_data || apart;
    means.step_time_s = merged(step, apart);
    means.idle_fraction = merged(idle, apart);
    means.utilization = merged(busy, apart);
    clamp_share(means.idle_fraction);
    clamp_share(means.utilization);
    if (apart)  // no step is shorter than one without waits
      means.step_time_s.ci95->low =
          std::max(means.step_time_s.ci95->low, means.step_time_s.mean * (1.0 - means.idle_fraction.mean));
    for (std::size_t s = 0; s < kStageCount; ++s) {
      means.blame[s] = merged(blame[s], apart);
      clamp_share(means.blame[s]);
      const double all = static_cast<double>(blamed[s].queueing_ns + blamed[s].service_ns);
      means.queueing_share[s] = all > 0.0 ? static_cast<double>(blamed[s].queueing_ns) / all : 0.0;
    }
  }
};

}  // namespace

std::vector<double> step_durations(const StepLog& log) {
  std::vector<double> durations(log.steps());
  for (std::size_t i = 0; i < durations.size(); ++i) durations[i] = sim::seconds(log.duration_ns(i));
  return durations;
}

double wait_s(const StepLog& log, std::uint32_t loaders, std::size_t from, std::size_t to) {
  double wait_s = 0.0;
  for (std::size_t i = from; i < to; ++i)
    wait_s += sim::seconds(log.records[i].wait_own_ns + log.records[i].wait_peer_ns) / loaders;
  return wait_s;
}

ReplicationReport report_of(const StepLog& log, std::uint32_t loaders, const WarmUpRule& rule) {
  const Series series = series_of(log, loaders, rule);
  ReplicationReport report;
  report.steps = log.steps();
  report.warm_up_steps = series.warm_up_steps;
  report.elapsed_s = sim::seconds(log.records.back().start_ns);
  double elapsed_s = 0.0;
  double wait_s = 0.0;
  double compute_s = 0.0;
  for (std::size_t i = 0; i < series.duration_s.size(); ++i) {
    elapsed_s += series.duration_s[i];
    wait_s += series.wait_s[i];
    compute_s += series.compute_s[i];
  }
  if (!(elapsed_s > 0.0)) return report;
  report.step_time_s = elapsed_s / static_cast<double>(series.duration_s.size());
  report.gpu_utilization = compute_s / elapsed_s;
  report.gpu_idle_fraction = wait_s / elapsed_s;
  return report;
}

void add_effect(const StallEffect& effect, WindowMeans& means) {
  const double added_s = effect.stalled_steps * effect.delay_s.mean;
  const double error_s = effect.stalled_steps * effect.delay_s.longer_arm();
  const double step_s = means.step_time_s.mean + added_s;
  if (!(step_s > 0.0)) return;
  const double factor = means.step_time_s.mean / step_s;
  const double share = added_s / step_s;
  const double error = error_s / step_s;
  means.step_time_s = moved(means.step_time_s, 1.0, added_s, error_s);
  means.idle_fraction = moved(means.idle_fraction, factor, share, error * (1.0 - share));
  means.utilization = moved(means.utilization, factor, 0.0, error * means.utilization.mean);
  means.state_s[index(GpuState::ingest_wait_own)] += added_s * effect.own_share;
  means.state_s[index(GpuState::ingest_wait_peer)] += added_s * (1.0 - effect.own_share);
  for (std::size_t s = 0; s < kStageCount; ++s) {
    const double queueing = means.blame[s].mean * means.queueing_share[s] * factor;
    means.blame[s] = moved(means.blame[s], factor, s == index(effect.stage) ? share : 0.0,
                           error * (s == index(effect.stage) ? 1.0 - share : means.blame[s].mean));
    if (means.blame[s].mean > 0.0) means.queueing_share[s] = queueing / means.blame[s].mean;
    clamp_share(means.blame[s]);
  }
  clamp_share(means.idle_fraction);
  clamp_share(means.utilization);
}

void add_wait(const Measured& shift_s, WindowMeans& means) {
  const double step_s = means.step_time_s.mean + shift_s.mean;
  const double before_s = means.idle_fraction.mean * means.step_time_s.mean;
  if (!(step_s > 0.0)) return;
  const double factor = means.step_time_s.mean / step_s;
  const double wait_factor = before_s > 0.0 ? std::max(0.0, before_s + shift_s.mean) / before_s : 1.0;
  const double arm_s = shift_s.longer_arm();
  means.step_time_s = moved(means.step_time_s, 1.0, shift_s.mean, arm_s);
  means.idle_fraction =
      moved(means.idle_fraction, factor, shift_s.mean / step_s, arm_s / step_s * (1.0 - means.idle_fraction.mean));
  means.utilization = moved(means.utilization, factor, 0.0, arm_s / step_s * means.utilization.mean);
  means.state_s[index(GpuState::ingest_wait_own)] *= wait_factor;
  means.state_s[index(GpuState::ingest_wait_peer)] *= wait_factor;
  for (Measured& blame : means.blame) {
    blame = moved(blame, factor * wait_factor, 0.0, 0.0);
    clamp_share(blame);
  }
  clamp_share(means.idle_fraction);
  clamp_share(means.utilization);
}

WindowMeans means_of_logs(const std::vector<const StepLog*>& logs, const std::vector<const StepControl*>& controls,
                          std::uint32_t loaders, const WarmUpRule& rule, sim::TooShort too_short) {
  WindowMeans means;
  Results all;
  all.too_short = too_short;
  std::vector<sim::SteadyStateResult> plain_step;
  means.enough_data = true;
  means.settled = true;
  bool applied = !controls.empty();
  for (std::size_t r = 0; r < logs.size(); ++r) {
    Series series = series_of(*logs[r], loaders, rule);
    if (!controls.empty()) {
      plain_step.push_back(sim::steady_state_interval(series.duration_s));
      std::optional<Series> with = controlled(series, *controls[r]);
      applied = applied && with.has_value();
      if (with) series = std::move(*with);
    }
    all.add(series, *logs[r], loaders);
    for (std::size_t s = 0; s < kGpuStateCount; ++s)
      means.state_s[s] += series.state_s[s] / static_cast<double>(std::max<std::size_t>(1, series.duration_s.size())) /
                          static_cast<double>(logs.size());
    means.warm_up_steps = std::max<std::uint64_t>(means.warm_up_steps, series.warm_up_steps);
    means.measured_steps += series.duration_s.size();
    means.settled = means.settled && series.settled;
    const sim::SteadyStateResult& step = all.step.back();
    const sim::SteadyStateResult& idle = all.idle.back();
    if (series.reliable && step.enough_data() && idle.enough_data()) continue;
    means.enough_data = false;
    means.reason = !series.reliable ? series.reason : step.enough_data() ? idle.reason : step.reason;
  }
  all.merge_into(means);
  if (!controls.empty()) means.control = applied ? kControlApplied : kControlNoInterval;
  if (!applied) return means;
  const double before = merged(plain_step).longer_arm();
  const double after = means.step_time_s.longer_arm();
  if (before > 0.0 && after > 0.0) means.variance_cut = (before / after) * (before / after);
  return means;
}

}  // namespace headrace::models
