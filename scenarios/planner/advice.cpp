#include "scenarios/planner/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include "models/answer/flow_bound.hpp"
#include "models/cluster/cluster_plan.hpp"
#include "models/cluster/like_nodes.hpp"
#include "models/hops/resource_floors.hpp"
#include "models/outcome/bottleneck.hpp"
#include "models/outcome/confidence.hpp"
#include "models/outcome/largest_parts.hpp"
#include "models/outcome/ownership.hpp"
#include "models/path/epoch_windows.hpp"
#include "models/path/tier_path.hpp"
#include "models/path/warm_up_at_least.hpp"
#include "models/study/looks.hpp"
#include "models/study/study.hpp"
#include "scenarios/document/input_ranges.hpp"
#include "scenarios/document/units.hpp"
#include "scenarios/planner/events.hpp"
#include "scenarios/planner/least_fed.hpp"
#include "scenarios/planner/range_choice.hpp"
#include "scenarios/remedies/levers.hpp"
#include "scenarios/remedies/remedy.hpp"

namespace headrace::scenarios {

using models::EpochFigures;
using models::Interval;
using models::Look;
using models::RaceMean;
using models::Scenario;

namespace {

constexpr double kTwoSided95 = 0.025;
constexpr double kTwoSidedOfMany = 0.0025;  ///< of differences that are told side by side
constexpr double kMore = 1.1;               ///< of a resource: a tenth, for the elasticities
constexpr std::size_t kMostAdvice = 8;
constexpr double kTold = 1e-4;         ///< of the goal: an effect that nobody misses
constexpr double kNothing = 1e-6;      ///< of the cost: spent on a change that costs nothing
constexpr double kPrecise = 0.01;      ///< of the goal: half-width of a difference that is told well enough
constexpr double kOfEffect = 0.2;      ///< half-width of a difference that is told well enough, as a share of it
constexpr double kStartsDiffer = 0.3;  ///< of the idle share: a short run that differs so has not settled
constexpr std::size_t kRemediesAsked = 4;
constexpr std::uint64_t kCheckedSteps = 32;  ///< of a run of all nodes
constexpr double kSettleLengths = 2.0;       ///< steps spent on settling differences, over those of full races

/// Dollars of changes are rounded, so that they add up as they are shown: to cents, of cheap epochs finer. The number
/// of units in a dollar, a power of ten.
double units_in_usd(double cost_usd) {
  constexpr double kOfCost = 1e-4;
  constexpr double kCents = 100.0;
  constexpr double kFinest = 1e9;
  if (!(cost_usd > 0.0)) return kCents;
  const double digits = std::ceil(-std::log10(kOfCost * cost_usd) - 1e-9);
  return std::clamp(std::pow(10.0, digits), kCents, kFinest);
}

PlanFigure figure(const RaceMean& value, double floor) {
  const double arm = margin(value, kTwoSided95);
  const double mean = std::max(floor, value.mean);
  return {mean, Interval{std::max(floor, value.mean - arm), std::max(mean, value.mean + arm)}};
}

/// The figures of a run, or the bounds alone.
void set_figures(const EpochFigures& bound, const EpochMeasure* run, PlannedPoint& planned) {
  planned.bound_step_s = bound.step_time_s;
  planned.simulated = run != nullptr;
  if (run == nullptr) {
    planned.step_time_s = {bound.step_time_s, std::nullopt};
    planned.epoch_time_s = {bound.epoch_time_s, std::nullopt};
    planned.cost_usd = {bound.cost_usd, std::nullopt};
    planned.idle_fraction = {bound.idle_fraction, std::nullopt};
    return;
  }
  planned.step_time_s = figure(run->step_time_s, bound.step_time_s);
  planned.epoch_time_s = figure(run->epoch_time_s, bound.epoch_time_s);
  planned.cost_usd = figure(run->cost_usd, bound.cost_usd);
  planned.idle_fraction = figure(run->idle_fraction, bound.idle_fraction);
  planned.idle_fraction.ci95->high = std::min(1.0, planned.idle_fraction.ci95->high);
}

/// What the jobs of a configuration do, each apart where there are several.
void set_jobs(const Scenario& scenario, const EpochFigures& figures, PlannedPoint& planned) {
  const models::Outcome bound = flow_bound(scenario);
  planned.goodput_fraction = goodput_of_all(figures, bound);
  planned.room = room_facts(scenario, bound);
  if (figures.jobs.size() < 2) return;
  const std::vector<double> goodput = goodput_by_job(figures, bound);
  for (std::size_t j = 0; j < figures.jobs.size(); ++j) {
    const models::JobFigures& job = figures.jobs[j];
    planned.jobs.push_back({job.name, job.step_time_s, job.epoch_time_s, job.idle_fraction, goodput[j]});
  }
}

/// The first job without whatever else there is, and without faults, schedules and streams: what closed forms are of.
Scenario plain_part(const Scenario& scenario) {
  Scenario plain = models::job_alone(scenario, 0);
  if (plain.faults) plain.faults->degraded.clear();
  for (models::Store& store : plain.stores) store.schedule.reset();
  for (models::Dataset& dataset : plain.datasets) dataset.stream.reset();
  plain.jobs.front().checkpoint.reset();
  return plain;
}

/// The resource of fabric or store that limits a job without any cache, and the hit ratio from which it does not.
std::optional<double> least_hit_ratio(const Scenario& scenario) {
  Scenario bare = scenario;
  for (models::Pool& pool : bare.cluster.pools) pool.cache.policy = models::CachePolicy::none;
  const models::IngestPath path = resolve_path(bare, 0, {});
  double longest_s = 0.0;
  for (const models::ResourceFloor& floor : resource_floors(path)) {
    const models::ResourceTraits& traits = models::traits(floor.resource);
    const bool saved_by_hits = traits.owner == models::Owner::store || traits.side == models::ResourceSide::network;
    if (saved_by_hits) longest_s = std::max(longest_s, floor.step_time_s);
  }
  if (!(longest_s > 0.0)) return std::nullopt;
  return std::max(0.0, 1.0 - path.mean_step_floor_s() / longest_s);
}

/// Cache on each node from which a larger one no longer shortens the flow bound.
std::optional<double> least_cache_bytes(const Scenario& scenario) {
  const models::Pool& pool = pool_of(scenario, scenario.jobs.front());
  if (pool.cache.policy == models::CachePolicy::none) return std::nullopt;
  const double most =
      pool.cache.medium == models::CacheMedium::nvme ? pool.drives.capacity_bytes : pool.host.memory_bytes;
  const auto step_at = [&](double bytes) {
    Scenario changed = scenario;
    for (models::Pool& one : changed.cluster.pools)
      if (one.name == pool.name) one.cache.bytes = bytes;
    return point_bound(changed).step_time_s;
  };
  double high = most > 0.0 ? most : 2.0 * pool.cache.bytes;
  const double best_s = step_at(high) * (1.0 + 1e-6);
  if (step_at(0.0) <= best_s) return 0.0;
  double low = 0.0;
  for (int i = 0; i < 30; ++i) {
    const double middle = 0.5 * (low + high);
    (step_at(middle) <= best_s ? high : low) = middle;
  }
  return high;
}

}  // namespace

bool DecisionStep::matters() const {
  constexpr double kPoint = 0.01;
  return !infeasible.empty() || measurable || (expected_change && is_effect(*expected_change)) ||
         (changes_fed() && std::abs(fed_change->mean) > kPoint);
}

PlannedPoint planned_point(const ScenarioField& field, const Visit& visit) {
  const Space& space = field.space();
  const Point point = visit.point;
  PlannedPoint planned;
  const std::vector<std::size_t> where = space.positions(point);
  for (std::size_t a = 0; a < where.size(); ++a) {
    const PlanAxis& axis = space.axes()[a];
    planned.values.push_back(
        {axis.name(), axis.axis.parameters.front().pointer, axis.text(where[a]), space.own_text(a), axis.chosen_here});
  }
  planned.hourly_usd = field.hourly_usd(point);
  planned.first_step_s = first_step_s(space.at(point));
  planned.fate = visit.fate;
  const bool ran = visit.level >= SearchLevel::race;
  const EpochMeasure run = ran ? field.measure(point, visit.step_s) : EpochMeasure{};
  const EpochFigures least = field.bound_figures(point);
  set_figures(least, ran ? &run : nullptr, planned);
  set_jobs(space.at(point), ran ? run.figures : least, planned);
  return planned;
}

namespace {

constexpr std::size_t kInputs = 3;
constexpr std::array<double, 2> kErrors{0.05, 0.1};
constexpr std::size_t kDrawsOfStep = 8;

/// The error of a fraction is one of its odds, as in the ranges of inputs.
double with_error(const models::UncertainInput& input, double error) {
  if (input.unit != models::Unit::fraction || !(input.value < 1.0)) return input.value * (1.0 + error);
  const double odds = (1.0 + error) * input.value / (1.0 - input.value);
  return odds / (1.0 + odds);
}

/// Every figure that is no decision, as wide as an assumed one and within the limits of its parameter.
std::vector<models::UncertainInput> as_assumed(const Scenario& scenario) {
  return models::uncertain_inputs(scenario, [](const models::NumberSite& site) {
    models::Knowledge known;
    if (!site.facts.decided) known.evidence = models::Evidence::assumed;
    return known;
  });
}

/// Whether the scenario can be bounded and simulated at all, as Adviser::run() would.
bool is_usable(const Scenario& scenario, const ScenarioField& field) try {
  models::cluster_bound(scenario);
  const Trial trial(scenario, field.seed(), field.stop(), field.shortcut());
  return true;
} catch (const models::UnusableRequest&) {
  return false;
}

/// Short runs tell a change from the recommended configuration; with it the goal is not below its bound, either.
/// What is at its bound waits as that says.
RaceMean at_least_its_bound(RaceMean change, const Scenario& changed, const Visit& best, models::PlanGoal goal,
                            double& idle_fraction) {
  const EpochFigures bound = models::cluster_bound(changed).figures;
  const double least = goal_of(bound, goal) - best.mean;
  if (least <= change.mean) return change;
  change.mean = least;
  idle_fraction = bound.idle_fraction;
  return change;
}

/// Many changes are looked at: by the level of the search itself chance shows none of them as an effect.
void set_change(const RaceMean& change, double base, PlanFigure& figure, bool& measurable) {
  const double half = margin(change, kTwoSidedOfMany);
  figure = {change.mean, Interval{change.mean - half, change.mean + half}};
  measurable = std::abs(change.mean) > half && std::abs(change.mean) > kTold * std::abs(base);
}

/// Decisions of which no value beside the chosen one changes anything, beside those that kept what they are today; and
/// the steps down that change nothing.
void add_indifferent(Plan& plan) {
  for (const PlanDecision& decision : plan.axes) {
    bool any = false;
    bool matters = false;
    for (const DecisionStep& step : plan.steps) {
      if (step.name != decision.name) continue;
      any = true;
      matters = matters || step.matters();
      if (!step.more && !step.matters()) plan.as_good_with_less.push_back(step.name + " " + step.to);
    }
    const auto known = std::find(plan.indifferent.begin(), plan.indifferent.end(), decision.name);
    if (any && !matters && known == plan.indifferent.end()) plan.indifferent.push_back(decision.name);
    if (matters && known != plan.indifferent.end()) plan.indifferent.erase(known);
  }
}

/// A recommended number at the end of its decision, where one step back is worse: what lies beyond was not tried. That
/// workers end where the cores of a node do needs no warning.
void warn_of_ends(Plan& plan) {
  // Where the GPUs hardly wait, no shorter epoch lies beyond.
  const bool of_time = plan.goal == models::PlanGoal::epoch_time || plan.goal == models::PlanGoal::idle;
  if (of_time && plan.recommended && plan.recommended->idle_fraction.mean < plan.indifference) return;
  for (const DecisionStep& step : plan.steps) {
    const bool other_side = std::any_of(plan.steps.begin(), plan.steps.end(), [&](const DecisionStep& other) {
      return other.name == step.name && other.more != step.more;
    });
    if (step.more || other_side || !step.infeasible.empty() || !step.matters()) continue;
    const auto decision = std::find_if(plan.axes.begin(), plan.axes.end(),
                                       [&](const PlanDecision& one) { return one.name == step.name; });
    if (decision == plan.axes.end()) continue;
    const bool of_cores = decision->parameter.ends_with("/loader/workers");
    const bool full = std::any_of(plan.rooms.begin(), plan.rooms.end(), [](const RoomLeft& room) {
      return room.name.starts_with("cores") && room.needed > room.available * (1.0 - 1e-9);
    });
    if (of_cores && full) continue;
    plan.warnings.emplace_back(
        fmt::format("{} {} is the most that was tried, and {} is worse{}", step.name, step.from, step.to,
                    step.measurable ? "" : " over the ranges of the inputs"),
        "a value beyond it may be better still",
        fmt::format("plan with more values: --decide '{}={},...'", decision->parameter, step.from));
  }
}

}  // namespace

std::vector<Adviser::Answer> Adviser::run(const std::vector<Scenario>& scenarios, std::uint64_t steps) {
  std::vector<Answer> answers(scenarios.size());
  pool_.run(scenarios.size(), [&](std::size_t i) {
    if (is_cancelled()) return;
    answers[i].trial = std::make_unique<Trial>(scenarios[i], field_.seed(), field_.stop(), field_.shortcut());
    if (!answers[i].trial->run_to(steps)) cut_ = true;
    if (cut_) return;
    answers[i].measure = answers[i].trial->measure();
  });
  runs_ += scenarios.size();
  if (cut_) answers.clear();
  return answers;
}

bool Adviser::is_cancelled() {
  if (cancelled_ && cancelled_()) cut_ = true;
  return cut_;
}

void Adviser::settle(std::vector<Answer>& answers, models::PlanGoal goal) {
  const double all = static_cast<double>(answers.size() * field_.full_steps());
  double left = kSettleLengths * std::max(all, 8.0 * static_cast<double>(field_.full_steps()));
  std::vector<bool> is_told(answers.size(), false);
  models::last_look([&] {
    Answer& base = answers.front();
    const double scale = base.measure.of(goal).mean;
    std::vector<std::size_t> open;
    std::uint64_t steps = 2 * base.trial->steps();
    for (std::size_t i = 1; i < answers.size(); ++i) {
      if (is_told[i]) continue;  // by pairs with as many steps: the first answer has run on since
      answers[i].change = answers[i].trial->difference_from(*base.trial, goal);
      const double half = margin(answers[i].change, kTwoSided95);
      answers[i].decided = half <= kPrecise * scale || half <= kOfEffect * std::abs(answers[i].change.mean);
      is_told[i] = answers[i].decided;
      if (!is_told[i]) open.push_back(i);
    }
    const double needed = static_cast<double>(steps - base.trial->steps()) * static_cast<double>(open.size() + 1);
    if (open.empty()) return Look::decided;
    if (needed > left) return Look::last;
    if (is_cancelled()) return Look::cut_short;
    left -= needed;
    open.push_back(0);
    pool_.run(open.size(), [&](std::size_t i) {
      if (!answers[open[i]].trial->run_to(steps)) cut_ = true;
      if (!cut_) answers[open[i]].measure = answers[open[i]].trial->measure();
    });
    return cut_ ? Look::cut_short : Look::open;
  });
}

void Adviser::set_today(const Answer& now, Plan& plan) const {
  PlannedPoint planned;
  for (std::size_t a = 0; a < field_.space().axes().size(); ++a) {
    const PlanAxis& axis = field_.space().axes()[a];
    const std::string own = field_.space().own_text(a);
    planned.values.push_back({axis.name(), axis.axis.parameters.front().pointer, own, own, axis.chosen_here});
  }
  planned.hourly_usd = now.measure.figures.hourly_usd();
  planned.first_step_s = first_step_s(loaded_.value);
  set_figures(models::cluster_bound(loaded_.value).figures, &now.measure, planned);
  set_jobs(loaded_.value, now.measure.figures, planned);
  plan.today = std::move(planned);
  if (plan.total_cost)
    plan.horizon_today = models::horizon_cost(loaded_.value, now.measure.figures, models::flow_bound(loaded_.value));
}

/// Each decision that differs from today, alone, to order them: the most gained per dollar spent first.
std::vector<std::size_t> Adviser::order_changes(const Visit& best, Plan& plan) {
  const Space& space = field_.space();
  const std::vector<std::size_t> where = space.positions(best.point);
  std::vector<Scenario> alone{loaded_.value};
  std::vector<std::size_t> axes;
  std::vector<std::size_t> not_alone;  // contradict the others' values of today: behind those
  for (std::size_t a = 0; a < where.size(); ++a) {
    if (space.own_position(a) == where[a]) continue;
    std::vector<std::optional<std::size_t>> one(where.size());
    one[a] = where[a];
    std::optional<Scenario> changed = space.with(one);
    if (!changed) {
      not_alone.push_back(a);
      continue;
    }
    alone.push_back(std::move(*changed));
    axes.push_back(a);
  }
  const std::vector<Answer> answers = run(alone, field_.full_steps());
  if (answers.empty()) return {};
  set_today(answers.front(), plan);
  const Answer& now = answers.front();
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Answer& then = answers[i + 1];
    const double gained_usd = now.cost_usd() - now.measure.figures.cost_at_epochs_of(then.measure.figures);
    const double spent_usd = then.cost_usd() - now.cost_usd() + gained_usd;
    const bool is_free = spent_usd <= kNothing * now.cost_usd();
    // What costs nothing comes first, by what it brings.
    const double ratio = !plan.priced ? now.epoch_s() - then.epoch_s()
                         : is_free    ? 1e9 + (gained_usd - spent_usd) / now.cost_usd()
                                      : gained_usd / spent_usd;
    order.emplace_back(-ratio, axes[i]);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::size_t> sorted;
  for (const auto& [ratio, axis] : order) sorted.push_back(axis);
  sorted.insert(sorted.end(), not_alone.begin(), not_alone.end());
  return sorted;
}

/// Runs a chain of configurations on until each step's effect on the goal is told from noise, or all of them ran four
/// times as long as a full race; sixteen times where an effect shows that would then be told. Each answer's change is
/// that from the one before it.
void Adviser::settle_chain(std::vector<Answer>& chain, models::PlanGoal goal) {
  constexpr std::uint64_t kLong = 4;
  constexpr std::uint64_t kLongest = 16;
  constexpr double kShows = 0.5;  // of its margin
  std::uint64_t steps = field_.full_steps();
  models::last_look([&] {
    bool open = false;
    bool shows = false;
    for (std::size_t i = 1; i < chain.size(); ++i) {
      chain[i].change = chain[i].trial->difference_from(*chain[i - 1].trial, goal);
      const double half = margin(chain[i].change, kTwoSidedOfMany);  // as steps are told
      chain[i].decided = std::abs(chain[i].change.mean) > half;
      const bool is_open = !chain[i].decided && half > kTold * chain.front().measure.of(goal).mean;
      open = open || is_open;
      shows = shows || (is_open && std::abs(chain[i].change.mean) > kShows * half);
    }
    steps *= 2;
    if (!open) return Look::decided;
    if (steps > (shows ? kLongest : kLong) * field_.full_steps()) return Look::last;
    if (is_cancelled()) return Look::cut_short;
    pool_.run(chain.size(), [&](std::size_t i) {
      if (!chain[i].trial->run_to(steps)) cut_ = true;
      if (!cut_) chain[i].measure = chain[i].trial->measure();
    });
    return cut_ ? Look::cut_short : Look::open;
  });
}

/// One decision behind the other, from today's configuration to the recommended one. What they gain and cost adds up to
/// the difference of the totals; what the runs cannot tell from noise is left to the rest.
void Adviser::find_changes(const Visit& best, Plan& plan) {
  const Space& space = field_.space();
  const std::vector<std::size_t> where = space.positions(best.point);
  const std::vector<std::size_t> order = order_changes(best, plan);
  if (!plan.today || order.empty()) return;
  std::vector<Scenario> path{loaded_.value};
  std::vector<std::optional<std::size_t>> so_far(where.size());
  std::vector<PlanChange> rows;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t a = order[i];
    so_far[a] = where[a];
    const bool together = rows.size() + 1 >= kMostAdvice && i + 1 < order.size();
    std::optional<Scenario> changed = i + 1 == order.size() ? field_.space().at(best.point) : space.with(so_far);
    if (together || !changed) continue;  // the next row has this change, too
    PlanChange row;
    row.name = space.axes()[a].name();
    row.from = space.own_text(a);
    row.to = space.axes()[a].text(where[a]);
    row.decisions = i + 1;
    for (const PlanChange& before : rows) row.decisions -= before.decisions;
    rows.push_back(std::move(row));
    path.push_back(std::move(*changed));
  }
  std::vector<Answer> chain = run(path, field_.full_steps());
  if (chain.empty()) return;
  const models::PlanGoal goal = plan.priced ? models::PlanGoal::cost_per_epoch : models::PlanGoal::epoch_time;
  settle_chain(chain, goal);
  if (cut_) return;
  set_today(chain.front(), plan);  // of the longer run, so that the changes add up
  const double units = units_in_usd(plan.today->cost_usd.mean);
  const auto rounded = [units](double usd) { return static_cast<double>(std::llround(usd * units)) / units; };
  plan.changes_unit_usd = 1.0 / units;
  double after_usd = rounded(plan.today->cost_usd.mean);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    PlanChange& row = rows[k];
    const Answer& before = chain[k];
    const Answer& then = chain[k + 1];
    const double error = margin(then.change, kTwoSided95);
    const double gained_usd = before.cost_usd() - before.measure.figures.cost_at_epochs_of(then.measure.figures);
    row.spent_usd = plan.priced ? rounded(then.cost_usd() - before.cost_usd() + gained_usd) : 0.0;
    // On machines of the same price the runs differ in what they read by chance.
    const bool same_machines = before.measure.figures.hourly_usd() == then.measure.figures.hourly_usd();
    const double least_spent =
        same_machines ? std::max(error, kNothing * before.cost_usd()) : kNothing * before.cost_usd();
    if (std::abs(row.spent_usd) <= least_spent) row.spent_usd = 0.0;
    const double gained = plan.priced ? gained_usd : before.epoch_s() - then.epoch_s();
    const double least = plan.priced ? 0.5 / units : kTold * before.epoch_s();  // less is rounded to nothing
    const double told_from = margin(then.change, kTwoSidedOfMany);
    const bool told = plan.priced ? std::abs(gained) > told_from : then.decided;  // a change of time is its pair's
    row.decided = told && std::abs(gained) >= least;
    row.gained_usd = plan.priced && row.decided ? rounded(gained) : 0.0;
    row.gained_s = row.decided ? before.epoch_s() - then.epoch_s() : 0.0;
    if (plan.priced) row.gained_error_usd = error;
    after_usd += row.spent_usd - row.gained_usd;
    row.cost_after_usd = rounded(after_usd);
    row.epoch_after_s = then.epoch_s();
    if (row.decided || row.spent_usd != 0.0)
      plan.changes.push_back(row);
    else if (row.decisions == 1)
      plan.no_effect.push_back(fmt::format("{} {} to {}", row.name, row.from, row.to));
    else
      plan.no_effect.push_back(fmt::format("{} decisions together, the last of them {}", row.decisions, row.name));
  }
  plan.changes_rest_usd = rounded(rounded(plan.recommended->cost_usd.mean) - after_usd);
}

/// Idle time with a change: that of the recommended configuration and what the change adds to `base`, which ran the
/// same steps. A longer run gave the former, and what changes nothing shows the same.
double Adviser::idle_beside(const Plan& plan, const Answer& base, const Answer& changed) {
  const double added = changed.measure.idle_fraction.mean - base.measure.idle_fraction.mean;
  return std::clamp(plan.recommended->idle_fraction.mean + added, 0.0, 1.0);
}

void Adviser::find_elasticities(const Visit& best, Plan& plan) {
  const Scenario scenario = field_.space().at(best.point);
  std::vector<Scenario> changed{scenario};
  std::vector<std::string> names{""};
  for (const Lever& lever : kLevers) {
    Scenario one = scenario;
    if (!lever.pull(one, kMore)) continue;
    changed.push_back(std::move(one));
    names.emplace_back(lever.name);
  }
  // Outcomes of simulate() need their length for an interval at all.
  const std::uint64_t steps = field_.is_plain(best.point) ? field_.full_steps() / 2 : field_.full_steps();
  std::vector<Answer> answers = run(changed, std::max<std::uint64_t>(64, steps));
  if (answers.empty()) return;
  settle(answers, field_.goal());
  const Answer& base = answers.front();
  const auto relative = [&](const Answer& answer, models::PlanGoal goal, double& error) {
    const double from = base.measure.of(goal).mean;
    if (!(from > 0.0)) return 0.0;
    const RaceMean change = goal == field_.goal() ? answer.change : answer.trial->difference_from(*base.trial, goal);
    error = margin(change, kTwoSidedOfMany) / from;
    return change.mean / from;
  };
  for (std::size_t i = 1; i < answers.size(); ++i) {
    Elasticity elasticity;
    elasticity.resource = names[i];
    elasticity.epoch_time = relative(answers[i], models::PlanGoal::epoch_time, elasticity.error);
    elasticity.cost = relative(answers[i], models::PlanGoal::cost_per_epoch, elasticity.cost_error);
    const double half = margin(answers[i].change, kTwoSidedOfMany);
    constexpr double kPreciseOfMany = 1.5 * kPrecise;  // a difference settled at 95 % has this half-width among many
    elasticity.decided = half <= kPreciseOfMany * std::abs(base.measure.of(field_.goal()).mean) ||
                         std::abs(answers[i].change.mean) > half;
    plan.elasticities.push_back(std::move(elasticity));
  }
  std::stable_sort(plan.elasticities.begin(), plan.elasticities.end(), [](const Elasticity& a, const Elasticity& b) {
    return std::pair(!a.decided, a.decided ? a.epoch_time : 0.0) <
           std::pair(!b.decided, b.decided ? b.epoch_time : 0.0);
  });
}

void Adviser::find_steps(const Visit& best, Plan& plan) {
  const Space& space = field_.space();
  const std::vector<std::size_t> where = space.positions(best.point);
  std::vector<Scenario> changed{space.at(best.point)};
  std::vector<Point> points{best.point};
  std::vector<std::size_t> rows;
  for (std::size_t a = 0; a < where.size(); ++a)
    for (const bool more : {false, true}) {
      const std::optional<std::size_t> next = space.neighbour(a, where[a], more);
      if (!next) continue;
      std::vector<std::size_t> there = where;
      there[a] = *next;
      DecisionStep step;
      step.name = space.axes()[a].name();
      step.from = space.axes()[a].text(where[a]);
      step.to = space.axes()[a].text(*next);
      step.more = more;
      const Point point = space.point(there);
      step.infeasible = field_.why_infeasible(point);
      plan.steps.push_back(std::move(step));
      if (!plan.steps.back().infeasible.empty()) continue;
      changed.push_back(space.at(point));
      points.push_back(point);
      rows.push_back(plan.steps.size() - 1);
    }
  const std::uint64_t steps = field_.is_plain(best.point) ? field_.full_steps() / 2 : field_.full_steps();
  std::vector<Answer> answers = rows.empty() ? std::vector<Answer>{} : run(changed, std::max<std::uint64_t>(64, steps));
  if (answers.empty()) return plan.steps.clear();
  settle(answers, field_.goal());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    DecisionStep& step = plan.steps[rows[i]];
    step.idle_fraction = idle_beside(plan, answers.front(), answers[i + 1]);
    set_change(at_least_its_bound(answers[i + 1].change, changed[i + 1], best, field_.goal(), step.idle_fraction),
               answers.front().measure.of(field_.goal()).mean, step.goal_change, step.measurable);
    if (ranges_ == nullptr || is_cancelled()) continue;
    ranges_->compare_step(points[i + 1], best.point, kDrawsOfStep);
    step.expected_change = figure_of(ranges_->difference(points[i + 1], best.point));
    if (std::abs(step.expected_change->mean) <= kTold * std::abs(ranges_->figures(best.point).goal.mean))
      step.expected_change = PlanFigure{0.0, Interval{0.0, 0.0}};
    step.fed = figure_of(ranges_->figures_beside(points[i + 1], best.point).fed);
    step.fed_change = figure_of(ranges_->fed_difference(points[i + 1], best.point));
  }
  add_indifferent(plan);
  warn_of_ends(plan);
}

void Adviser::add_today_over_ranges(const Visit& best, Plan& plan) const {
  const std::optional<Point> today = field_.space().today();
  if (ranges_ == nullptr || cut_ || !plan.today || !today || *today == best.point) return;
  if (plan.ranges->nominal && plan.ranges->nominal->planned.is_today()) return;
  if (!(field_.bound_step_s(*today) < sim::kInfinity)) return;  // it breaks a limit
  ranges_->compare_step(*today, best.point, kDrawsOfStep);
  plan.ranges->today = ranged_point(*plan.today, ranges_->figures_beside(*today, best.point));
}

/// By runs of half the length of those of find_steps(). Runs that were stopped tell nothing.
void Adviser::find_least_fed(const Visit& best, Plan& plan) {
  if (is_cancelled() || plan.recommended->idle_fraction.mean > models::kFedIdleFraction) return;
  const std::uint64_t steps = field_.is_plain(best.point) ? field_.full_steps() / 4 : field_.full_steps() / 2;
  plan.least_fed = least_fed(field_, best.point, std::max<std::uint64_t>(64, steps), pool_);
  if (is_cancelled() || field_.stop_requested()) plan.least_fed.clear();
}

/// Inputs by what the ends of their ranges do to the goal's bound, the most first. Where nothing has a range, every
/// figure that is no decision is taken as far as an assumed one.
std::vector<models::UncertainInput> Adviser::influential_inputs(const Visit& best, std::size_t count) const {
  const Scenario scenario = field_.space().at(best.point);
  std::vector<models::UncertainInput> inputs;
  if (ranges_ != nullptr) inputs = ranges_->inputs_at(best.point);
  if (inputs.empty()) {
    inputs = as_assumed(scenario);
    std::erase_if(inputs, [this](const auto& input) { return is_decided(field_.space(), input.pointer); });
  }
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].spread_only) continue;
    const double low = bound_with(scenario, inputs[i], inputs[i].low);
    const double high = bound_with(scenario, inputs[i], inputs[i].high);
    if (!std::isfinite(high - low)) continue;  // no scenario at one of the ends
    if (std::abs(high - low) > kTold * std::abs(low)) order.emplace_back(-std::abs(high - low), i);
  }
  std::sort(order.begin(), order.end());
  std::vector<models::UncertainInput> most;
  for (std::size_t i = 0; i < std::min(count, order.size()); ++i) most.push_back(inputs[order[i].second]);
  return most;
}

std::map<std::string, models::Evidence> Adviser::evidence_of_figures(const Scenario& scenario) const {
  std::map<std::string, models::Evidence> evidence;
  if (const auto inputs = uncertain_inputs(scenario, loaded_.composition))
    for (const models::UncertainInput& input : *inputs) evidence.emplace(input.pointer, input.evidence);
  return evidence;
}

double Adviser::bound_with(const Scenario& scenario, const models::UncertainInput& input, double value) const try {
  return goal_of(models::cluster_bound(models::with_input(scenario, input, value)).figures, field_.goal());
} catch (const models::UnusableRequest&) {
  return std::numeric_limits<double>::infinity();
}

void Adviser::find_input_errors(const Visit& best, Plan& plan) {
  const Scenario scenario = field_.space().at(best.point);
  std::vector<Scenario> changed{scenario};
  const std::vector<models::UncertainInput> limits = as_assumed(scenario);
  const std::map<std::string, models::Evidence> evidence = evidence_of_figures(scenario);
  for (const models::UncertainInput& input : influential_inputs(best, kInputs)) {
    const auto limit =
        std::find_if(limits.begin(), limits.end(), [&](const auto& one) { return one.pointer == input.pointer; });
    const auto wrong = [&](double error) {
      const double value = with_error(input, error);
      return limit == limits.end() ? value : std::clamp(value, limit->low, limit->high);
    };
    // The direction that hurts, by the bound of the larger error.
    const double largest = kErrors.back();
    const bool more = bound_with(scenario, input, wrong(largest)) >= bound_with(scenario, input, wrong(-largest));
    for (const double size : kErrors) {
      InputError error;
      error.pointer = input.pointer;
      error.value = print_quantity(input.value, input.unit);
      if (const auto known = evidence.find(input.pointer); known != evidence.end()) error.evidence = known->second;
      error.error = more ? size : -size;
      const double value = wrong(error.error);
      if (value != with_error(input, error.error)) error.error = value / input.value - 1.0;  // it ends there
      Scenario one = models::with_input(scenario, input, value);
      if (value == input.value || !is_usable(one, field_)) continue;
      changed.push_back(std::move(one));
      plan.input_errors.push_back(std::move(error));
    }
  }
  if (plan.input_errors.empty()) return;
  const std::uint64_t steps = field_.is_plain(best.point) ? field_.full_steps() / 2 : field_.full_steps();
  std::vector<Answer> answers = run(changed, std::max<std::uint64_t>(64, steps));
  if (answers.empty()) return plan.input_errors.clear();
  settle(answers, field_.goal());
  for (std::size_t i = 0; i < plan.input_errors.size(); ++i) {
    InputError& error = plan.input_errors[i];
    error.idle_fraction = idle_beside(plan, answers.front(), answers[i + 1]);
    set_change(at_least_its_bound(answers[i + 1].change, changed[i + 1], best, field_.goal(), error.idle_fraction),
               answers.front().measure.of(field_.goal()).mean, error.goal_change, error.measurable);
  }
}

/// Among the points that were run, the one with the cheapest machines that still came nearest.
void Adviser::find_next_cheaper(const Visit& best, Plan& plan) const {
  const Visit* rival = nullptr;
  for (const Visit& visit : plan.search.visits) {
    const bool ran = visit.level >= SearchLevel::race && visit.mean < std::numeric_limits<double>::infinity();
    const bool cheaper = field_.hourly_usd(visit.point) < field_.hourly_usd(best.point) * (1.0 - 1e-9);
    if (visit.point == best.point || !ran || !cheaper) continue;
    if (rival == nullptr || visit.mean < rival->mean) rival = &visit;
  }
  if (rival == nullptr || !(field_.hourly_usd(rival->point) > 0.0)) return;
  const EpochFigures own = field_.measure(best.point, best.step_s).figures;
  const EpochFigures other = field_.measure(rival->point, rival->step_s).figures;
  SwitchCondition condition;
  condition.rival = planned_point(field_, *rival);
  if (ranges_ != nullptr) add_range_figures(*ranges_, rival->point, best.point, condition.rival);
  const double by_time_usd = other.cost_usd - other.fixed_usd();
  if (!(by_time_usd > 0.0)) return;
  condition.needed_step_s = other.step_time_s * (own.cost_usd - other.fixed_usd()) / by_time_usd;
  if (!(condition.needed_step_s > 0.0)) return;
  // At hourly prices both costs are straight lines over that of a GPU hour.
  const models::Prices& prices = loaded_.value.prices;
  const double price = gpu_hour_usd(loaded_.value);
  if (price > 0.0 && !prices.owned && !plan.total_cost && other.gpu_hours() > own.gpu_hours()) {
    const double at = price - (other.cost_usd - own.cost_usd) / (other.gpu_hours() - own.gpu_hours());
    if (at > 0.0) condition.gpu_hour_usd = at;
  }
  // Where no input must change for it, the runner-up says why it is not recommended.
  const bool wins_as_stated = condition.needed_step_s >= condition.rival.step_time_s.mean;
  if (wins_as_stated && plan.runner_up && plan.runner_up->takes_values_of(condition.rival)) return;
  plan.next_cheaper = std::move(condition);
}

ClosedForms closed_forms_of(const Scenario& whole) {
  const Scenario scenario = plain_part(whole);
  ClosedForms forms;
  if (whole.jobs.size() > 1) forms.of_job = whole.jobs.front().name;
  forms.least_hit_ratio = least_hit_ratio(scenario);
  forms.least_cache_bytes = least_cache_bytes(scenario);
  const models::Pool& pool = pool_of(scenario, scenario.jobs.front());
  forms.present_cache_bytes = pool.cache.policy == models::CachePolicy::none ? 0.0 : pool.cache.bytes;
  const models::IngestPath path = resolve_path(scenario, 0, {});
  for (const models::EpochWindow& window : models::closed_form_windows(scenario, 0))
    forms.batch_time_s += window.weight * mean_batch_time_s(in_window(path, window));
  constexpr double kFilled = 0.95;
  forms.least_workers = std::ceil(forms.batch_time_s / (kFilled * path.mean_fed_step_s()) - 1e-9);
  return forms;
}

void Adviser::add_closed_forms(const Scenario& whole, Plan& plan) const {
  plan.closed_forms = closed_forms_of(whole);
  for (const models::RoomUse& room : models::cluster_bound(whole).rooms)
    if (room.known() && room.needed > 0.0)
      plan.rooms.push_back({std::string(room.name()) + (room.job.empty() ? "" : " (" + room.job + ")"),
                            std::string(room.unit()), room.needed, room.available});
  for (const RoomLeft& room : plan.rooms)
    if (room.name.starts_with("cores") && room.needed > room.available * (1.0 + 1e-9))
      plan.warnings.emplace_back(
          fmt::format("the recommended configuration uses {:.6g} cores of each node, which has {:.6g} ({})",
                      room.needed, room.available, room.name),
          "workers take turns on the cores: more of them hide latency, and do not decode faster",
          "to stay within the cores: --set /subject_to/cores=1");
}

/// Whether a short run tells what binds a configuration that waits for `idle` of its time: it waits as much, not as its
/// queues at the start let it, and what its noise leaves as the binding stage gains most of that.
bool is_told(const models::Outcome& outcome, double idle) {
  const models::Metric* found = outcome.find("gpu_idle_fraction");
  if (found == nullptr || std::abs(found->mean - idle) > kStartsDiffer * idle) return false;
  const auto binding = models::binding_stage(outcome.relief, outcome.blame);
  return binding && (outcome.relief.empty() || models::share_of(outcome.relief, *binding) > idle / 2.0);
}

/// What else than the decisions of the plan would feed the recommended configuration.
void Adviser::add_remedy_outside(const Scenario& scenario, Plan& plan) const {
  const double idle = plan.recommended->idle_fraction.mean;
  if (idle <= models::kFedIdleFraction) return;
  for (const Remedy& remedy : remedies(scenario, idle, kRemediesAsked, field_.seed())) {
    const auto is_decided_here = [&](const ChangedValue& one) { return is_decided(field_.space(), one.pointer); };
    const std::vector<ChangedValue> changes = changed_values(scenario, remedy.changed);
    if (std::any_of(changes.begin(), changes.end(), is_decided_here)) continue;
    const std::string& options = remedy.report.options;
    plan.warnings.emplace_back(
        fmt::format("{}: {}; the GPUs then wait {:.1f} % of the time instead of {:.1f} % ({})", kOutsideDecisions,
                    remedy.report.change, 100.0 * idle_after(remedy.report, idle), 100.0 * idle,
                    name(remedy.report.kind)),
        std::string(),
        options.empty() ? std::string("describe it in the scenario, and plan again") : "plan with it: add " + options);
    return;
  }
}

/// Where it waits, and the tail of its batch times: an outcome of the recommended configuration.
void Adviser::add_outcome(const Scenario& scenario, bool sampled, Plan& plan) {
  models::StudyOptions options;
  options.seed = field_.seed();
  options.threads = threads_;
  options.scale = sampled ? models::Scale::sampled : models::Scale::full;
  options.check_sample = false;  // run_check() does
  const std::uint64_t warm_up = models::warm_up_at_least_steps(resolve_path(scenario, 0, {}));
  options.steps = std::max(warm_up + 64, field_.full_steps() / 4);
  const double idle = plan.recommended->idle_fraction.mean;
  options.control = false;
  options.courses = false;
  options.first_epoch = false;
  options.granularity = models::Granularity{};
  Scenario closed_form = scenario;
  for (models::Pool& pool : closed_form.cluster.pools) pool.cache.fidelity = models::CacheFidelity::statistical;
  models::Outcome outcome = simulate(closed_form, options);
  if (idle > models::kFedIdleFraction && !is_told(outcome, idle) && !is_cancelled()) {
    options.steps = std::max(4 * options.steps, field_.full_steps());
    outcome = simulate(closed_form, options);
  }
  plan.confidence = models::confidence_of(outcome);
  if (const auto binding = models::binding_stage(outcome.relief, outcome.blame)) {
    plan.binding = models::name(*binding);
    // A shorter run than that of the figures: no gain exceeds the wait that they tell.
    if (!outcome.relief.empty()) plan.binding_gain = std::min(models::share_of(outcome.relief, *binding), idle);
  }
  if (!outcome.batch_load_time) return;
  plan.closed_forms->batch_p999_s = outcome.batch_load_time->p999_s;
  const double step_s = resolve_path(scenario, 0, {}).mean_step_floor_s();
  plan.closed_forms->depth_rule = std::ceil(outcome.batch_load_time->p999_s / step_s);
}

std::optional<Adviser::SampleCheck> Adviser::sample_check(const Scenario& scenario) {
  using models::RaceRun;
  if (field_.shortcut() != Shortcut::sample || !models::is_plain(scenario)) return std::nullopt;
  SampleCheck check{std::make_unique<RaceRun>(scenario, field_.seed(), RaceRun::Engine::sampled), nullptr};
  if (check.some->sampled_nodes() == 0) return std::nullopt;
  check.all = std::make_unique<RaceRun>(scenario, field_.seed(), RaceRun::Engine::contended);
  return check;
}

void Adviser::run_check(SampleCheck& check) {
  for (models::RaceRun* run : {check.some.get(), check.all.get()})
    if (!cut_ && !run_unless_stopped(*run, kCheckedSteps, field_.stop())) cut_ = true;
}

/// Where some nodes of the recommended configuration stand for all, a short run of all of them says by how much.
void Adviser::add_check(const Scenario& scenario, const SampleCheck& check, Plan& plan) const {
  plan.sampled = SampledRuns{check.some->sampled_nodes(), resolve_path(scenario, 0, {}).nodes};
  if (cut_) return;
  const double step_s = check.some->step_time_s().mean;
  const RaceMean difference = check.all->difference_from(*check.some, 1.0 / step_s, 1.0 / step_s);
  const double half = margin(difference, kTwoSided95);
  plan.sampled->steps = kCheckedSteps;
  plan.sampled->difference = PlanFigure{difference.mean, Interval{difference.mean - half, difference.mean + half}};
  if (std::abs(difference.mean) <= models::kMostSampleDifference) return;
  plan.warnings.push_back(
      {fmt::format("{} of {} nodes do not stand for all", plan.sampled->nodes, plan.sampled->of_nodes),
       fmt::format("steps of all nodes differ by {:+.1f} %", 100.0 * difference.mean),
       "use --scale full, which simulates every node"});
}

/// What takes no runs comes first. The parts that do write to places of their own in the plan, and go on side by side.
bool Adviser::advise(const Visit& best, bool elasticities, Plan& plan) {
  const Scenario scenario = field_.space().at(best.point);
  add_closed_forms(scenario, plan);
  add_remedy_outside(scenario, plan);
  find_next_cheaper(best, plan);
  if (is_cancelled()) return false;
  std::optional<SampleCheck> check = sample_check(scenario);
  const std::vector<std::function<void()>> parts{[&] {
                                                   if (check) run_check(*check);
                                                 },
                                                 [&] {
                                                   add_outcome(scenario, check.has_value(), plan);
                                                   find_changes(best, plan);
                                                 },
                                                 [&] { find_steps(best, plan); },
                                                 [&] { find_least_fed(best, plan); },
                                                 [&] { find_input_errors(best, plan); },
                                                 [&] {
                                                   if (elasticities) find_elasticities(best, plan);
                                                 }};
  pool_.run(parts.size(), [&](std::size_t part) { parts[part](); });
  if (check) add_check(scenario, *check, plan);
  add_today_over_ranges(best, plan);
  plan.advice_runs = runs_ + 1;
  return !cut_;
}

}  // namespace headrace::scenarios
