#include "models/study/input_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>  // std::abs only
#include <mutex>
#include <numeric>
#include <utility>

#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/base/abandoned.hpp"
#include "models/base/deadline.hpp"
#include "models/base/failed_replication.hpp"
#include "models/base/purposes.hpp"
#include "models/base/task_pool.hpp"
#include "models/interruptions/fault_course.hpp"
#include "models/outcome/outcome_assembly.hpp"
#include "models/outcome/outcome_metrics.hpp"
#include "models/study/budget.hpp"
#include "models/study/deciding_inputs.hpp"
#include "sim/first_order_effects.hpp"
#include "sim/sobol.hpp"

namespace headrace::models {

namespace {

constexpr double kLowest = 0.1;  ///< quantiles of an input range
constexpr double kHighest = 0.9;
constexpr std::size_t kMostSimulatedPoints = 64;
constexpr std::size_t kFewestSimulatedPoints = 16;
constexpr std::size_t kEstimatedPoints = 64;
constexpr std::uint64_t kPointBudget = 10;  ///< steps of all points over those of the scenario's own run
constexpr double kLeastShare = 0.01;        ///< of variance, to be worth a line
constexpr std::size_t kMostEffects = 5;
constexpr std::size_t kMostSimulatedBars = 5;
constexpr std::size_t kMostBars = 12;              ///< of a metric
constexpr std::size_t kFirstPoints = 64;           ///< of kBoundPoints: a net of their own
constexpr std::ptrdiff_t kFewAbove = 3;            ///< of kFirstPoints: under a twentieth, where p90 asks for a tenth
constexpr double kLeastBar = 1e-6;                 ///< of the middle, to be worth a line
constexpr double kLowEnd = 0.0;                    ///< of an input's range
constexpr double kHighEnd = 0x1.fffffffffffffp-1;  ///< the last one in it

bool has_tornado(std::string_view metric) { return traits_of(metric).prominence == Prominence::headline; }

/// The metrics of an outcome, then those of each of several jobs.
std::vector<Metric*> metrics_with_jobs(Outcome& outcome) {
  std::vector<Metric*> all;
  for (Metric& metric : outcome.metrics) all.push_back(&metric);
  for (JobReport& job : outcome.jobs)
    if (job.is_beside_others())
      for (Metric& metric : job.metrics) all.push_back(&metric);
  return all;
}

/// Means of all metrics at one point.
struct PointMeans {
  std::vector<double> means;  ///< in the order of metrics_with_jobs()
  Verdict verdict = Verdict::inconclusive;
  bool answered = false;
};

/// `like`: the outcome whose metrics are asked for, of the same jobs.
PointMeans means_of(const Outcome& outcome, const Outcome& like) {
  PointMeans point;
  point.verdict = outcome.verdict;
  point.answered = true;
  const auto add = [&](const std::vector<Metric>& wanted, const std::vector<Metric>& metrics) {
    for (const Metric& metric : wanted) {
      const Metric* found = find_in(metrics, metric.name);
      point.means.push_back(found != nullptr ? found->mean : kUntold);
    }
  };
  add(like.metrics, outcome.metrics);
  for (std::size_t j = 0; j < like.jobs.size(); ++j)
    if (like.jobs[j].is_beside_others())
      add(like.jobs[j].metrics, j < outcome.jobs.size() ? outcome.jobs[j].metrics : std::vector<Metric>{});
  return point;
}

sim::SobolPoints points_of(const std::vector<UncertainInput>& inputs, std::uint64_t seed) {
  return {kBoundPoints, inputs.size(), {seed, 0, kDrawInputs, 0}};
}

std::vector<double> place_of(const sim::SobolPoints& points, std::size_t point, std::size_t inputs) {
  std::vector<double> u(inputs);
  for (std::size_t i = 0; i < inputs; ++i) u[i] = points.at(point, i);
  return u;
}

/// A bound is made of means.
std::vector<UncertainInput> seen_by_bounds(std::vector<UncertainInput> inputs) {
  std::erase_if(inputs, [](const UncertainInput& input) { return input.spread_only; });
  return inputs;
}

/// One study: the points, and who answers them.
class InputStudy {
 public:
  InputStudy(const Scenario& scenario, const std::vector<UncertainInput>& inputs, const PointAnswers& answers,
             Outcome& outcome)
      : scenario_(scenario),
        inputs_(inputs),
        answers_(answers),
        outcome_(outcome),
        points_(points_of(inputs, answers.seed)),
        basis_(kBoundPoints, inputs.size(), [this](std::size_t point, std::size_t i) { return points_.at(point, i); }) {
  }

  void run() {
    TaskPool pool(answers_.threads);
    std::vector<PointMeans> own(answers_.points);
    runs_ = own.size() + 2 * most_bars() + 1;
    if (!answer_all(
            pool, own, [this](std::size_t i) { return with_inputs(scenario_, inputs_, place(i)); },
            [this](std::size_t i) { return point_text(place(i)); })) {
      outcome_.warnings.push_back({"input ranges were not measured: the run ended early",
                                   "they need the answer at " + std::to_string(own.size()) + " points",
                                   "give the run more time, or use bound --inputs ranges"});
      return;
    }
    std::vector<PointMeans> bound;
    if (own.size() < kBoundPoints) {
      bound.resize(kBoundPoints);
      const IngestPath keeps_tables = resolve_path(scenario_, 0, {});
      pool.run(bound.size(), [&](std::size_t i) {
        bound[i] = means_of(flow_bound(with_inputs(scenario_, inputs_, place(i))), outcome_);
      });
    }
    report(own, bound);
    add_bars(pool);
  }

 private:
  std::vector<double> place(std::size_t point) const { return place_of(points_, point, inputs_.size()); }

  static std::vector<double> column(const std::vector<PointMeans>& points, std::size_t metric) {
    std::vector<double> values;
    for (const PointMeans& point : points) values.push_back(point.means[metric]);
    return values;
  }

  /// Every input with its value there, as --set takes it.
  std::string point_text(const std::vector<double>& u) const {
    std::string text;
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      text += fmt::format("{}{}={:.9g}", i == 0 ? "" : ", ", inputs_[i].pointer, inputs_[i].at(u[i]));
    return text;
  }

  bool answer_all(TaskPool& pool, std::vector<PointMeans>& points, const std::function<Scenario(std::size_t)>& at,
                  const std::function<std::string(std::size_t)>& text_of);
  void report(const std::vector<PointMeans>& own, const std::vector<PointMeans>& bound);
  MetricDrivers drivers_of(const std::string& metric, const sim::Response& response) const;
  void choose_next();
  std::size_t most_bars() const { return answers_.most_bars > 0 ? answers_.most_bars : inputs_.size(); }
  bool is_measured_next(const std::string& pointer) const;
  std::vector<std::size_t> bar_inputs() const;
  void add_bars(TaskPool& pool);

  const Scenario& scenario_;
  const std::vector<UncertainInput>& inputs_;
  const PointAnswers& answers_;
  Outcome& outcome_;
  sim::SobolPoints points_;
  sim::InputBasis basis_;
  std::size_t runs_ = 0;  ///< of everything that is answered, for the progress
  std::size_t done_ = 0;
};

/// False where the study was cancelled.
bool InputStudy::answer_all(TaskPool& pool, std::vector<PointMeans>& points,
                            const std::function<Scenario(std::size_t)>& at,
                            const std::function<std::string(std::size_t)>& text_of) {
  std::mutex progress;
  std::atomic<bool> cancelled{false};
  pool.run(points.size(), [&](std::size_t i) {
    if (cancelled || (answers_.cancelled && answers_.cancelled())) {
      cancelled = true;
      return;
    }
    try {
      points[i] = means_of(answers_.answer(at(i)), outcome_);
    } catch (const FailedReplication& error) {  // of another scenario than the one asked about: no replay finds it
      throw sim::InternalError(fmt::format("{}, at a point of the input ranges: {}", error.what(), text_of(i)));
    } catch (const Abandoned&) {
      if (!answers_.cancelled || !answers_.cancelled()) throw;
      cancelled = true;
      return;
    } catch (const UnusableRequest& error) {
      throw UnusableRequest(fmt::format("{}, at a point of the input ranges: {}", error.what(), text_of(i)),
                            error.fix());
    }
    const std::lock_guard<std::mutex> one_at_a_time(progress);
    ++done_;
    if (answers_.progress) answers_.progress(static_cast<double>(done_) / static_cast<double>(runs_));
  });
  return !cancelled;
}

MetricDrivers InputStudy::drivers_of(const std::string& metric, const sim::Response& response) const {
  return {metric, deciding_inputs(response, basis_, inputs_, kLeastShare, kMostEffects)};
}

/// Of both, where there is a control.
std::pair<double, double> range_of(const std::vector<double>& values, const std::vector<double>& control) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const std::pair<double, double> range{*least, *most};
  if (control.empty()) return range;
  const auto [least_bound, most_bound] = std::minmax_element(control.begin(), control.end());
  return {std::min(range.first, *least_bound), std::max(range.second, *most_bound)};
}

void InputStudy::report(const std::vector<PointMeans>& own, const std::vector<PointMeans>& bound) {
  InputReport report;
  report.points = own.size();
  report.bound_points = bound.size();
  report.steps = answers_.steps;
  for (const UncertainInput& input : inputs_)
    report.inputs.push_back(
        {input.pointer, input.unit, input.value, input.low, input.high, input.evidence, input.stated});
  for (const PointMeans& point : own)
    report.verdicts[static_cast<std::size_t>(point.verdict)] += 1.0 / static_cast<double>(own.size());
  const std::vector<Metric*> metrics = metrics_with_jobs(outcome_);
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    Metric& metric = *metrics[m];
    const std::vector<double> y = column(own, m);
    std::vector<double> control = bound.empty() ? std::vector<double>{} : column(bound, m);
    if (!control.empty() && control.front() != control.front()) control.clear();  // the bound does not know it
    if (y.front() != y.front()) continue;
    const sim::Response response{y, control};
    // The control adds what the bound knows of points that were not run: it must not leave what the runs and bounds
    // say.
    const auto [least, most] = range_of(y, control);
    const double low = std::clamp(sim::quantile_over_points(response, kLowest), least, most);
    const double high = std::clamp(sim::quantile_over_points(response, kHighest), least, most);
    metric.input_range = Interval{std::min(low, high), std::max(low, high)};
    if (m >= outcome_.metrics.size()) continue;  // what is behind a figure is said of the whole cluster
    MetricDrivers drivers = drivers_of(metric.name, response);
    if (!drivers.effects.empty()) report.drivers.push_back(std::move(drivers));
  }
  outcome_.restate_lone_job();
  outcome_.inputs = std::move(report);
  choose_next();
}

/// The inputs behind the step time, then those behind the cost.
void InputStudy::choose_next() {
  std::vector<std::string>& next = outcome_.inputs->measure_next;
  for (const char* metric : {"step_time_s", "cost_per_epoch_usd"})
    for (const MetricDrivers& drivers : outcome_.inputs->drivers) {
      if (drivers.metric != metric) continue;
      for (const InputEffect& effect : drivers.effects)
        if (next.size() < 3 && std::find(next.begin(), next.end(), effect.parameter) == next.end())
          next.push_back(effect.parameter);
    }
}

bool InputStudy::is_measured_next(const std::string& pointer) const {
  const std::vector<std::string>& next = outcome_.inputs->measure_next;
  return std::find(next.begin(), next.end(), pointer) != next.end();
}

/// Inputs that are put at the ends of their ranges: all, or those that are named to be measured next, and then those
/// that cause most of the spread of what is drawn.
std::vector<std::size_t> InputStudy::bar_inputs() const {
  std::vector<std::size_t> chosen(inputs_.size());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  if (answers_.most_bars == 0) return chosen;
  std::vector<double> shares(inputs_.size(), 0.0);
  for (const MetricDrivers& drivers : outcome_.inputs->drivers) {
    if (!has_tornado(drivers.metric)) continue;
    for (const InputEffect& effect : drivers.effects)
      for (std::size_t i = 0; i < inputs_.size(); ++i)
        if (inputs_[i].pointer == effect.parameter) shares[i] = std::max(shares[i], effect.share);
  }
  constexpr double kNamed = 1.0;  // more than any share
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    if (is_measured_next(inputs_[i].pointer)) shares[i] += kNamed;
  std::erase_if(chosen, [&](std::size_t i) { return !(shares[i] > 0.0); });
  std::stable_sort(chosen.begin(), chosen.end(), [&](std::size_t a, std::size_t b) { return shares[a] > shares[b]; });
  if (chosen.size() > answers_.most_bars) chosen.resize(answers_.most_bars);
  return chosen;
}

double width_of(const InputBar& bar, double middle) {
  return std::max({bar.at_low, bar.at_high, middle}) - std::min({bar.at_low, bar.at_high, middle});
}

void InputStudy::add_bars(TaskPool& pool) {
  const std::vector<std::size_t> chosen = bar_inputs();
  if (chosen.empty()) return;
  runs_ = done_ + 2 * chosen.size() + 1;
  std::vector<PointMeans> ends(2 * chosen.size() + 1);  // the last one is the scenario as it is
  const auto end_of = [](std::size_t i) { return i % 2 == 0 ? kLowEnd : kHighEnd; };
  const bool all = answer_all(
      pool, ends,
      [&](std::size_t i) {
        if (i / 2 == chosen.size()) return scenario_;
        return with_inputs(scenario_, {inputs_[chosen[i / 2]]}, {end_of(i)});
      },
      [&](std::size_t i) {
        if (i / 2 == chosen.size()) return std::string("the scenario as it is");
        const UncertainInput& input = inputs_[chosen[i / 2]];
        return fmt::format("{}={:.9g}", input.pointer, input.at(end_of(i)));
      });
  if (!all) {
    outcome_.warnings.push_back({"the ends of the input ranges were not measured: the run ended early",
                                 "they need " + std::to_string(ends.size()) + " answers more", "give it more time"});
    return;
  }
  for (std::size_t m = 0; m < outcome_.metrics.size(); ++m) {
    const std::string& name = outcome_.metrics[m].name;
    if (!has_tornado(name)) continue;
    MetricTornado tornado{name, ends.back().means[m], {}};
    for (std::size_t i = 0; i < chosen.size(); ++i)
      tornado.bars.push_back({inputs_[chosen[i]].pointer, ends[2 * i].means[m], ends[2 * i + 1].means[m]});
    const double least = kLeastBar * std::abs(tornado.middle);
    // What is named to be measured next may act beside other inputs only: a bar of no width.
    std::erase_if(tornado.bars, [&](const InputBar& bar) {
      return !(width_of(bar, tornado.middle) > least) && (name != "step_time_s" || !is_measured_next(bar.parameter));
    });
    std::stable_sort(tornado.bars.begin(), tornado.bars.end(), [&](const InputBar& a, const InputBar& b) {
      return width_of(a, tornado.middle) > width_of(b, tornado.middle);
    });
    if (tornado.bars.size() > kMostBars) tornado.bars.resize(kMostBars);
    if (!tornado.bars.empty()) outcome_.inputs->tornado.push_back(std::move(tornado));
  }
}

/// How many points, and how long each.
struct PointPlan {
  std::size_t points = kFewestSimulatedPoints;
  std::uint64_t steps = 1;
};

PointPlan plan_points(const Outcome& outcome, const IngestPath& path) {
  std::uint64_t window_steps = 0;
  for (const WindowReport& window : outcome.windows) window_steps += window.warm_up_steps + window.measured_steps;
  const std::uint64_t own = std::max<std::uint64_t>(1, window_steps / std::max<std::size_t>(1, outcome.windows.size()));
  // Long enough for its warm-up and as much again.
  const std::uint64_t least = std::min<std::uint64_t>(own, 10ULL * path.outstanding + 64);
  PointPlan plan;
  plan.points = std::clamp(std::bit_floor(static_cast<std::size_t>(kPointBudget * own / least)), kFewestSimulatedPoints,
                           kMostSimulatedPoints);
  plan.steps = kPointBudget * own / plan.points;
  return plan;
}

}  // namespace

void add_input_ranges(const Scenario& scenario, const std::vector<UncertainInput>& inputs, const PointAnswers& answers,
                      Outcome& outcome) {
  InputStudy(scenario, inputs, answers, outcome).run();
}

Outcome flow_bound_over(const Scenario& scenario, const std::vector<UncertainInput>& inputs, std::uint64_t seed) {
  const std::vector<UncertainInput> seen = seen_by_bounds(inputs);
  const IngestPath keeps_tables = resolve_path(scenario, 0, {});
  Outcome outcome = flow_bound(scenario);
  outcome.seed = seed;
  PointAnswers answers;
  answers.answer = [](const Scenario& at) { return flow_bound(at); };
  answers.seed = seed;
  add_input_ranges(scenario, seen, answers, outcome);
  return outcome;
}

std::optional<double> bound_high_over(const Scenario& scenario, const std::vector<UncertainInput>& inputs,
                                      std::uint64_t seed, std::string_view metric, double least) {
  const std::vector<UncertainInput> seen = seen_by_bounds(inputs);
  if (seen.empty()) return std::nullopt;
  const IngestPath keeps_tables = resolve_path(scenario, 0, {});
  const sim::SobolPoints points = points_of(seen, seed);
  std::vector<double> values(kBoundPoints);
  TaskPool pool(0);
  const auto answer = [&](std::size_t begin, std::size_t end) {
    pool.run(end - begin, [&](std::size_t i) {
      const std::size_t point = begin + i;
      const Outcome bound = flow_bound(with_inputs(scenario, seen, place_of(points, point, seen.size())));
      const Metric* found = bound.find(metric);
      values[point] = found == nullptr ? least : found->mean;
    });
  };
  answer(0, kFirstPoints);
  const auto above = [&](double value) { return value > least; };
  if (std::count_if(values.begin(), values.begin() + kFirstPoints, above) <= kFewAbove) return std::nullopt;
  answer(kFirstPoints, kBoundPoints);
  const double high = sim::quantile_over_points({values, {}}, kHighest);
  return high > least ? std::optional(high) : std::nullopt;
}

Outcome estimate_over(const Scenario& scenario, const std::vector<UncertainInput>& inputs, std::uint64_t seed) {
  Outcome outcome = queueing_estimate(scenario, seed);
  PointAnswers answers;
  answers.points = kEstimatedPoints;
  answers.answer = [seed](const Scenario& at) { return queueing_estimate(at, seed); };
  answers.seed = seed;
  add_input_ranges(scenario, inputs, answers, outcome);
  return outcome;
}

Outcome simulate_over(const Scenario& scenario, const std::vector<UncertainInput>& inputs,
                      const StudyOptions& options) {
  const Budget budget(options);
  Outcome outcome = simulate(scenario, options);
  StudyOptions at_point = options;
  at_point.granularity = chosen_granularity(options, scenario);
  const Deadline deadline(budget.left_s(), options.abandon, options.stop);
  at_point.abandon = deadline.token();
  const PointPlan plan = plan_points(outcome, resolve_path(scenario, 0, at_point.granularity.value_or(Granularity{})));
  at_point.steps = plan.steps;
  at_point.replications = 1;
  at_point.threads = 1;
  at_point.relief = false;
  at_point.verdict_by_means = true;  // its run is too short for intervals
  at_point.control = false;          // all points alike, for the draws that they share
  at_point.max_wall_s = 0.0;
  at_point.progress = {};
  at_point.courses = false;
  PointAnswers answers;
  answers.points = plan.points;
  answers.most_bars = kMostSimulatedBars;
  answers.steps = plan.steps;
  answers.seed = options.seed;
  answers.threads = options.threads;
  answers.answer = [at_point](const Scenario& at) {
    Outcome answer = simulate(at, at_point);
    add_fault_courses(at, at_point.seed, answer, CourseCount::enough);
    return answer;
  };
  if (options.progress)
    answers.progress = [&](double fraction) { options.progress({fraction, 0.0, "input ranges", plan.steps}); };
  answers.cancelled = [&] { return budget.is_spent(); };
  Scenario closed_form = scenario;  // item by item, a cache would cost as much at each point as in the run itself
  for (Pool& pool : closed_form.cluster.pools) pool.cache.fidelity = CacheFidelity::statistical;
  add_input_ranges(closed_form, inputs, answers, outcome);
  return outcome;
}

}  // namespace headrace::models
