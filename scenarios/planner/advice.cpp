#include "scenarios/planner/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "models/cluster/cluster_plan.hpp"
#include "models/hops/resource_floors.hpp"
#include "models/outcome/confidence.hpp"
#include "models/outcome/ownership.hpp"
#include "models/path/epoch_windows.hpp"
#include "models/path/tier_path.hpp"
#include "models/study/study.hpp"
#include "scenarios/planner/events.hpp"
#include "scenarios/planner/levers.hpp"

namespace headrace::scenarios {

using models::EpochFigures;
using models::Interval;
using models::RaceMean;
using models::Scenario;

namespace {

constexpr double kTwoSided95 = 0.025;
constexpr double kMore = 1.1;  ///< of a resource: a tenth, for the elasticities
constexpr std::size_t kMostAdvice = 5;
constexpr double kNothing = 1e-6;       ///< of the cost: spent on a change that costs nothing
constexpr double kPrecise = 0.01;       ///< of the goal: half-width of a difference that is told well enough
constexpr double kSettleLengths = 2.0;  ///< steps spent on settling differences, over those of full races

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
  const bool ran = visit.level >= SearchLevel::race;
  const EpochMeasure run = ran ? field.measure(point, visit.step_s) : EpochMeasure{};
  set_figures(field.bound_figures(point), ran ? &run : nullptr, planned);
  return planned;
}

std::vector<Adviser::Answer> Adviser::run(const std::vector<Scenario>& scenarios, std::uint64_t steps) {
  std::vector<Answer> answers(scenarios.size());
  pool_.run(scenarios.size(), [&](std::size_t i) {
    if (is_cancelled()) return;
    answers[i].trial = std::make_unique<Trial>(scenarios[i], field_.seed(), field_.stop());
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
  for (;;) {
    Answer& base = answers.front();
    const double scale = base.measure.of(goal).mean;
    std::vector<std::size_t> open;
    std::uint64_t steps = 2 * base.trial->steps();
    for (std::size_t i = 1; i < answers.size(); ++i) {
      answers[i].change = answers[i].trial->difference_from(*base.trial, goal);
      const double half = margin(answers[i].change, kTwoSided95);
      answers[i].decided = half <= kPrecise * scale || std::abs(answers[i].change.mean) > half;
      if (!answers[i].decided) open.push_back(i);
    }
    const double needed = static_cast<double>(steps - base.trial->steps()) * static_cast<double>(open.size() + 1);
    if (open.empty() || needed > left || is_cancelled()) return;
    left -= needed;
    open.push_back(0);
    pool_.run(open.size(), [&](std::size_t i) {
      if (!answers[open[i]].trial->run_to(steps)) cut_ = true;
      if (!cut_) answers[open[i]].measure = answers[open[i]].trial->measure();
    });
    if (cut_) return;
  }
}

PlannedPoint Adviser::today(const Answer& now) const {
  PlannedPoint planned;
  for (std::size_t a = 0; a < field_.space().axes().size(); ++a) {
    const PlanAxis& axis = field_.space().axes()[a];
    const std::string own = field_.space().own_text(a);
    planned.values.push_back({axis.name(), axis.axis.parameters.front().pointer, own, own, axis.chosen_here});
  }
  planned.hourly_usd = now.measure.figures.hourly_usd();
  planned.first_step_s = first_step_s(loaded_.value);
  set_figures(models::cluster_bound(loaded_.value).figures, &now.measure, planned);
  return planned;
}

/// Each decision that differs from today, alone; then one behind the other, the most gained per dollar spent first.
void Adviser::find_changes(const Visit& best, Plan& plan) {
  const Space& space = field_.space();
  const std::vector<std::size_t> where = space.positions(best.point);
  const std::vector<std::optional<std::size_t>> nothing(where.size());
  std::vector<Scenario> alone{loaded_.value};
  std::vector<std::size_t> axes;
  for (std::size_t a = 0; a < where.size(); ++a) {
    if (space.own_position(a) == where[a]) continue;
    std::vector<std::optional<std::size_t>> one = nothing;
    one[a] = where[a];
    std::optional<Scenario> changed = space.with(one);
    if (!changed) continue;
    alone.push_back(std::move(*changed));
    axes.push_back(a);
  }
  std::vector<Answer> answers = run(alone, field_.full_steps());
  if (answers.empty()) return;
  plan.today = today(answers.front());
  if (axes.empty()) return;
  const models::PlanGoal goal = plan.priced ? models::PlanGoal::cost_per_epoch : field_.goal();
  settle(answers, goal);
  const Answer& now = answers.front();
  std::vector<std::pair<double, std::size_t>> order;
  std::vector<PlanChange> changes;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Answer& then = answers[i + 1];
    PlanChange change;
    change.name = space.axes()[axes[i]].name();
    change.from = space.own_text(axes[i]);
    change.to = space.axes()[axes[i]].text(where[axes[i]]);
    const double cost_usd = !plan.priced ? 0.0 : now.cost_usd() + then.change.mean;
    change.gained_s = now.epoch_s() - then.epoch_s();
    change.gained_usd = now.cost_usd() - now.measure.figures.cost_at_epochs_of(then.measure.figures);
    change.spent_usd = cost_usd - now.cost_usd() + change.gained_usd;
    change.decided = then.decided;
    if (plan.priced) change.gained_error_usd = margin(then.change, kTwoSided95);
    if (std::abs(change.spent_usd) <= kNothing * now.cost_usd()) change.spent_usd = 0.0;
    // What costs nothing comes first, by what it brings.
    const double ratio = !plan.priced             ? change.gained_s
                         : change.spent_usd > 0.0 ? change.gained_usd / change.spent_usd
                                                  : 1e9 + (change.gained_usd - change.spent_usd) / now.cost_usd();
    order.emplace_back(change.decided ? -ratio : 1e10, i);
    changes.push_back(std::move(change));
  }
  std::sort(order.begin(), order.end());
  std::vector<Scenario> path;  // the first of them was run alone
  std::vector<std::optional<std::size_t>> so_far = nothing;
  std::vector<std::size_t> kept;
  for (const auto& [ratio, i] : order) {
    so_far[axes[i]] = where[axes[i]];
    if (std::optional<Scenario> changed = space.with(so_far); changed && kept.size() < kMostAdvice) {
      if (!kept.empty()) path.push_back(std::move(*changed));
      kept.push_back(i);
    }
  }
  const std::vector<Answer> after = run(path, field_.full_steps());
  if (after.size() < path.size()) return;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    const Answer& then = k == 0 ? answers[kept[0] + 1] : after[k - 1];
    plan.changes.push_back(changes[kept[k]]);
    plan.changes.back().cost_after_usd = then.cost_usd();
    plan.changes.back().epoch_after_s = then.epoch_s();
  }
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
    const RaceMean change = answer.trial->difference_from(*base.trial, goal);
    error = margin(change, kTwoSided95) / from;
    return change.mean / from;
  };
  for (std::size_t i = 1; i < answers.size(); ++i) {
    Elasticity elasticity;
    elasticity.resource = names[i];
    elasticity.epoch_time = relative(answers[i], models::PlanGoal::epoch_time, elasticity.error);
    elasticity.cost = relative(answers[i], models::PlanGoal::cost_per_epoch, elasticity.cost_error);
    elasticity.decided = answers[i].decided;
    plan.elasticities.push_back(std::move(elasticity));
  }
  std::stable_sort(plan.elasticities.begin(), plan.elasticities.end(), [](const Elasticity& a, const Elasticity& b) {
    return std::pair(!a.decided, a.decided ? a.epoch_time : 0.0) <
           std::pair(!b.decided, b.decided ? b.epoch_time : 0.0);
  });
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
  const double by_time_usd = other.cost_usd - other.fixed_usd();
  if (!(by_time_usd > 0.0)) return;
  condition.needed_step_s = other.step_time_s * (own.cost_usd - other.fixed_usd()) / by_time_usd;
  if (!(condition.needed_step_s > 0.0)) return;
  // Both costs are straight lines over the price of a GPU hour.
  const models::Prices& prices = loaded_.value.prices;
  const double price = gpu_hour_usd(loaded_.value);
  if (price > 0.0 && !prices.owned && other.gpu_hours() > own.gpu_hours()) {
    const double at = price - (other.cost_usd - own.cost_usd) / (other.gpu_hours() - own.gpu_hours());
    if (at > 0.0) condition.gpu_hour_usd = at;
  }
  plan.next_cheaper = std::move(condition);
}

void Adviser::add_closed_forms(const Scenario& whole, Plan& plan) const {
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
  plan.closed_forms = forms;
  for (const models::RoomUse& room : models::cluster_bound(whole).rooms)
    if (room.known() && room.needed > 0.0)
      plan.rooms.push_back({std::string(room.name) + (room.job.empty() ? "" : " (" + room.job + ")"),
                            std::string(room.unit), room.needed, room.available});
}

/// Where it waits, and the tail of its batch times: an outcome of the recommended configuration.
void Adviser::add_outcome(const Scenario& scenario, Plan& plan) const {
  models::StudyOptions options;
  options.seed = field_.seed();
  options.steps = std::max<std::uint64_t>(64, field_.full_steps() / 4);
  options.relief = false;
  options.control = false;
  options.courses = false;
  Scenario closed_form = scenario;
  for (models::Pool& pool : closed_form.cluster.pools) pool.cache.fidelity = models::CacheFidelity::statistical;
  const models::Outcome outcome = simulate(closed_form, options);
  plan.confidence = models::confidence_of(outcome);
  double most = 0.0;
  for (const models::StageShare& share : outcome.blame) {
    if (share.mean <= most) continue;
    most = share.mean;
    plan.binding = std::string(models::name(share.stage));
  }
  if (most < 1e-4) plan.binding.clear();
  if (!outcome.batch_load_time) return;
  plan.closed_forms->batch_p999_s = outcome.batch_load_time->p999_s;
  const double step_s = resolve_path(scenario, 0, {}).mean_step_floor_s();
  plan.closed_forms->depth_rule = std::ceil(outcome.batch_load_time->p999_s / step_s);
}

/// What takes no runs comes first.
bool Adviser::advise(const Visit& best, Plan& plan) {
  const Scenario scenario = field_.space().at(best.point);
  add_closed_forms(scenario, plan);
  find_next_cheaper(best, plan);
  if (is_cancelled()) return false;
  add_outcome(scenario, plan);
  find_changes(best, plan);
  find_elasticities(best, plan);
  plan.advice_runs = runs_ + 1;
  return !cut_;
}

}  // namespace headrace::scenarios
