#include "scenarios/planner/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "models/cluster_plan.hpp"
#include "models/ingest_path.hpp"
#include "scenarios/planner/advice.hpp"
#include "scenarios/planner/front.hpp"

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
    default:
      return std::nullopt;
  }
}

void check_request(const models::Scenario& scenario) {
  if (is_shared(scenario)) plan_cluster(scenario, {});  // throws what cannot be simulated
  if (scenario.jobs.front().loader.synchronous && scenario.decide.empty())
    throw models::UnusableRequest("a synchronous loader has neither workers nor depth to choose",
                                  "say what to choose: decide, or --decide");
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

void write_log(const ScenarioField& field, Plan& plan) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < plan.search.visits.size(); ++i) {
    const Visit& visit = plan.search.visits[i];
    const double bound = field.goal(visit.point, visit.bound_step_s);
    const double mean = field.goal(visit.point, std::max(visit.bound_step_s, visit.step_s.mean));
    const bool ran = visit.level != SearchLevel::bound && std::isfinite(mean);
    SearchStep step{values_text(field.space(), visit.point), level_text(visit.level), bound, std::nullopt, false, {}};
    if (ran) step.mean = mean;
    step.best_so_far = ran && visit.admitted && mean < least;
    if (step.best_so_far) least = mean;
    step.fate = i == plan.search.best ? "recommended" : visit.fate;
    plan.trace.push_back(std::move(step));
    plan.log.push_back(fmt::format("{:>3}  {:<18}  bound {:.6g}  {}  {}  {}", i + 1, level_text(visit.level), bound,
                                   visit.level == SearchLevel::bound ? "" : fmt::format("is {:.6g}", mean),
                                   values_text(field.space(), visit.point),
                                   i == plan.search.best ? "recommended" : visit.fate));
  }
}

/// The best of what was run beside the recommended one.
void add_others(const ScenarioField& field, Plan& plan) {
  std::vector<std::pair<double, std::size_t>> others;
  for (std::size_t i = 0; i < plan.search.visits.size(); ++i) {
    const Visit& visit = plan.search.visits[i];
    const bool ran = visit.level >= SearchLevel::race && visit.mean < std::numeric_limits<double>::infinity();
    if (ran && i != plan.search.best) others.emplace_back(visit.mean, i);
  }
  std::sort(others.begin(), others.end());
  for (std::size_t k = 0; k < std::min(kMostAlternatives, others.size()); ++k)
    plan.alternatives.push_back(planned_point(field, plan.search.visits[others[k].second]));
  if (!plan.alternatives.empty()) plan.runner_up = plan.alternatives.front();
}

Plan begin_plan(const models::Scenario& scenario, const PlanOptions& options, const std::vector<PlanAxis>& axes) {
  const models::PlanObjective objective = scenario.objective.value_or(models::PlanObjective{});
  Plan plan;
  plan.goal = objective.minimize;
  // Without a price every configuration costs nothing.
  const double today_usd = models::cluster_bound(scenario).figures.cost_usd;
  plan.without_prices = plan.goal == models::PlanGoal::cost_per_epoch && !(today_usd > 0.0);
  if (plan.without_prices) plan.goal = models::PlanGoal::epoch_time;
  plan.against = second_goal(objective);
  plan.indifference = objective.indifference;
  plan.asked_confidence = objective.confidence;
  plan.seed = options.seed;
  for (const PlanAxis& axis : axes) {
    plan.default_decisions = plan.default_decisions || axis.chosen_here;
    std::vector<std::string> values;
    for (std::size_t i = 0; i < axis.size(); ++i) values.push_back(axis.text(i));
    plan.axes.emplace_back(axis.name(), std::move(values));
  }
  return plan;
}

}  // namespace

tl::expected<Plan, Diagnostics> make_plan(const LoadedScenario& loaded, std::vector<PlanAxis> axes,
                                          const Catalogue& catalogue, const PlanOptions& options) {
  using Clock = std::chrono::steady_clock;
  check_request(loaded.value);
  const Clock::time_point begin = Clock::now();
  Plan plan = begin_plan(loaded.value, options, axes);
  auto space = Space::make(loaded, std::move(axes), catalogue);
  if (!space) return tl::unexpected(std::move(space.error()));
  SearchOptions search_options;
  search_options.indifference = plan.indifference;
  search_options.confidence = plan.asked_confidence;
  search_options.most_points = options.most_points;
  search_options.threads = options.threads;
  search_options.progress = options.progress;
  search_options.cancelled = [&] {
    const double wall_s = std::chrono::duration<double>(Clock::now() - begin).count();
    return (options.cancelled && options.cancelled()) || (options.max_wall_s > 0.0 && wall_s > options.max_wall_s);
  };
  if (options.progress) options.progress("bounding", 0);
  ScenarioField field(*space, loaded.value, plan.goal, options.seed, options.threads, search_options.cancelled);
  plan.obstacles = field.obstacles();
  plan.search = search(field, search_options);
  plan.event_runs = field.event_runs();
  write_log(field, plan);
  if (!plan.search.found()) return plan;
  plan.recommended = planned_point(field, plan.search.visits[plan.search.best]);
  add_others(field, plan);
  if (plan.against) {
    if (options.progress) options.progress("Pareto front", plan.search.contended_runs);
    find_front(field, *plan.against, kMostFrontRuns, search_options, plan);
  }
  if (search_options.cancelled()) return plan;
  if (options.progress) options.progress("advice", plan.search.contended_runs);
  Adviser(field, loaded, options.threads, search_options.cancelled).advise(plan.search.visits[plan.search.best], plan);
  return plan;
}

}  // namespace headrace::scenarios
