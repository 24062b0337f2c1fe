#include "models/study/gate.hpp"

#include <algorithm>

#include "models/answer/flow_bound.hpp"
#include "models/interruptions/fault_course.hpp"
#include "models/study/budget.hpp"
#include "models/study/paired_difference.hpp"
#include "models/study/replications.hpp"
#include "sim/replication_interval.hpp"

namespace headrace::models {

namespace {

Ruling overall(const std::vector<Judgement>& judgements) {
  Ruling decision = judgements.empty() ? Ruling::undecided : Ruling::pass;
  for (const Judgement& judgement : judgements) decision = worse(decision, judgement.decision);
  return decision;
}

bool all_decided(const std::vector<Judgement>& judgements) {
  return std::none_of(judgements.begin(), judgements.end(),
                      [](const Judgement& judgement) { return judgement.decision == Ruling::undecided; });
}

/// Whether longer runs can decide what is undecided: not where the scenario lacks the metric.
bool can_tell_more(const std::vector<Judgement>& judgements) {
  return std::any_of(judgements.begin(), judgements.end(), [](const Judgement& judgement) {
    return judgement.decision == Ruling::undecided && judgement.value;
  });
}

/// By Student's t over one value per replication.
Judgement judge_replications(const Threshold& threshold, const std::vector<Outcome>& outcomes, double widening) {
  Judgement judgement;
  judgement.threshold = threshold;
  std::vector<double> values;
  for (const Outcome& outcome : outcomes)
    if (const auto value = metric_value(outcome, threshold.metric)) values.push_back(*value);
  const double confidence = widening > 1.0 ? kLookConfidence : 0.95;
  const sim::ReplicationResult result = sim::replication_interval(values, confidence);
  judgement.value = result.mean;
  if (!result.interval) {
    judgement.reason = "too few replications for an interval";
    return judgement;
  }
  judgement.interval = Interval{result.interval->lo, result.interval->hi};
  judgement.decision = decide(threshold, *judgement.interval);
  return judgement;
}

std::vector<Judgement> judge_all(const std::vector<Threshold>& thresholds, const Outcome& outcome, double widening,
                                 std::uint32_t most_replications, Replications& replications) {
  std::vector<Judgement> judgements;
  replications.look_at(outcome.steps, outcome);
  for (const Threshold& threshold : thresholds) {
    Judgement judgement = judge(threshold, outcome, widening);
    const std::optional<Metric> metric = metric_of(outcome, threshold.metric);
    const bool enough = !outcome.precision || outcome.precision->enough_data;
    if (judgement.decision == Ruling::undecided && enough && metric && needs_replications(*metric)) {
      replications.run_to(most_replications);
      judgement = judge_replications(threshold, replications.outcomes(), widening);
    }
    judgements.push_back(std::move(judgement));
  }
  return judgements;
}

}  // namespace

GateResult check_bounds(const Scenario& scenario, const std::vector<Threshold>& thresholds) {
  GateResult result;
  result.outcome = flow_bound(scenario);
  for (const Threshold& threshold : thresholds) result.judgements.push_back(judge_bound(threshold, result.outcome));
  result.decision = overall(result.judgements);
  result.stopped_by = "bound";
  return result;
}

namespace {

GateResult look_until_decided(const Scenario& scenario, const std::vector<Threshold>& thresholds,
                              const GateOptions& options) {
  const Budget budget(options.study);
  GateResult result = check_bounds(scenario, thresholds);
  const bool proven = std::all_of(result.judgements.begin(), result.judgements.end(),
                                  [](const Judgement& judgement) { return judgement.decision == Ruling::fail; });
  if (proven && !result.judgements.empty()) return result;
  const std::uint32_t looks = options.study.steps > 0 ? 1 : options.looks;
  result.widening = looks == 1 ? 1.0 : kLookWidening;
  StudyOptions study = options.study;
  study.relief = false;
  study.granularity = chosen_granularity(study, scenario);
  study.precision = options.first_precision;
  budget.limit(study);
  ResumableStudy run(scenario, study);
  Replications replications(scenario, study, budget);
  double precision = study.precision;
  const auto look = [&] {
    result.outcome = study.steps > 0 ? run.run_to(study.steps) : run.run_until(precision);
    ++result.looks;
    result.judgements = judge_all(thresholds, result.outcome, result.widening, options.replications, replications);
    result.decision = overall(result.judgements);
    const bool known = options.decide_all || thresholds.empty() ? all_decided(result.judgements)
                                                                : result.decision != Ruling::undecided;
    precision *= 0.5;
    if (known) return Look::decided;
    const std::string& end = result.outcome.stopped_by;
    const bool last =
        end == "max_steps" || end == "other_starts" || (!thresholds.empty() && !can_tell_more(result.judgements));
    return last ? Look::last : Look::open;
  };
  result.stopped_by = look_until_decided(budget, looks, look);
  if (result.stopped_by.empty()) result.stopped_by = result.outcome.stopped_by;
  if (options.study.relief && result.outcome.verdict == Verdict::ingest_bound) run.add_relief(result.outcome);
  return result;
}

}  // namespace

GateResult check_thresholds(const Scenario& scenario, const std::vector<Threshold>& thresholds,
                            const GateOptions& options) {
  GateOptions own = options;
  own.study.courses = std::any_of(thresholds.begin(), thresholds.end(),
                                  [](const Threshold& threshold) { return is_of_courses(threshold.metric); });
  GateResult result = look_until_decided(scenario, thresholds, own);
  // Where no threshold depends on them, the courses of the last look are enough.
  if (options.study.courses && !own.study.courses && result.looks > 0)
    add_fault_courses(scenario, options.study.seed, result.outcome);
  return result;
}

}  // namespace headrace::models
