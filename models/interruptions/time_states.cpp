#include "models/interruptions/time_states.hpp"

#include <algorithm>
#include <string>
#include <type_traits>

#include "models/outcome/cluster_outcome.hpp"
#include "models/outcome/largest_parts.hpp"
#include "models/outcome/ledger.hpp"
#include "models/outcome/outcome_assembly.hpp"
#include "models/outcome/outcome_metrics.hpp"
#include "models/outcome/ownership.hpp"
#include "models/path/ingest_path.hpp"

namespace headrace::models {

namespace {

/// Of an outcome, or of one job in it.
template <class Answer>
struct StateOf {
  double share = 0.0;
  const Answer* answer = nullptr;
  GpuState idle = GpuState::failure;  ///< where nobody trains
};

template <class Answer>
double metric_in(const StateOf<Answer>& state, std::string_view name) {
  if (state.answer == nullptr)
    return name == "gpu_idle_fraction" && state.idle == GpuState::ingest_wait_own ? 1.0 : 0.0;
  return mean_in(state.answer->metrics, name);
}

void stretch(Metric& metric, double factor) {
  metric.mean *= factor;
  for (std::optional<Interval>* interval : {&metric.ci95, &metric.input_range})
    if (*interval) *interval = Interval{(*interval)->low * factor, (*interval)->high * factor};
}

/// Interval around `mean` of what is averaged over states: half-widths add up linearly, since runs of the same seed are
/// not independent. Of a duration v in a share p of time, the average moves by mean^2 p / v^2. Nothing where a state
/// has no interval.
template <class Answer>
std::optional<Interval> averaged_interval(std::string_view name, bool duration, double mean,
                                          const std::vector<StateOf<Answer>>& states) {
  Interval interval{mean, mean};
  for (const StateOf<Answer>& state : states) {
    if (state.answer == nullptr || !(state.share > 0.0)) continue;
    const Metric* metric = find_in(state.answer->metrics, name);
    if (metric == nullptr || !metric->ci95) return std::nullopt;
    if (duration && !(metric->mean > 0.0)) continue;
    const double slope = state.share * (duration ? mean / metric->mean * mean / metric->mean : 1.0);
    interval.low -= slope * (metric->mean - metric->ci95->low);
    interval.high += slope * (metric->ci95->high - metric->mean);
  }
  return interval;
}

/// Rates and shares are averages over time; what a number of steps takes is the inverse of one.
template <class Answer>
void average(Metric& metric, const std::vector<StateOf<Answer>>& states) {
  const OverTime rule = traits_of(metric.name).over_time;
  const bool duration = rule == OverTime::duration || rule == OverTime::of_steps;
  const bool of_training = rule == OverTime::of_training;
  const bool share = rule == OverTime::share || of_training;
  if (!duration && !share) return;
  double mean = 0.0;
  double counted = 0.0;
  for (const StateOf<Answer>& state : states) {
    if (of_training && state.answer == nullptr && state.idle == GpuState::failure) continue;
    const double value = metric_in(state, metric.name);
    counted += state.share;
    if (share) mean += state.share * value;
    if (duration && value > 0.0) mean += state.share / value;
  }
  if (of_training && counted > 0.0) mean /= counted;
  if (duration && !(mean > 0.0)) return;
  const double averaged = duration ? 1.0 / mean : mean;
  const bool had_interval = metric.ci95.has_value();
  if (metric.mean > 0.0)
    stretch(metric, averaged / metric.mean);
  else
    metric.mean = averaged;
  metric.ci95 = had_interval ? averaged_interval(metric.name, duration, averaged, states) : std::nullopt;
}

template <class Answer>
void average(std::vector<StageShare>& shares, const std::vector<StageShare> Answer::*member,
             const std::vector<StateOf<Answer>>& states) {
  for (StageShare& share : shares) share.mean = share.queueing = 0.0;
  for (const StateOf<Answer>& state : states) {
    if (state.answer == nullptr) continue;
    for (const StageShare& part : state.answer->*member) {
      auto found = std::find_if(shares.begin(), shares.end(),
                                [&](const StageShare& share) { return share.stage == part.stage; });
      if (found == shares.end()) {
        found = shares.insert(shares.end(), part);
        found->mean = found->queueing = 0.0;
      }
      found->mean += state.share * part.mean;
      found->queueing += state.share * part.queueing;
    }
  }
  for (StageShare& share : shares) share.ci95.reset();
}

template <class Answer>
void average_states(std::vector<GpuStateShare>& shares, const std::vector<StateOf<Answer>>& states) {
  for (GpuStateShare& share : shares) {
    share.share = 0.0;
    for (const StateOf<Answer>& state : states) {
      if (state.answer == nullptr) share.share += share.state == state.idle ? state.share : 0.0;
      if (state.answer == nullptr) continue;
      for (const GpuStateShare& part : state.answer->gpu_states)
        if (part.state == share.state) share.share += state.share * part.share;
    }
  }
}

template <class Answer>
void lengthen_ledger(double factor, Answer& answer) {
  double added_usd = 0.0;
  const double before_usd = mean_in(answer.metrics, "cost_per_epoch_usd");
  for (LedgerLine& line : answer.ledger) {
    if (!line.by_time) continue;
    added_usd += line.usd * (factor - 1.0);
    line.quantity *= factor;
    line.usd *= factor;
  }
  for (Metric& metric : answer.metrics)
    if (metric.name == "cost_per_epoch_usd" && metric.mean > 0.0)
      stretch(metric, (metric.mean + added_usd) / metric.mean);
  keep_useful_hours(before_usd, answer.metrics);
}

/// What GPUs cost that wait, after idle share and epoch are averages.
template <class Answer>
void charge_idle_time(const Scenario& scenario, std::size_t job, Answer& answer) {
  const Pool& pool = pool_of(scenario, scenario.jobs[job]);
  const double gpu_usd_per_s = resolve_path(scenario, job, {}).gpus * gpu_hour_usd(scenario, pool) / 3600.0;
  const Metric* idle = find_in(answer.metrics, "gpu_idle_fraction");
  const Metric* epoch_s = find_in(answer.metrics, "epoch_time_s");
  if (idle == nullptr || epoch_s == nullptr) return;
  const double usd = idle->mean * gpu_usd_per_s * epoch_s->mean;
  for (Metric& metric : answer.metrics) {
    if (metric.name != "idle_cost_per_epoch_usd") continue;
    if (metric.mean > 0.0) return stretch(metric, usd / metric.mean);
    metric.mean = usd;
    if (usd > 0.0) metric.ci95.reset();
  }
}

/// A job that is fed in the first state, or loses most to checkpoints and failures there, may still wait for data on
/// average, and longer.
template <class Answer>
void decide(const std::vector<StateOf<Answer>>& states, Answer& answer) {
  const Metric* idle = find_in(answer.metrics, "gpu_idle_fraction");
  if (idle == nullptr || idle->mean <= kFedIdleFraction) return;
  const bool waits_more =
      answer.verdict == Verdict::checkpoint_bound && idle->mean > interrupted_share(answer.gpu_states);
  if (answer.verdict != Verdict::fed && !waits_more) return;
  answer.verdict = Verdict::ingest_bound;
  double most = 0.0;
  for (const StateOf<Answer>& state : states) {
    const double waited = state.share * metric_in(state, "gpu_idle_fraction");
    if (waited <= most || state.answer == nullptr) continue;
    most = waited;
    answer.binding = state.answer->binding;
  }
}

template <class Answer>
Answer averaged(const Scenario& scenario, std::size_t job, const std::vector<StateOf<Answer>>& states) {
  const Answer& first = *states.front().answer;
  Answer answer = first;
  for (Metric& metric : answer.metrics) average(metric, states);
  average(answer.blame, &Answer::blame, states);
  average(answer.relief, &Answer::relief, states);
  average_states(answer.gpu_states, states);
  lengthen_ledger(find_in(answer.metrics, "epoch_time_s")->mean / find_in(first.metrics, "epoch_time_s")->mean, answer);
  charge_idle_time(scenario, job, answer);
  decide(states, answer);
  return answer;
}

/// A wait for one stage alone, of `share` of all time: all of it is blamed on the stage, and would be won without it.
template <class Answer>
void blame_wait_on(Stage stage, double share, bool blames, Answer& answer) {
  const double idle = mean_in(answer.metrics, "gpu_idle_fraction");
  if (blames) answer.blame.push_back({stage, share, std::nullopt, 0.0});
  if (!answer.relief.empty()) answer.relief.push_back({stage, share, std::nullopt, 0.0});
  if (answer.verdict == Verdict::ingest_bound && share > 0.5 * idle) answer.binding = stage;
}

/// The states in which the job is there, their shares of that time.
std::vector<StateOf<JobReport>> states_of_job(const std::string& name, const std::vector<TimeState>& states) {
  std::vector<StateOf<JobReport>> own;
  double all = 0.0;
  for (const TimeState& state : states) {
    if (state.outcome == nullptr) continue;
    for (const JobReport& report : state.outcome->jobs)
      if (report.name == name) own.push_back({state.share, &report, GpuState::failure});
  }
  for (const StateOf<JobReport>& state : own) all += state.share;
  for (StateOf<JobReport>& state : own) state.share /= all;
  return own;
}

/// An average is as precise as the least precise of the states that matter.
void keep_least_precise(const std::vector<TimeState>& states, Outcome& outcome) {
  const auto half_width = [&outcome](const char* name) {
    const Metric* metric = outcome.find(name);
    return metric != nullptr && metric->ci95 ? std::optional(0.5 * (metric->ci95->high - metric->ci95->low))
                                             : std::nullopt;
  };
  constexpr double kMatters = 0.01;
  for (const TimeState& state : states) {
    if (state.outcome == nullptr || state.share < kMatters || !state.outcome->precision || !outcome.precision) continue;
    if (!outcome.precision->met || state.outcome->precision->met) continue;
    outcome.precision = state.outcome->precision;
    outcome.stopped_by = state.outcome->stopped_by;
  }
  if (!outcome.precision) return;
  if (const auto step_s = half_width("step_time_s"); step_s && outcome.precision->reached)
    outcome.precision->reached = *step_s / mean_in(outcome.metrics, "step_time_s");
  if (const auto idle = half_width("gpu_idle_fraction"); idle && outcome.precision->idle_reached)
    outcome.precision->idle_reached = idle;
}

/// What carries data of the waiting job alone carries nothing meanwhile.
void let_stations_wait(const std::string& name, bool lone, double share, std::vector<StationReport>& stations) {
  for (StationReport& station : stations)
    if (lone || station.owner == name) {
      station.throughput *= 1.0 - share;
      station.utilization *= 1.0 - share;
    }
}

void let_windows_wait(double share, std::vector<WindowReport>& windows) {
  for (WindowReport& window : windows) window.step_time_s /= 1.0 - share;
}

std::size_t job_named(const Scenario& scenario, const std::string& name) {
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j)
    if (scenario.jobs[j].name == name) return j;
  return 0;
}

/// The cluster's ledger is the sum of those of all copies.
void add_ledger_change(const JobReport& before, const JobReport& after, std::vector<LedgerLine>& all) {
  for (std::size_t i = 0; i < after.ledger.size() && i < before.ledger.size(); ++i)
    for (LedgerLine& line : all) {
      if (line.item != after.ledger[i].item || line.unit != after.ledger[i].unit) continue;
      const double copies = static_cast<double>(after.copies);
      line.quantity += copies * (after.ledger[i].quantity - before.ledger[i].quantity);
      line.usd += copies * (after.ledger[i].usd - before.ledger[i].usd);
    }
}

/// The steps of a run are those of one of the states only.
void drop_series(Outcome& outcome) {
  for (ReplicationReport& run : outcome.replications) run.series = {};
}

}  // namespace

Outcome averaged_over_time(const Scenario& scenario, const std::vector<TimeState>& states) {
  const Outcome& first = *states.front().outcome;
  if (first.jobs.empty() || !first.jobs.front().is_beside_others()) {
    std::vector<StateOf<Outcome>> own;
    for (const TimeState& state : states) own.push_back({state.share, state.outcome, GpuState::failure});
    Outcome outcome = averaged(scenario, 0, own);
    keep_least_precise(states, outcome);
    drop_series(outcome);
    outcome.restate_lone_job();
    return outcome;
  }
  Outcome outcome = first;
  keep_least_precise(states, outcome);
  drop_series(outcome);
  for (JobReport& job : outcome.jobs) {
    const JobReport before = job;
    job = averaged(scenario, job_named(scenario, job.name), states_of_job(job.name, states));
    job.windows = before.windows;
    add_ledger_change(before, job, outcome.ledger);
  }
  sum_up_jobs(outcome);
  return outcome;
}

void let_wait(const Scenario& scenario, const std::string& name, double share, Stage stage, Outcome& outcome) {
  const bool blames = outcome.metrics.front().kind == AnswerKind::simulated;
  const auto with_wait = [&](const auto& answer) {
    using Given = std::decay_t<decltype(answer)>;
    const std::vector<StateOf<Given>> states{{1.0 - share, &answer, GpuState::failure},
                                             {share, nullptr, GpuState::ingest_wait_own}};
    Given waiting = averaged(scenario, job_named(scenario, name), states);
    blame_wait_on(stage, share, blames, waiting);
    let_windows_wait(share, waiting.windows);
    return waiting;
  };
  drop_series(outcome);
  let_stations_wait(name, outcome.jobs.size() < 2 && scenario.jobs.size() < 2, share, outcome.stations);
  if (outcome.jobs.empty() || !outcome.jobs.front().is_beside_others()) {
    outcome = with_wait(Outcome(outcome));
    outcome.restate_lone_job();
    return;
  }
  for (JobReport& job : outcome.jobs) {
    if (job.name != name) continue;
    const JobReport before = job;
    job = with_wait(before);
    add_ledger_change(before, job, outcome.ledger);
  }
  sum_up_jobs(outcome);
}

}  // namespace headrace::models
