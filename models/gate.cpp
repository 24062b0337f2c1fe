#include "models/gate.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "models/fault_course.hpp"
#include "models/flow_bound.hpp"
#include "models/paired_difference.hpp"
#include "models/task_pool.hpp"
#include "sim/random_stream.hpp"
#include "sim/replication_interval.hpp"

namespace headrace::models {

namespace {

using Clock = std::chrono::steady_clock;

inline constexpr sim::Purpose kDrawInputPoints{60};  ///< uncertain input, point

/// What is left of a limit on wall time.
class Budget {
 public:
  explicit Budget(const StudyOptions& study) : study_(study) {}

  bool is_limited() const { return study_.max_wall_s > 0.0; }
  double left_s() const { return study_.max_wall_s - std::chrono::duration<double>(Clock::now() - begin_).count(); }
  bool is_spent() const { return study_.stop.stop_requested() || (is_limited() && left_s() <= 0.0); }
  const char* reason() const { return study_.stop.stop_requested() ? "interrupted" : "max_wall"; }
  /// Limits one run to what is left.
  void limit(StudyOptions& run) const {
    if (is_limited()) run.max_wall_s = std::max(0.001, left_s());
  }

 private:
  const StudyOptions& study_;
  Clock::time_point begin_ = Clock::now();
};

Ruling overall(const std::vector<Judgement>& judgements) {
  Ruling decision = judgements.empty() ? Ruling::undecided : Ruling::pass;
  for (const Judgement& judgement : judgements) decision = worse(decision, judgement.decision);
  return decision;
}

bool all_decided(const std::vector<Judgement>& judgements) {
  return std::none_of(judgements.begin(), judgements.end(),
                      [](const Judgement& judgement) { return judgement.decision == Ruling::undecided; });
}

/// Several replications, made when a threshold first asks for them.
class Replications {
 public:
  Replications(const Scenario& scenario, const GateOptions& options, const Outcome& first, const Budget& budget)
      : scenario_(scenario), options_(options), budget_(budget), outcomes_{first} {}

  /// By Student's t over one value per replication.
  Judgement judge(const Threshold& threshold, double widening) {
    run();
    Judgement judgement;
    judgement.threshold = threshold;
    std::vector<double> values;
    for (const Outcome& outcome : outcomes_)
      if (const auto value = metric_value(outcome, threshold.metric)) values.push_back(*value);
    const double confidence = widening > 1.0 ? 1.0 - 0.05 / kGateLooks : 0.95;
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

 private:
  void run() {
    while (outcomes_.size() < options_.replications && !budget_.is_spent()) {
      StudyOptions one = options_.study;
      one.replications = 1;
      one.first_replication += static_cast<std::uint32_t>(outcomes_.size());
      one.steps = outcomes_.front().steps;
      one.relief = false;
      one.control = false;
      one.courses = false;  // whose metrics need no replications
      one.progress = {};
      budget_.limit(one);
      Outcome outcome = simulate(scenario_, one);
      if (outcome.stopped_by != "steps") return;  // cut short
      outcomes_.push_back(std::move(outcome));
    }
  }

  const Scenario& scenario_;
  const GateOptions& options_;
  const Budget& budget_;
  std::vector<Outcome> outcomes_;
};

std::vector<Judgement> judge_all(const Scenario& scenario, const std::vector<Threshold>& thresholds,
                                 const GateOptions& options, const Outcome& outcome, double widening,
                                 const Budget& budget) {
  std::vector<Judgement> judgements;
  Replications replications(scenario, options, outcome, budget);
  for (const Threshold& threshold : thresholds) {
    Judgement judgement = judge(threshold, outcome, widening);
    const std::optional<Metric> metric = metric_of(outcome, threshold.metric);
    const bool enough = !outcome.precision || outcome.precision->enough_data;
    if (judgement.decision == Ruling::undecided && enough && metric && needs_replications(*metric))
      judgement = replications.judge(threshold, widening);
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
  const bool one_look = options.study.steps > 0 || options.looks == 1;
  result.widening = one_look ? 1.0 : kGateWidening;
  StudyOptions study = options.study;
  study.relief = false;
  study.precision = options.first_precision;
  for (;;) {
    budget.limit(study);
    result.outcome = simulate(scenario, study);
    ++result.looks;
    result.judgements = judge_all(scenario, thresholds, options, result.outcome, result.widening, budget);
    result.decision = overall(result.judgements);
    const bool known = options.decide_all || thresholds.empty() ? all_decided(result.judgements)
                                                                : result.decision != Ruling::undecided;
    result.stopped_by = known ? "decided" : result.outcome.stopped_by;
    if (known) return result;
    if (budget.is_spent()) {
      result.stopped_by = budget.reason();
      return result;
    }
    if (one_look || result.looks >= options.looks || result.outcome.stopped_by == "max_steps") return result;
    study.precision *= 0.5;
  }
}

}  // namespace

GateResult check_thresholds(const Scenario& scenario, const std::vector<Threshold>& thresholds,
                            const GateOptions& options) {
  GateOptions own = options;
  own.study.courses = std::any_of(thresholds.begin(), thresholds.end(),
                                  [](const Threshold& threshold) { return is_of_courses(threshold.metric); });
  GateResult result = look_until_decided(scenario, thresholds, own);
  // Where nothing hangs on them, the courses of the last look are enough.
  if (options.study.courses && !own.study.courses && result.looks > 0)
    add_fault_courses(scenario, options.study.seed, result.outcome);
  return result;
}

Interval wilson_interval(std::uint64_t successes, std::uint64_t trials, double z) {
  if (trials == 0) return {0.0, 1.0};
  const auto n = static_cast<double>(trials);
  const double p = static_cast<double>(successes) / n;
  const double centre = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
  const double half = z / (1.0 + z * z / n) * std::sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n));
  return {std::max(0.0, centre - half), std::min(1.0, centre + half)};
}

InputGate check_inputs(const Scenario& scenario, const std::vector<UncertainInput>& inputs,
                       const std::vector<Threshold>& thresholds, const GateOptions& options,
                       const InputGateOptions& input_options) {
  constexpr double kZ = 2.5758293035489;  // 99 %: the interval is looked at several times
  constexpr std::uint64_t kRound = 16;
  constexpr std::size_t kMostFailing = 3;
  const Budget budget(options.study);
  TaskPool pool(options.study.threads);
  InputGate gate;
  gate.required = input_options.required;
  const auto point = [&](std::uint64_t draw) {
    std::vector<double> u(inputs.size());
    for (std::size_t i = 0; i < u.size(); ++i)
      u[i] = sim::uniform({options.study.seed, 0, kDrawInputPoints, static_cast<std::uint32_t>(i)}, draw);
    return u;
  };
  GateOptions at_point = options;
  at_point.study.threads = 1;
  at_point.study.progress = {};
  at_point.study.replications = 1;
  at_point.study.courses = false;  // only decisions count
  at_point.looks = 2;
  at_point.decide_all = false;
  while (gate.draws < input_options.most_draws) {
    std::vector<Ruling> decisions(kRound, Ruling::undecided);
    pool.run(decisions.size(), [&](std::size_t i) {
      if (budget.is_spent()) return;
      const Scenario at = with_inputs(scenario, inputs, point(gate.draws + i));
      GateOptions own = at_point;
      budget.limit(own.study);
      decisions[i] =
          (input_options.bounds_only ? check_bounds(at, thresholds) : check_thresholds(at, thresholds, own)).decision;
    });
    if (budget.is_spent()) {  // what the clock cut short counts for nothing
      gate.stopped_by = budget.reason();
      return gate;
    }
    for (std::size_t i = 0; i < decisions.size(); ++i) {
      if (decisions[i] == Ruling::pass) ++gate.passed;
      if (decisions[i] != Ruling::fail) continue;
      ++gate.failed;
      if (gate.failing.size() >= kMostFailing) continue;
      const std::vector<double> u = point(gate.draws + i);
      std::vector<double>& values = gate.failing.emplace_back();
      for (std::size_t k = 0; k < inputs.size(); ++k) values.push_back(inputs[k].at(u[k]));
    }
    gate.draws += kRound;
    gate.share.low = wilson_interval(gate.passed, gate.draws, kZ).low;
    gate.share.high = wilson_interval(gate.draws - gate.failed, gate.draws, kZ).high;
    if (gate.share.low >= gate.required) gate.decision = Ruling::pass;
    if (gate.share.high < gate.required) gate.decision = Ruling::fail;
    if (gate.decision == Ruling::undecided) continue;
    gate.stopped_by = "decided";
    return gate;
  }
  gate.stopped_by = "draws";
  return gate;
}

}  // namespace headrace::models
