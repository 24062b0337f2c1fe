#include "models/comparison.hpp"

#include <algorithm>
#include <chrono>

#include "models/fault_course.hpp"

namespace headrace::models {

namespace {

using Clock = std::chrono::steady_clock;

class PairedStudy {
 public:
  PairedStudy(const Scenario& before, const Scenario& after, const ComparisonOptions& options)
      : before_(before), after_(after), options_(options) {}

  Comparison run(const std::function<bool(const Comparison&)>& decided) {
    Comparison comparison = look_until(decided);
    if (!study(0).courses && options_.study.courses) add_courses(comparison);
    return comparison;
  }

 private:
  Comparison look_until(const std::function<bool(const Comparison&)>& decided) {
    Comparison comparison;
    const bool one_look = options_.study.steps > 0;
    comparison.confidence = one_look ? 0.95 : kComparisonConfidence;
    std::uint64_t steps = one_look ? options_.study.steps : first_length();
    for (;;) {
      if (!look(steps, comparison)) return comparison;
      comparison.stopped_by = "decided";
      if (decided(comparison)) return comparison;
      comparison.stopped_by = one_look ? "steps" : "precision";
      if (one_look || comparison.looks >= kComparisonLooks) return comparison;
      steps *= 2;
    }
  }

  double left_s() const {
    return options_.study.max_wall_s - std::chrono::duration<double>(Clock::now() - begin_).count();
  }
  StudyOptions study(std::uint64_t steps) const {
    StudyOptions study = options_.study;
    study.steps = steps;
    study.relief = false;
    study.control = false;
    study.courses = asks_for_courses();
    study.keep_series = true;
    if (study.max_wall_s > 0.0) study.max_wall_s = std::max(0.001, left_s());
    return study;
  }

  bool asks_for_courses() const { return std::any_of(options_.metrics.begin(), options_.metrics.end(), is_of_courses); }

  /// Where nothing hangs on them, the courses of the last look are enough.
  void add_courses(Comparison& comparison) const {
    if (comparison.looks == 0) return;
    add_fault_courses(before_, options_.study.seed, comparison.before);
    add_fault_courses(after_, options_.study.seed, comparison.after);
    std::vector<PairedDifference> added;
    for (const Metric& metric : comparison.before.metrics)
      if (is_of_courses(metric.name))
        if (auto difference =
                paired_difference(comparison.before, comparison.after, metric.name, comparison.confidence))
          added.push_back(std::move(*difference));
    // Behind the other metrics of the cluster, as in its outcome.
    const auto behind = std::find_if(
        comparison.differences.begin(), comparison.differences.end(),
        [&](const PairedDifference& one) { return find_in(comparison.before.metrics, one.metric) == nullptr; });
    comparison.differences.insert(behind, added.begin(), added.end());
  }

  std::uint64_t first_length() const {
    StudyOptions first = study(0);
    first.precision = options_.first_precision;
    first.courses = false;
    first.keep_series = false;
    std::uint64_t steps = 512;
    const Outcome outcome = simulate(before_, first);
    while (steps < outcome.steps) steps *= 2;
    return steps;
  }

  /// One look at both. False if the budget cut it short: what was known before stands.
  bool look(std::uint64_t steps, Comparison& comparison) const {
    Outcome before = simulate(before_, study(steps));
    Outcome after = simulate(after_, study(steps));
    if (options_.study.stop.stop_requested() || (options_.study.max_wall_s > 0.0 && left_s() <= 0.0)) {
      comparison.stopped_by = options_.study.stop.stop_requested() ? "interrupted" : "max_wall";
      if (comparison.looks > 0) return false;
      take(std::move(before), std::move(after), comparison);  // cut short, yet better than nothing
      return false;
    }
    take(std::move(before), std::move(after), comparison);
    add_replicated(steps, comparison);
    return true;
  }

  void take(Outcome before, Outcome after, Comparison& comparison) const {
    ++comparison.looks;
    comparison.before = std::move(before);
    comparison.after = std::move(after);
    comparison.differences = paired_differences(comparison.before, comparison.after, comparison.confidence);
    for (const std::string& metric : options_.metrics) {
      if (comparison.find(metric) != nullptr) continue;
      if (auto difference = paired_difference(comparison.before, comparison.after, metric, comparison.confidence))
        comparison.differences.push_back(std::move(*difference));
    }
  }

  /// Metrics asked for by name that only replications tell.
  void add_replicated(std::uint64_t steps, Comparison& comparison) const {
    const auto wanted = [&](const std::string& name) {
      const std::optional<Metric> metric = metric_of(comparison.after, name);
      return metric && needs_replications(*metric);
    };
    if (std::none_of(options_.metrics.begin(), options_.metrics.end(), wanted)) return;
    std::vector<Outcome> before{comparison.before};
    std::vector<Outcome> after{comparison.after};
    while (before.size() < options_.replications) {
      StudyOptions one = study(steps);
      one.replications = 1;
      one.first_replication += static_cast<std::uint32_t>(before.size());
      one.courses = false;  // whose metrics need no replications
      one.keep_series = false;
      before.push_back(simulate(before_, one));
      after.push_back(simulate(after_, one));
      if (before.back().stopped_by != "steps" || after.back().stopped_by != "steps") return;  // cut short
    }
    for (const std::string& name : options_.metrics) {
      if (!wanted(name)) continue;
      const auto replicated = paired_difference(std::span<const Outcome>(before), std::span<const Outcome>(after), name,
                                                comparison.confidence);
      for (PairedDifference& difference : comparison.differences)
        if (replicated && difference.metric == name) difference = *replicated;
    }
  }

  const Scenario& before_;
  const Scenario& after_;
  const ComparisonOptions& options_;
  Clock::time_point begin_ = Clock::now();
};

/// Dollars of an epoch: those that grow with its time, and the others.
struct EpochCost {
  double by_time_usd = 0.0;
  double fixed_usd = 0.0;
};

EpochCost epoch_cost(const Outcome& outcome) {
  EpochCost cost;
  for (const LedgerLine& line : outcome.ledger) (line.by_time ? cost.by_time_usd : cost.fixed_usd) += line.usd;
  return cost;
}

}  // namespace

std::optional<GainedEpochs> gained_epochs(const Comparison& comparison) {
  const PairedDifference* time = comparison.find("epoch_time_s");
  if (time == nullptr || !(time->before > 0.0) || !(time->after > 0.0)) return std::nullopt;
  constexpr double kHour = 3600.0;
  GainedEpochs gained;
  gained.before_per_hour = kHour / time->before;
  gained.after_per_hour = kHour / time->after;
  const EpochCost before = epoch_cost(comparison.before);
  const EpochCost after = epoch_cost(comparison.after);
  const double before_rate = before.by_time_usd * gained.before_per_hour;
  const double after_rate = after.by_time_usd * gained.after_per_hour;
  gained.before_usd_per_hour = before_rate + before.fixed_usd * gained.before_per_hour;
  gained.after_usd_per_hour = after_rate + after.fixed_usd * gained.after_per_hour;
  const auto usd_per_epoch = [&](double gain_per_hour) {
    const double now = gained.before_per_hour + gain_per_hour;
    return (after_rate - before_rate + after.fixed_usd * now - before.fixed_usd * gained.before_per_hour) /
           gain_per_hour;
  };
  const double gain = gained.after_per_hour - gained.before_per_hour;
  if (gain != 0.0) gained.usd_per_epoch = usd_per_epoch(gain);
  if (!time->relative_ci || !time->is_significant()) return gained;
  // e' - e = e ((1 + r)^-1 - 1), r being the relative change of the time of an epoch.
  const auto gain_at = [&](double relative) { return gained.before_per_hour * (1.0 / (1.0 + relative) - 1.0); };
  const double low = gain_at(time->relative_ci->high);
  const double high = gain_at(time->relative_ci->low);
  if (!(low * high > 0.0)) return gained;
  const double a = usd_per_epoch(low);
  const double b = usd_per_epoch(high);
  gained.usd_per_epoch_ci = Interval{std::min(a, b), std::max(a, b)};
  return gained;
}

const PairedDifference* Comparison::find(std::string_view metric) const {
  for (const PairedDifference& difference : differences)
    if (difference.metric == metric) return &difference;
  return nullptr;
}

Comparison compare(const Scenario& before, const Scenario& after, const ComparisonOptions& options,
                   const std::function<bool(const Comparison&)>& decided) {
  return PairedStudy(before, after, options).run(decided);
}

Ruling judge_change(const PairedDifference& difference, const ChangeLimit& limit) {
  const std::optional<Interval>& interval = limit.relative ? difference.relative_ci : difference.ci;
  // Nothing grows by a share of nothing: no change at all is none by any measure.
  const bool same = difference.ci && difference.ci->low == 0.0 && difference.ci->high == 0.0;
  if (!interval && !(same && limit.relative)) return Ruling::undecided;
  Threshold beyond;
  beyond.relation = limit.relation;
  beyond.limit = limit.limit;
  const Interval change = interval ? *interval : Interval{};
  const bool low = beyond.holds(change.low);
  const bool high = beyond.holds(change.high);
  if (low && high) return Ruling::fail;
  return low || high ? Ruling::undecided : Ruling::pass;
}

}  // namespace headrace::models
