#include "scenarios/planner/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

#include "models/answer/flow_bound.hpp"
#include "models/base/limits.hpp"
#include "models/cluster/cluster_plan.hpp"
#include "models/outcome/confidence.hpp"
#include "models/path/ingest_path.hpp"
#include "scenarios/document/shell_quoted.hpp"
#include "scenarios/planner/advice.hpp"
#include "scenarios/planner/free_decisions.hpp"
#include "scenarios/planner/front.hpp"
#include "scenarios/planner/options_compared.hpp"
#include "scenarios/planner/range_choice.hpp"
#include "scenarios/planner/same_data.hpp"

namespace headrace::scenarios {
namespace {

constexpr std::size_t kMostAlternatives = 5;
constexpr std::size_t kMostFrontRuns = 60;

std::optional<models::PlanGoal> second_goal(const models::PlanObjective& objective) {
  switch (objective.against) {
    case models::SecondGoal::cost_per_epoch:
      return models::PlanGoal::cost_per_epoch;
    case models::SecondGoal::epoch_time:
      return models::PlanGoal::epoch_time;
    case models::SecondGoal::idle:
      return models::PlanGoal::idle;
    case models::SecondGoal::tco:
      return models::PlanGoal::tco;
    default:
      return std::nullopt;
  }
}

void check_request(const models::Scenario& scenario) {
  if (is_shared(scenario)) plan_cluster(scenario, {});  // throws what cannot be simulated
  if (scenario.jobs.front().loader.synchronous && scenario.decide.empty())
    throw models::UnusableRequest("a synchronous loader has neither workers nor prefetch depth to choose",
                                  "name a decision: decide, or --decide");
}

std::string level_text(SearchLevel level) {
  switch (level) {
    case SearchLevel::uncontended:
      return "without contention";
    case SearchLevel::race:
      return "raced";
    case SearchLevel::full:
      return "run in full";
    default:
      return "bounded";
  }
}

std::string values_text(const Space& space, Point point) {
  std::string text;
  const std::vector<std::size_t> where = space.positions(point);
  for (std::size_t a = 0; a < where.size(); ++a)
    text += fmt::format("{}{}={}", a > 0 ? " " : "", space.axes()[a].name(), space.axes()[a].text(where[a]));
  return text;
}

/// What makes the recommended configuration of today's, also as a command line takes it.
void write_settings(const ScenarioField& field, Point point, Plan& plan) {
  for (const Setting& setting : field.space().changes(point))
    plan.set_values.push_back(setting.pointer + "=" + value_text(setting.value));
  for (const std::string& assignment : plan.set_values) plan.sets.push_back("--set " + shell_quoted(assignment));
  plan.chosen = field.space().at(point);
}

void write_trace(const ScenarioField& field, Plan& plan) {
  double least = std::numeric_limits<double>::infinity();
  double best_mean = -least;  // where nothing was found, nothing is close to it
  if (plan.search.best < plan.search.visits.size()) {
    const Visit& best = plan.search.visits[plan.search.best];
    best_mean = field.goal(best.point, std::max(best.bound_step_s, best.step_s.mean));
  }
  for (std::size_t i = 0; i < plan.search.visits.size(); ++i) {
    const Visit& visit = plan.search.visits[i];
    const double bound = field.goal(visit.point, visit.bound_step_s);
    const double mean = field.goal(visit.point, std::max(visit.bound_step_s, visit.step_s.mean));
    const bool ran = visit.level != SearchLevel::bound && std::isfinite(mean);
    SearchStep step{values_text(field.space(), visit.point), level_text(visit.level), bound, std::nullopt, false, {}};
    if (ran) step.mean = mean;
    step.best_so_far = ran && visit.admitted && mean < least;
    if (step.best_so_far) least = mean;
    const bool is_close = ran && mean <= best_mean * (1.0 + plan.indifference);
    step.fate = i == plan.search.best ? "recommended"
                : !visit.fate.empty() ? visit.fate
                : is_close            ? "within the indifference of the recommended one"
                                      : "others that ran are better";
    plan.trace.push_back(std::move(step));
  }
}

/// The best of what was run beside the recommended one. Returns the first of them.
std::optional<Point> add_others(const ScenarioField& field, Plan& plan) {
  std::vector<std::pair<double, std::size_t>> others;
  for (std::size_t i = 0; i < plan.search.visits.size(); ++i) {
    const Visit& visit = plan.search.visits[i];
    const bool ran = visit.level >= SearchLevel::race && visit.mean < std::numeric_limits<double>::infinity();
    if (ran && i != plan.search.best) others.emplace_back(visit.mean, i);
  }
  std::sort(others.begin(), others.end());
  for (std::size_t k = 0; k < std::min(kMostAlternatives, others.size()); ++k)
    plan.alternatives.push_back(planned_point(field, plan.search.visits[others[k].second]));
  if (plan.alternatives.empty()) return std::nullopt;
  plan.runner_up = plan.alternatives.front();
  return plan.search.visits[others.front().second].point;
}

/// What is better by its bound than the recommended one by more than the zone, and forbidden: the best of each limit.
void find_forbidden(const ScenarioField& field, Plan& plan) {
  constexpr std::size_t kMost = 3;
  const double best = plan.search.visits[plan.search.best].mean * (1.0 - plan.indifference);
  for (const Obstacle& obstacle : plan.obstacles)
    if (obstacle.cheapest && obstacle.cheapest_goal < best)
      plan.forbidden.push_back(
          {values_text(field.space(), *obstacle.cheapest), obstacle.cheapest_text, obstacle.cheapest_goal});
  for (const Visit& visit : plan.search.visits) {
    const double bound = field.goal(visit.point, visit.bound_step_s);
    if (std::isfinite(visit.mean) || !(bound < best) || visit.fate.empty()) continue;
    plan.forbidden.push_back({values_text(field.space(), visit.point), "in simulation: " + visit.fate, bound});
  }
  std::stable_sort(plan.forbidden.begin(), plan.forbidden.end(),
                   [](const ForbiddenPoint& a, const ForbiddenPoint& b) { return a.bound < b.bound; });
  if (plan.forbidden.size() > kMost) plan.forbidden.resize(kMost);
}

const PlanFigure& figure_of(const PlannedPoint& planned, models::PlanGoal goal) {
  switch (goal) {
    case models::PlanGoal::epoch_time:
      return planned.epoch_time_s;
    case models::PlanGoal::idle:
      return planned.idle_fraction;
    default:
      return planned.cost_usd;
  }
}

/// What the recommendation makes of the limits that are figures; rooms say for themselves what is left of them.
std::vector<EventFigure> limits_of(const ScenarioField& field, const PlannedPoint& planned, const Visit& visit) {
  const models::SubjectTo asked = field.request().subject_to.value_or(models::SubjectTo{});
  std::vector<EventFigure> limits;
  const auto add = [&limits](const char* figure, const char* unit, double value, std::optional<double> limit) {
    if (limit) limits.push_back({{}, figure, unit, value, *limit});
  };
  const bool total = field.request().objective && field.request().objective->counts_total_cost();
  add("gpu_idle_fraction", "1", planned.idle_fraction.mean, asked.idle_fraction);
  add("epoch_time_s", "s", planned.epoch_time_s.mean, asked.epoch_time_s);
  add("time_to_first_step_s", "s", planned.first_step_s, asked.first_step_s);
  add(total ? "total_cost_per_epoch_usd" : "cost_per_epoch_usd", "USD", planned.cost_usd.mean, asked.cost_usd);
  add("egress_per_epoch_usd", "USD", field.measure(visit.point, visit.step_s).figures.egress_usd, asked.egress_usd);
  return limits;
}

void take_figures(const PlannedPoint& from, PlannedPoint& to) {
  to.step_time_s = from.step_time_s;
  to.epoch_time_s = from.epoch_time_s;
  to.cost_usd = from.cost_usd;
  to.idle_fraction = from.idle_fraction;
  to.goodput_fraction = from.goodput_fraction;
  to.jobs = from.jobs;
}

/// Today's configuration may be the recommended one, or the runner-up: then runs of two lengths must not show two
/// figures for it.
void show_today_once(Plan& plan) {
  if (!plan.today || !plan.recommended) return;
  if (plan.today->takes_values_of(*plan.recommended)) {
    take_figures(*plan.recommended, *plan.today);
    plan.horizon_today = plan.horizon;
  } else if (plan.runner_up && plan.today->takes_values_of(*plan.runner_up)) {
    take_figures(*plan.today, *plan.runner_up);
  }
}

/// Two values of a goal, with their unit.
std::string goal_pair(models::PlanGoal goal, double now, double then) {
  if (models::counts_dollars(goal)) return fmt::format("${:.2f} against ${:.2f} per epoch", now, then);
  if (goal == models::PlanGoal::idle)
    return fmt::format("GPUs wait {:.1f} % against {:.1f} % of the time", 100.0 * now, 100.0 * then);
  return fmt::format("an epoch takes {:.6g} s against {:.6g} s", now, then);
}

/// Today's configuration may be better than all that was allowed, where its values are not among those.
void compare_with_today(const ScenarioField& field, Plan& plan) {
  const Space& space = field.space();
  if (!plan.today || !plan.recommended || space.today()) return;
  const PlanFigure& now = figure_of(*plan.today, plan.goal);
  const PlanFigure& then = figure_of(*plan.recommended, plan.goal);
  const double least = plan.goal == models::PlanGoal::idle ? plan.indifference : plan.indifference * then.mean;
  if (!now.ci95 || !(now.ci95->high + least < then.mean)) return;
  const models::SubjectTo limits = field.request().subject_to.value_or(models::SubjectTo{});
  const auto over = [](const PlanFigure& figure, std::optional<double> limit) {
    return models::exceeds(figure.mean, limit);
  };
  if (over(plan.today->idle_fraction, limits.idle_fraction) || over(plan.today->epoch_time_s, limits.epoch_time_s) ||
      over(plan.today->cost_usd, limits.cost_usd) || over({plan.today->first_step_s, {}}, limits.first_step_s))
    return;
  std::string own;
  for (std::size_t a = 0; a < space.axes().size(); ++a)
    if (!space.own_position(a))
      own += fmt::format("{}{} {}", own.empty() ? "" : ", ", space.axes()[a].name(), space.own_text(a));
  plan.warnings.emplace_back(
      "today's configuration is better than all choices: " + goal_pair(plan.goal, now.mean, then.mean),
      own.empty() ? "the choices do not contain its combination of values" : "not among the choices: " + own,
      field.request().must_hold_under.empty()
          ? "keep it, or add its values to the decisions"
          : "keep it if it meets the limits under the events, or add its values to the decisions");
}

/// The longest epoch may become shorter at the cost of GPUs of other jobs.
void warn_of_jobs_that_lose(Plan& plan) {
  constexpr double kMuch = 0.02;  // of a job's GPU time
  if (plan.goal != models::PlanGoal::epoch_time || !plan.today || !plan.recommended) return;
  const std::vector<PlannedJob>& now = plan.today->jobs;
  const std::vector<PlannedJob>& then = plan.recommended->jobs;
  if (now.empty() || now.size() != then.size()) return;
  const PlannedJob& longest = *std::max_element(
      now.begin(), now.end(), [](const PlannedJob& a, const PlannedJob& b) { return a.epoch_time_s < b.epoch_time_s; });
  for (std::size_t j = 0; j < now.size(); ++j)
    if (then[j].idle_fraction - now[j].idle_fraction > kMuch)
      plan.warnings.emplace_back(
          fmt::format("the recommended configuration makes job {} wait: {:.1f} % of its GPU time instead of {:.1f} %",
                      now[j].name, 100.0 * then[j].idle_fraction, 100.0 * now[j].idle_fraction),
          fmt::format("the goal is the longest epoch alone, today that of {}", longest.name),
          "to count the waits of all GPUs: --set /objective/minimize=idle");
}

Plan begin_plan(const models::Scenario& scenario, const PlanOptions& options, const std::vector<PlanAxis>& axes) {
  const models::PlanObjective objective = scenario.objective.value_or(models::PlanObjective{});
  Plan plan;
  plan.goal = objective.minimize;
  // Without a price every configuration costs nothing.
  const double today_usd = models::cluster_bound(scenario).figures.cost_usd;
  plan.priced = today_usd > 0.0;
  plan.without_prices = models::counts_dollars(plan.goal) && !plan.priced;
  plan.total_cost = objective.counts_total_cost();
  if (plan.without_prices) plan.goal = models::PlanGoal::epoch_time;
  plan.against = second_goal(objective);
  plan.indifference = objective.indifference;
  plan.asked_confidence = objective.confidence;
  plan.seed = options.seed;
  for (const PlanAxis& axis : axes) {
    plan.default_decisions = plan.default_decisions || axis.chosen_here;
    std::vector<std::string> values;
    for (std::size_t i = 0; i < axis.size(); ++i) values.push_back(axis.text(i));
    plan.axes.push_back({axis.name(), std::move(values), axis.axis.parameters.front().pointer});
  }
  return plan;
}

/// The time that a plan may take, in shares: the search must leave some for trimming, those for the front and the
/// advice. Remembers what ended a part early.
class Allowance {
 public:
  explicit Allowance(const PlanOptions& options) : options_(options) {
    if (options.cancelled || options.max_wall_s > 0.0) watch_ = std::jthread([this](const auto& end) { watch(end); });
  }

  /// Ends a run that goes on when the whole time is over or somebody asked.
  std::stop_token stop() const { return stop_.get_token(); }

  /// Asks whether a part that may use up `share` of the whole time must end.
  std::function<bool()> until(double share) {
    return [this, share] {
      if (options_.cancelled && options_.cancelled()) interrupted_ = true;
      const double wall_s = std::chrono::duration<double>(Clock::now() - begin_).count();
      const bool late = options_.max_wall_s > 0.0 && wall_s > share * options_.max_wall_s;
      if (late) late_ = true;
      return late || interrupted_.load();
    };
  }
  StoppedBy stopped_by(const SearchResult& search) const {
    if (interrupted_) return StoppedBy::interrupted;
    if (late_) return StoppedBy::max_wall;
    return search.out_of_points && search.proof == Proof::none ? StoppedBy::max_points : StoppedBy::none;
  }

 private:
  using Clock = std::chrono::steady_clock;

  void watch(const std::stop_token& end) {
    const std::function<bool()> is_over = until(1.0);
    while (!end.stop_requested()) {
      if (is_over()) stop_.request_stop();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }

  const PlanOptions& options_;
  Clock::time_point begin_ = Clock::now();
  std::atomic<bool> interrupted_ = false;
  std::atomic<bool> late_ = false;
  std::stop_source stop_;
  std::jthread watch_;  ///< last: it uses the others
};

/// Tells who waits for a plan what it knows by now.
class PlanTeller {
 public:
  PlanTeller(const PlanOptions& options, models::PlanGoal goal) : options_(options) { known_.goal = goal; }

  void tell(std::string phase, std::size_t runs) {
    known_.phase = std::move(phase);
    known_.runs = runs;
    if (options_.progress) options_.progress(known_);
  }

  void tell(const Space& space, const SearchProgress& now) {
    known_.best.clear();
    const std::vector<std::size_t> where = space.positions(now.best);
    for (std::size_t a = 0; a < where.size(); ++a)
      known_.best += fmt::format("{}{} {}", a == 0 ? "" : ", ", space.axes()[a].name(), space.axes()[a].text(where[a]));
    known_.goal_value = now.goal;
    known_.simulated = now.simulated;
    known_.better = now.goal > now.next_bound ? (now.goal - now.next_bound) / now.goal : 0.0;
    tell("racing", now.runs);
  }

 private:
  const PlanOptions& options_;
  PlanProgress known_;
};

constexpr double kSearchShare = 0.45;
constexpr double kTrimShare = 0.65;
constexpr double kFrontShare = 0.8;

}  // namespace

tl::expected<Plan, Diagnostics> make_plan(const LoadedScenario& loaded, std::vector<PlanAxis> axes,
                                          const Catalogue& catalogue, const PlanOptions& options) {
  check_request(loaded.value);
  Allowance allowance(options);
  std::vector<models::Warning> warnings;
  keep_samples(loaded, axes, warnings);
  Plan plan = begin_plan(loaded.value, options, axes);
  auto space = Space::make(loaded, std::move(axes), catalogue);
  if (!space) return tl::unexpected(std::move(space.error()));
  if (auto same = check_same_data(loaded, *space); !same) return tl::unexpected(std::move(same.error()));
  plan.warnings = std::move(warnings);
  for (models::Warning& warning : one_sided_decisions(loaded, *space)) plan.warnings.push_back(std::move(warning));
  if (plan.priced && models::counts_dollars(plan.goal))
    for (models::Warning& warning : free_decisions(loaded.value, *space)) plan.warnings.push_back(std::move(warning));
  SearchOptions search_options;
  search_options.indifference = plan.indifference;
  search_options.confidence = plan.asked_confidence;
  search_options.most_points = options.most_points;
  search_options.threads = options.threads;
  search_options.cancelled = allowance.until(kSearchShare);
  search_options.closing_cancelled = allowance.until(kTrimShare);
  PlanTeller teller(options, plan.goal);
  teller.tell("bounding", 0);
  ScenarioField field(*space, loaded.value, plan.goal, options.seed, options.threads, search_options.cancelled,
                      allowance.stop());
  if (options.scale == models::Scale::full) field.allow(Shortcut::proof);
  plan.obstacles = field.obstacles();
  plan.stopped_by = allowance.stopped_by(plan.search);
  plan.search.cancelled = plan.stopped_by != StoppedBy::none;
  if (plan.search.cancelled) return plan;  // not all points have their bounds
  if (options.progress) search_options.progress = [&](const SearchProgress& now) { teller.tell(field.space(), now); };
  plan.search = search(field, search_options);
  search_options.progress = {};
  for (std::size_t a = 0; plan.search.found() && plan.search.before_keeping && a < field.space().axes().size(); ++a) {
    const Point before = *plan.search.before_keeping;
    const Point kept = plan.search.visits[plan.search.best].point;
    if (field.space().positions(before)[a] != field.space().positions(kept)[a])
      plan.indifferent.push_back(field.space().axes()[a].name());
  }
  std::optional<RobustField> ranges;
  if (options.ranges && plan.search.found()) {
    teller.tell("ranges of inputs", plan.search.contended_runs);
    const std::function<bool()> over = allowance.until(kTrimShare);
    ranges.emplace(field, loaded, RobustField::Options{0, over, options.threads, options.ranges->level});
    // Twice what the search and its warm-ups took: with its advice a plan takes about twice as long as without ranges.
    constexpr std::uint64_t kFewestDraws = 32;
    const std::uint64_t of_draw = ranges->steps_of_draw(plan.search.visits[plan.search.best].point);
    const std::uint64_t of_search =
        plan.search.contended_steps + plan.search.contended_runs * (of_draw - field.first_steps());
    ranges->allow(std::max(2 * of_search, kFewestDraws * of_draw));
    choose_over_ranges(field, *ranges, *options.ranges, over, plan);
  }
  plan.event_runs = field.event_runs();
  write_trace(field, plan);
  plan.stopped_by = allowance.stopped_by(plan.search);
  if (!plan.search.found()) return plan;
  plan.recommended = planned_point(field, plan.search.visits[plan.search.best]);
  write_settings(field, plan.search.visits[plan.search.best].point, plan);
  const models::Outcome bound = models::flow_bound(*plan.chosen);
  plan.evidence = bound.evidence;
  plan.confidence = models::confidence_of(bound);
  const Visit& best = plan.search.visits[plan.search.best];
  if (plan.total_cost)
    plan.horizon = models::horizon_cost(*plan.chosen, field.measure(best.point, best.step_s).figures, bound);
  plan.events = field.events_of(plan.search.visits[plan.search.best].point);
  plan.limits = limits_of(field, *plan.recommended, plan.search.visits[plan.search.best]);
  const std::optional<Point> runner_up = add_others(field, plan);
  find_forbidden(field, plan);
  plan.options = compare_options(field, plan);
  if (plan.against) {
    teller.tell("Pareto front", plan.search.contended_runs);
    search_options.cancelled = allowance.until(kFrontShare);
    find_front(field, *plan.against, kMostFrontRuns, search_options, plan);
  }
  teller.tell("advice", plan.search.contended_runs);
  Adviser adviser(field, loaded, options.threads, allowance.until(1.0));
  if (ranges && ranges->inputs() > 0 && plan.ranges->complete) {
    ranges->end_by(allowance.until(1.0));  // the share of the choice is over by now
    adviser.use(&*ranges);
    const Point recommended = plan.search.visits[plan.search.best].point;
    if (runner_up) add_range_figures(*ranges, *runner_up, recommended, *plan.runner_up);
  }
  plan.advice_complete = adviser.advise(plan.search.visits[plan.search.best], options.elasticities, plan);
  if (ranges) plan.ranges->simulated = ranges->simulated();
  show_today_once(plan);
  compare_with_today(field, plan);
  warn_of_jobs_that_lose(plan);
  plan.stopped_by = allowance.stopped_by(plan.search);
  return plan;
}

}  // namespace headrace::scenarios
