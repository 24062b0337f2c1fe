#include "models/study/comparison.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "models/cluster/cluster_plan.hpp"
#include "models/interruptions/fault_course.hpp"
#include "models/interruptions/over_time.hpp"
#include "models/outcome/epoch_figures.hpp"
#include "models/outcome/ledger.hpp"
#include "models/outcome/outcome_metrics.hpp"
#include "models/path/ingest_path.hpp"
#include "models/study/budget.hpp"
#include "models/study/looks.hpp"
#include "models/study/other_starts.hpp"
#include "models/study/replications.hpp"

namespace headrace::models {

namespace {

bool is_in_dollars(const std::string& name) {
  const MetricDescription* metric = find_metric(name);
  return metric != nullptr && metric->unit == "USD";
}

class PairedStudy {
 public:
  PairedStudy(const Scenario& before, const Scenario& after, const ComparisonOptions& options)
      : before_(before),
        after_(after),
        options_(options),
        study_(with_granularity(before, after, options.study)),
        budget_(options.study),
        courses_(std::any_of(options.metrics.begin(), options.metrics.end(), is_of_courses)),
        before_study_(before, run_options()),
        after_study_(after, run_options()),
        before_replications_(before, study_, budget_),
        after_replications_(after, study_, budget_) {}

  Comparison run(const std::function<bool(const Comparison&)>& decided) {
    const bool one_look = options_.study.steps > 0;
    comparison_.confidence = one_look ? 0.95 : kLookConfidence;
    std::uint64_t steps = one_look ? options_.study.steps : first_length();
    const auto look = [&] {
      cut_short_ = !look_at(steps);
      if (cut_short_) return Look::cut_short;
      steps *= 2;
      return decided(comparison_) ? Look::decided : Look::open;
    };
    comparison_.stopped_by =
        look_until_decided(budget_, one_look ? 1 : kMostLooks, look, one_look ? "steps" : "precision");
    if (!one_look && !cut_short_) compare_starts();
    if (!courses_ && options_.study.courses) add_courses();
    if (options_.study.relief && !cut_short_) add_relief();
    return std::move(comparison_);
  }

 private:
  static StudyOptions with_granularity(const Scenario& before, const Scenario& after, StudyOptions study) {
    study.granularity = chosen_granularity(study, before, &after);  // one for both: they are compared
    return study;
  }

  StudyOptions run_options() const {
    StudyOptions study = study_;
    study.relief = false;
    study.control = false;
    study.other_starts = false;  // the sides are held against each other on the same draws
    study.courses = courses_;
    study.keep_series = true;
    return study;
  }

  /// What the side waits for over several starts, where one start does not tell.
  std::optional<Outcome> over_starts(const Scenario& scenario, const Outcome& outcome) const {
    const Metric* step = outcome.find("step_time_s");
    if (step == nullptr || options_.study.replications > 1 || changes_over_time(scenario) || is_shared(scenario))
      return std::nullopt;
    const IngestPath path = resolve_path(scenario, 0, study_.granularity.value_or(Granularity{}));
    if (!may_depend_on_start(path, step->mean)) return std::nullopt;
    StudyOptions study = study_;
    study.relief = false;
    study.courses = false;
    study.precision = options_.first_precision;
    study.scale = Scale::full;  // as the sides
    budget_.limit(study);
    Outcome found = simulate(scenario, study);
    return found.stopped_by == "other_starts" ? std::optional(std::move(found)) : std::nullopt;
  }

  /// Where a side goes on in other ways by how it starts, pairs of starts tell the differences, not pairs of steps.
  void compare_starts() {
    std::optional<Outcome> before = over_starts(before_, comparison_.before);
    std::optional<Outcome> after = over_starts(after_, comparison_.after);
    if (!before && !after) return;
    before_replications_.look_at(comparison_.before.steps, comparison_.before);
    after_replications_.look_at(comparison_.after.steps, comparison_.after);
    for (Replications* side : {&before_replications_, &after_replications_})
      if (!side->run_to(kComparedStarts)) return;
    for (PairedDifference& difference : comparison_.differences)
      if (auto replicated = paired_difference(before_replications_.outcomes(), after_replications_.outcomes(),
                                              difference.metric, comparison_.confidence))
        difference = std::move(*replicated);
    if (before) comparison_.before = std::move(*before);
    if (after) comparison_.after = std::move(*after);
    comparison_.stopped_by = "other_starts";
  }

  /// Of both sides where their GPUs wait for data: the stage that binds is told as in the outcome of each alone.
  void add_relief() {
    if (comparison_.before.verdict == Verdict::ingest_bound) before_study_.add_relief(comparison_.before);
    if (comparison_.after.verdict == Verdict::ingest_bound) after_study_.add_relief(comparison_.after);
  }

  /// Where no metric depends on them, the courses of the last look are enough.
  void add_courses() {
    if (comparison_.looks == 0) return;
    add_fault_courses(before_, options_.study.seed, comparison_.before);
    add_fault_courses(after_, options_.study.seed, comparison_.after);
    std::vector<PairedDifference> added;
    for (const Metric& metric : comparison_.before.metrics)
      if (is_of_courses(metric.name))
        if (auto difference =
                paired_difference(comparison_.before, comparison_.after, metric.name, comparison_.confidence))
          added.push_back(std::move(*difference));
    // Behind the other metrics of the cluster, as in its outcome.
    const auto behind = std::find_if(
        comparison_.differences.begin(), comparison_.differences.end(),
        [&](const PairedDifference& one) { return find_in(comparison_.before.metrics, one.metric) == nullptr; });
    comparison_.differences.insert(behind, added.begin(), added.end());
  }

  std::uint64_t first_length() {
    constexpr double kOfAll = 0.125;  // the same of the other side, and a look twice as long, are to follow
    const std::optional<double> left_s = budget_.left_s();
    const Outcome outcome = before_study_.run_until(options_.first_precision, left_s ? kOfAll * *left_s : 0.0);
    constexpr std::uint64_t kFewest = 512;
    const bool cut_short = outcome.stopped_by == "max_wall";
    return std::max(kFewest, cut_short ? std::bit_floor(outcome.steps) : std::bit_ceil(outcome.steps));
  }

  /// One look at both. False if the budget cut it short: what was known before stands.
  bool look_at(std::uint64_t steps) {
    Outcome before = before_study_.run_to(steps);
    Outcome after = after_study_.run_to(steps);
    const bool cut_short = budget_.is_spent();
    if (cut_short && comparison_.looks > 0) return false;
    take(std::move(before), std::move(after));  // cut short, yet better than nothing
    if (!cut_short) add_replicated(steps);
    return !cut_short;
  }

  void take(Outcome before, Outcome after) {
    ++comparison_.looks;
    comparison_.before = std::move(before);
    comparison_.after = std::move(after);
    comparison_.differences = paired_differences(comparison_.before, comparison_.after, comparison_.confidence);
    if (prices_machines(comparison_.before.ledger) != prices_machines(comparison_.after.ledger))
      std::erase_if(comparison_.differences, [](const PairedDifference& one) { return is_in_dollars(one.metric); });
    for (const std::string& metric : options_.metrics) {
      if (comparison_.find(metric) != nullptr) continue;
      if (auto difference = paired_difference(comparison_.before, comparison_.after, metric, comparison_.confidence))
        comparison_.differences.push_back(std::move(*difference));
    }
  }

  /// Metrics asked for by name whose intervals need replications.
  void add_replicated(std::uint64_t steps) {
    const auto wanted = [&](const std::string& name) {
      const std::optional<Metric> metric = metric_of(comparison_.after, name);
      return metric && needs_replications(*metric);
    };
    if (std::none_of(options_.metrics.begin(), options_.metrics.end(), wanted)) return;
    before_replications_.look_at(steps, comparison_.before);
    after_replications_.look_at(steps, comparison_.after);
    for (Replications* side : {&before_replications_, &after_replications_})
      if (!side->run_to(options_.replications)) return;
    for (const std::string& name : options_.metrics) {
      if (!wanted(name)) continue;
      const auto replicated = paired_difference(before_replications_.outcomes(), after_replications_.outcomes(), name,
                                                comparison_.confidence);
      for (PairedDifference& difference : comparison_.differences)
        if (replicated && difference.metric == name) difference = *replicated;
    }
  }

  const Scenario& before_;
  const Scenario& after_;
  const ComparisonOptions& options_;
  StudyOptions study_;
  Budget budget_;
  bool cut_short_ = false;
  bool courses_;  ///< a metric asked for depends on the courses of faults
  ResumableStudy before_study_;
  ResumableStudy after_study_;
  Replications before_replications_;
  Replications after_replications_;
  Comparison comparison_;
};

/// Dollars of an epoch: those that grow with its time, and the others.
struct EpochCost {
  double by_time_usd = 0.0;
  double fixed_usd = 0.0;
};

/// In the time of the cluster's epoch, which is that of its slowest job: others run several of theirs in it.
EpochCost epoch_cost(const Outcome& outcome, double epoch_s) {
  EpochCost cost;
  const EpochFigures figures = epoch_figures(outcome);
  if (figures.jobs.size() > 1) {
    for (const JobFigures& job : figures.jobs) {
      if (!(job.epoch_time_s > 0.0)) continue;
      const double epochs = job.copies * epoch_s / job.epoch_time_s;
      cost.by_time_usd += epochs * job.by_time_usd;
      cost.fixed_usd += epochs * job.fixed_usd;
    }
    return cost;
  }
  for (const LedgerLine& line : outcome.ledger) (line.by_time ? cost.by_time_usd : cost.fixed_usd) += line.usd;
  return cost;
}

}  // namespace

std::optional<GainedEpochs> gained_epochs(const Comparison& comparison) {
  const PairedDifference* time = comparison.find("epoch_time_s");
  if (time == nullptr || !(time->before > 0.0) || !(time->after > 0.0)) return std::nullopt;
  if (prices_machines(comparison.before.ledger) != prices_machines(comparison.after.ledger)) return std::nullopt;
  constexpr double kHour = 3600.0;
  GainedEpochs gained;
  gained.before_per_hour = kHour / time->before;
  gained.after_per_hour = kHour / time->after;
  const EpochCost before = epoch_cost(comparison.before, time->before);
  const EpochCost after = epoch_cost(comparison.after, time->after);
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
