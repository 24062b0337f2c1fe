#include "scenarios/remedies/remedy_judge.hpp"

#include <algorithm>
#include <cmath>

#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/outcome/outcome.hpp"
#include "models/path/ingest_path.hpp"
#include "models/path/warm_up_at_least.hpp"
#include "models/study/study.hpp"

namespace headrace::scenarios {
namespace {

using models::Scenario;

constexpr double kNoticed = 0.01;  ///< share of GPU time
constexpr double kOff = 0.1;       ///< of the wait: from there on the estimate is off
// A tenth of a second for each change at most; the estimate serves larger clusters.
constexpr std::uint64_t kLoaderSteps = 100'000;
constexpr double kMostApart = 2.0;  ///< factor by which a short simulation may be off
constexpr std::uint64_t kFewestOfShort = 64;
constexpr std::uint64_t kMostOfShort = 256;

std::optional<JudgedWait> judged(const models::Outcome& outcome) {
  const models::Metric* idle = outcome.find("gpu_idle_fraction");
  if (idle == nullptr || outcome.verdict == models::Verdict::infeasible) return std::nullopt;
  JudgedWait judged{idle->mean, models::mean_in(outcome.metrics, "cost_per_epoch_usd")};
  for (const models::LedgerLine& line : outcome.ledger)
    if (line.by_time) judged.by_time_usd += line.usd;
  const models::Metric* busy = outcome.find("gpu_utilization");
  if (busy != nullptr && idle->mean < 1.0 && busy->mean > 0.0) judged.computed = busy->mean / (1.0 - idle->mean);
  return judged;
}

std::optional<JudgedWait> not_training(const Scenario& scenario) {
  const models::Outcome outcome = models::flow_bound(scenario);
  const models::Metric* goodput = outcome.find("goodput_fraction");
  if (goodput == nullptr || outcome.verdict == models::Verdict::infeasible) return std::nullopt;
  return JudgedWait{1.0 - goodput->mean, models::mean_in(outcome.metrics, "cost_per_epoch_usd")};
}

/// Time waited over time computed.
double waited(double idle) { return idle / (1.0 - idle); }

/// The same work with another wait, and with it what is paid by the time that an epoch takes.
JudgedWait with_idle(JudgedWait judged, double idle) {
  judged.cost_usd += judged.by_time_usd * ((1.0 - judged.idle) / (1.0 - idle) - 1.0);
  judged.idle = idle;
  return judged;
}

/// Of one short simulation; 0: the cluster is too large for many of them.
std::uint64_t short_steps(const Scenario& scenario) {
  std::uint64_t loaders = 0;
  std::uint64_t warm_up = 0;
  for (std::size_t i = 0; i < scenario.jobs.size(); ++i) {
    const models::IngestPath path = models::resolve_path(scenario, i, {});
    loaders += path.loaders;
    warm_up = std::max<std::uint64_t>(warm_up, models::warm_up_at_least_steps(path));
  }
  const std::uint64_t steps = kLoaderSteps / std::max<std::uint64_t>(1, loaders);
  return steps < kFewestOfShort ? 0 : warm_up + std::min(kMostOfShort, steps);
}

models::StudyOptions short_study(std::uint64_t seed, std::uint64_t steps) {
  models::StudyOptions options;
  options.seed = seed;
  options.steps = steps;
  options.relief = false;
  options.control = false;
  options.courses = false;
  options.first_epoch = false;
  options.other_starts = false;
  options.verdict_by_means = true;
  return options;
}

}  // namespace

RemedyJudge::RemedyJudge(const Scenario& scenario, double lost_fraction, std::optional<std::uint64_t> simulated_seed,
                         RemedyGoal goal)
    : scenario_(scenario), goal_(goal), idle_(lost_fraction), now_(judge(scenario)) {
  if (goal == RemedyGoal::interruptions || !now_ || !simulated_seed) return;
  seed_ = *simulated_seed;
  steps_ = short_steps(scenario);
  if (is_off(idle_, now_->idle)) turn_to_simulation();
}

models::AnswerKind RemedyJudge::kind() const {
  if (goal_ == RemedyGoal::interruptions) return models::AnswerKind::bound;
  return simulates_ ? models::AnswerKind::simulated : models::AnswerKind::estimate;
}

std::optional<JudgedWait> RemedyJudge::judge(const Scenario& scenario) const {
  if (goal_ == RemedyGoal::interruptions) return not_training(scenario);
  if (!simulates_) return judged(models::queueing_estimate(scenario, 1));
  const std::optional<JudgedWait> short_run = simulated(scenario);
  return short_run ? std::optional(as_long_run(scenario, *short_run)) : std::nullopt;
}

bool RemedyJudge::turns_to_simulation(const Scenario& changed) {
  if (simulates_ || steps_ == 0) return false;
  const std::optional<JudgedWait> estimated = judge(changed);
  const std::optional<JudgedWait> then = simulated(changed);
  if (!estimated || !then || !is_off(then->idle, estimated->idle)) return false;
  turn_to_simulation();
  return true;
}

bool RemedyJudge::is_off(double simulated_idle, double estimated_idle) const {
  return std::abs(simulated_idle - estimated_idle) > std::max(kNoticed, kOff * idle_);
}

void RemedyJudge::turn_to_simulation() {
  if (steps_ == 0) return;
  simulates_ = true;
  granularity_ = models::chosen_granularity(short_study(seed_, steps_), scenario_);
  now_ = simulated(scenario_);
  if (!now_) return;
  if (now_->idle > 0.0 && idle_ < 1.0)
    waits_by_short_ = std::clamp(waited(idle_) / waited(now_->idle), 1.0 / kMostApart, kMostApart);
  *now_ = with_idle(*now_, idle_);
}

/// The longer run knows the wait of the scenario better than the short one. What it knows more of is taken to hold for
/// the changed scenario in proportion, on the same draws; no change waits less than its bound.
JudgedWait RemedyJudge::as_long_run(const Scenario& scenario, const JudgedWait& short_run) const {
  const double by_compute = waited(short_run.idle) * waits_by_short_;
  const std::optional<JudgedWait> bound = judged(models::flow_bound(scenario));
  return with_idle(short_run, std::max(by_compute / (1.0 + by_compute), bound ? bound->idle : 0.0));
}

std::optional<JudgedWait> RemedyJudge::simulated(const Scenario& scenario) const {
  models::StudyOptions options = short_study(seed_, steps_);
  options.granularity = granularity_;
  Scenario closed_form = scenario;  // in which no sample is looked up in its cache
  for (models::Pool& pool : closed_form.cluster.pools) pool.cache.fidelity = models::CacheFidelity::statistical;
  return judged(models::simulate(closed_form, options));
}

}  // namespace headrace::scenarios
