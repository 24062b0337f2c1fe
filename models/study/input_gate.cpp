#include "models/study/input_gate.hpp"

#include <boost/math/distributions/binomial.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "models/base/task_pool.hpp"
#include "models/study/budget.hpp"
#include "models/study/deciding_inputs.hpp"
#include "models/study/looks.hpp"
#include "sim/random_stream.hpp"

namespace headrace::models {

namespace {

inline constexpr sim::Purpose kDrawInputPoints{60};  ///< uncertain input, point
constexpr double kRisk = 0.01;                       ///< the interval is looked at several times
constexpr std::uint64_t kRound = 16;                 ///< draws between looks
constexpr std::size_t kMostFailing = 3;

std::vector<double> point_of(std::uint64_t draw, std::size_t inputs, std::uint64_t seed) {
  std::vector<double> u(inputs);
  for (std::size_t i = 0; i < u.size(); ++i)
    u[i] = sim::uniform({seed, 0, kDrawInputPoints, static_cast<std::uint32_t>(i)}, draw);
  return u;
}

/// Options of a gate at one point, of which only the decision counts.
GateOptions at_point(const GateOptions& options, const std::vector<Threshold>& thresholds) {
  GateOptions at = options;
  at.study.first_epoch = std::any_of(thresholds.begin(), thresholds.end(),
                                     [](const Threshold& threshold) { return is_of_first_epoch(threshold.metric); });
  at.study.threads = 1;
  at.study.progress = {};
  at.study.replications = 1;
  at.study.courses = false;
  at.study.relief = false;
  at.looks = 2;
  at.decide_all = false;
  return at;
}

/// Nothing where all draws but one or two agree: what they have in common is chance.
std::vector<InputEffect> deciding_of(const std::vector<UncertainInput>& inputs, const std::vector<double>& passes,
                                     const std::function<std::vector<double>(std::uint64_t)>& point) {
  constexpr double kFewest = 3.0;
  const double passed = std::accumulate(passes.begin(), passes.end(), 0.0);
  if (passed < kFewest || static_cast<double>(passes.size()) - passed < kFewest) return {};
  std::vector<std::vector<double>> points;
  for (std::size_t draw = 0; draw < passes.size(); ++draw) points.push_back(point(draw));
  const sim::InputBasis basis(points.size(), inputs.size(),
                              [&](std::size_t draw, std::size_t input) { return points[draw][input]; });
  return inputs_behind_a_decision(passes, basis, inputs);
}

void keep_failing(const std::vector<UncertainInput>& inputs, const std::vector<double>& u, InputGate& gate) {
  if (gate.failing.size() >= kMostFailing) return;
  std::vector<double>& values = gate.failing.emplace_back();
  for (std::size_t k = 0; k < inputs.size(); ++k) values.push_back(inputs[k].at(u[k]));
}

/// `figures`: of every draw that misses a threshold, by threshold.
std::vector<MissedThreshold> missed_of(const std::vector<Threshold>& thresholds,
                                       std::vector<std::vector<double>>& figures) {
  std::vector<MissedThreshold> missed;
  for (std::size_t t = 0; t < thresholds.size(); ++t) {
    std::vector<double>& values = figures[t];
    if (values.empty()) continue;
    std::sort(values.begin(), values.end());
    const bool low_is_worse = thresholds[t].relation == Relation::more || thresholds[t].relation == Relation::at_least;
    missed.push_back(
        {thresholds[t], values.size(), values[values.size() / 2], low_is_worse ? values.front() : values.back()});
  }
  return missed;
}

}  // namespace

Interval exact_interval(std::uint64_t successes, std::uint64_t trials, double risk) {
  if (trials == 0) return {0.0, 1.0};
  using Law = boost::math::binomial_distribution<>;
  const auto n = static_cast<double>(trials);
  const auto k = static_cast<double>(successes);
  return {successes == 0 ? 0.0 : Law::find_lower_bound_on_p(n, k, risk / 2.0),
          successes == trials ? 1.0 : Law::find_upper_bound_on_p(n, k, risk / 2.0)};
}

InputGate check_inputs(const Scenario& scenario, const std::vector<UncertainInput>& inputs,
                       const std::vector<Threshold>& thresholds, const GateOptions& options,
                       const InputGateOptions& input_options) {
  const Budget budget(options.study);
  TaskPool pool(options.study.threads);
  const GateOptions point_options = at_point(options, thresholds);
  const auto point = [&](std::uint64_t draw) { return point_of(draw, inputs.size(), options.study.seed); };
  InputGate gate;
  std::vector<double> passes;  // per draw: 1, 0, or a half where it stays undecided
  std::vector<std::vector<double>> missed(thresholds.size());
  gate.required = input_options.required;
  const auto look = [&] {
    std::vector<GateResult> results(kRound);
    pool.run(results.size(), [&](std::size_t i) {
      if (budget.is_spent()) return;
      const Scenario at = with_inputs(scenario, inputs, point(gate.draws + i));
      GateOptions own = point_options;
      budget.limit(own.study);
      results[i] = input_options.bounds_only ? check_bounds(at, thresholds) : check_thresholds(at, thresholds, own);
    });
    if (budget.is_spent()) return Look::cut_short;  // what the clock cut short counts for nothing
    for (std::size_t i = 0; i < results.size(); ++i) {
      const Ruling decision = results[i].decision;
      passes.push_back(decision == Ruling::pass ? 1.0 : decision == Ruling::fail ? 0.0 : 0.5);
      if (decision == Ruling::pass) ++gate.passed;
      if (decision != Ruling::fail) continue;
      ++gate.failed;
      keep_failing(inputs, point(gate.draws + i), gate);
      for (std::size_t t = 0; t < results[i].judgements.size(); ++t)
        if (const Judgement& one = results[i].judgements[t]; one.decision == Ruling::fail && one.value)
          missed[t].push_back(*one.value);
    }
    gate.draws += kRound;
    gate.share.low = exact_interval(gate.passed, gate.draws, kRisk).low;
    gate.share.high = exact_interval(gate.draws - gate.failed, gate.draws, kRisk).high;
    if (gate.share.low >= gate.required) gate.decision = Ruling::pass;
    if (gate.share.high < gate.required) gate.decision = Ruling::fail;
    return gate.decision == Ruling::undecided ? Look::open : Look::decided;
  };
  const std::uint64_t most = (input_options.most_draws + kRound - 1) / kRound;
  gate.stopped_by = most > 0 ? look_until_decided(budget, most, look, "draws") : "draws";
  gate.missed = missed_of(thresholds, missed);
  gate.deciding = deciding_of(inputs, passes, point);
  return gate;
}

}  // namespace headrace::models
