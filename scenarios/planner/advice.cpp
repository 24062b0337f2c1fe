#include "scenarios/planner/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "models/flow_bound.hpp"
#include "models/hit_profile.hpp"
#include "models/ownership.hpp"
#include "models/study.hpp"
#include "models/tier_path.hpp"
#include "scenarios/planner/levers.hpp"

namespace headrace::scenarios {

using models::Interval;
using models::PointBound;
using models::RaceMean;
using models::RaceRun;
using models::Scenario;

namespace {

constexpr double kTwoSided95 = 0.025;
constexpr std::size_t kMostChanges = 5;

PlanFigure figure(const RaceMean& step_s, double floor_s, const std::function<double(double)>& of) {
  const double arm_s = margin(step_s, kTwoSided95);
  const double mean_s = std::max(step_s.mean, floor_s);
  const double low = of(std::max(floor_s, step_s.mean - arm_s));
  return {of(mean_s), Interval{low, of(std::max(mean_s, step_s.mean + arm_s))}};
}

/// The resource of fabric or store that limits a job without any cache, and the hit ratio from which it does not.
std::optional<double> least_hit_ratio(const Scenario& scenario) {
  Scenario bare = scenario;
  for (models::Pool& pool : bare.cluster.pools) pool.cache.policy = models::CachePolicy::none;
  const models::IngestPath path = resolve_path(bare, 0, {});
  double longest_s = 0.0;
  for (const models::ResourceFloor& floor : resource_floors(path)) {
    const bool saved_by_hits = floor.name.starts_with("store") || floor.name == "spine" ||
                               floor.name == "leaf uplink" || floor.name == "nic" || floor.name == "request limit" ||
                               floor.name == "metadata";
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
  planned.bound_step_s = field.bound_step_s(point);
  planned.hourly_usd = field.usd_per_s(point) / field.epoch_time_s(point, 1.0) * 3600.0;
  const auto cost = [&](double s) { return field.cost_usd(point, s); };
  const auto epoch = [&](double s) { return field.epoch_time_s(point, s); };
  const auto idle = [&](double s) { return field.idle_fraction(point, s); };
  planned.simulated = visit.level >= SearchLevel::race;
  const RaceMean step_s = planned.simulated ? visit.step_s : RaceMean{planned.bound_step_s, 0.0, 1};
  const double floor_s = planned.bound_step_s;
  planned.step_time_s = figure(step_s, floor_s, [](double s) { return s; });
  planned.cost_usd = figure(step_s, floor_s, cost);
  planned.epoch_time_s = figure(step_s, floor_s, epoch);
  planned.idle_fraction = figure(step_s, floor_s, idle);
  if (planned.simulated) return planned;
  for (PlanFigure* one : {&planned.step_time_s, &planned.cost_usd, &planned.epoch_time_s, &planned.idle_fraction})
    one->ci95.reset();
  return planned;
}

std::vector<Adviser::Answer> Adviser::run(const std::vector<Scenario>& scenarios, std::uint64_t steps) {
  std::vector<Answer> answers(scenarios.size());
  std::vector<std::unique_ptr<RaceRun>> races(scenarios.size());
  pool_.run(scenarios.size(), [&](std::size_t i) {
    answers[i].bound = point_bound(scenarios[i]);
    races[i] = std::make_unique<RaceRun>(scenarios[i], field_.seed(), RaceRun::Engine::contended);
    races[i]->run_to(steps);
    answers[i].step_s = races[i]->step_time_s();
    answers[i].step_s.mean = std::max(answers[i].step_s.mean, answers[i].bound.step_time_s);
  });
  for (std::size_t i = 0; i < races.size(); ++i) answers[i].change = races[i]->change_from(*races.front());
  runs_ += scenarios.size();
  return answers;
}

PlannedPoint Adviser::today() {
  const Answer now = run({loaded_.value}, field_.full_steps()).front();
  PlannedPoint planned;
  for (std::size_t a = 0; a < field_.space().axes().size(); ++a) {
    const PlanAxis& axis = field_.space().axes()[a];
    const std::string own = field_.space().own_text(a);
    planned.values.push_back({axis.name(), axis.axis.parameters.front().pointer, own, own, axis.chosen_here});
  }
  planned.simulated = true;
  planned.bound_step_s = now.bound.step_time_s;
  planned.hourly_usd = now.bound.usd_per_s / now.bound.epoch_s_per_s * 3600.0;
  const double floor_s = planned.bound_step_s;
  planned.step_time_s = figure(now.step_s, floor_s, [](double s) { return s; });
  planned.cost_usd = figure(now.step_s, floor_s, [&](double s) { return now.bound.cost_usd(s); });
  planned.epoch_time_s = figure(now.step_s, floor_s, [&](double s) { return now.bound.epoch_time_s(s); });
  planned.idle_fraction = figure(now.step_s, floor_s, [&](double s) { return now.bound.idle_fraction(s); });
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
  if (axes.empty()) return;
  const std::vector<Answer> answers = run(alone, field_.full_steps());
  const Answer& now = answers.front();
  std::vector<std::pair<double, std::size_t>> order;
  std::vector<PlanChange> changes;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Answer& then = answers[i + 1];
    PlanChange change;
    change.name = space.axes()[axes[i]].name();
    change.from = space.own_text(axes[i]);
    change.to = space.axes()[axes[i]].text(where[axes[i]]);
    change.gained_usd = now.cost_usd() - now.bound.cost_usd(then.step_s.mean);
    change.gained_error_usd = now.bound.usd_per_s * now.step_s.mean * margin(then.change, kTwoSided95);
    change.spent_usd = then.cost_usd() - now.bound.cost_usd(then.step_s.mean);
    // What costs nothing comes first, by what it brings.
    const double ratio = change.spent_usd > 1e-9 * now.cost_usd()
                             ? change.gained_usd / change.spent_usd
                             : 1e9 + (change.gained_usd - change.spent_usd) / now.cost_usd();
    order.emplace_back(-ratio, i);
    changes.push_back(std::move(change));
  }
  std::sort(order.begin(), order.end());
  std::vector<Scenario> path;
  std::vector<std::optional<std::size_t>> so_far = nothing;
  std::vector<std::size_t> kept;
  for (const auto& [ratio, i] : order) {
    so_far[axes[i]] = where[axes[i]];
    if (std::optional<Scenario> changed = space.with(so_far); changed && kept.size() < kMostChanges) {
      path.push_back(std::move(*changed));
      kept.push_back(i);
    }
  }
  const std::vector<Answer> after = run(path, field_.full_steps());
  for (std::size_t k = 0; k < kept.size(); ++k) {
    plan.changes.push_back(changes[kept[k]]);
    plan.changes.back().cost_after_usd = after[k].cost_usd();
    plan.changes.back().epoch_after_s = after[k].epoch_s();
  }
}

void Adviser::find_elasticities(const Visit& best, Plan& plan) {
  const Scenario scenario = field_.space().at(best.point);
  std::vector<Scenario> changed{scenario};
  std::vector<std::string> names{""};
  for (const Lever& lever : kLevers) {
    Scenario one = scenario;
    if (!lever.pull(one)) continue;
    changed.push_back(std::move(one));
    names.emplace_back(lever.name);
  }
  const std::vector<Answer> answers = run(changed, std::max<std::uint64_t>(64, field_.full_steps() / 2));
  const Answer& base = answers.front();
  for (std::size_t i = 1; i < answers.size(); ++i) {
    Elasticity elasticity;
    elasticity.resource = names[i];
    elasticity.epoch_time = answers[i].epoch_s() / base.epoch_s() - 1.0;
    elasticity.cost = base.cost_usd() > 0.0 ? answers[i].cost_usd() / base.cost_usd() - 1.0 : 0.0;
    elasticity.error = margin(answers[i].change, kTwoSided95);
    plan.elasticities.push_back(std::move(elasticity));
  }
  std::stable_sort(plan.elasticities.begin(), plan.elasticities.end(),
                   [](const Elasticity& a, const Elasticity& b) { return a.epoch_time < b.epoch_time; });
}

/// Among the points that were run, the one with the cheapest machines that still came nearest.
void Adviser::find_next_cheaper(const Visit& best, Plan& plan) const {
  const double own_rate = field_.usd_per_s(best.point) / field_.epoch_time_s(best.point, 1.0);
  const Visit* rival = nullptr;
  for (const Visit& visit : plan.search.visits) {
    const bool ran = visit.level >= SearchLevel::race && visit.mean < std::numeric_limits<double>::infinity();
    const double rate = field_.usd_per_s(visit.point) / field_.epoch_time_s(visit.point, 1.0);
    if (visit.point == best.point || !ran || !(rate < own_rate * (1.0 - 1e-9))) continue;
    if (rival == nullptr || visit.mean < rival->mean) rival = &visit;
  }
  if (rival == nullptr || !(field_.usd_per_s(rival->point) > 0.0)) return;
  SwitchCondition condition;
  condition.rival = planned_point(field_, *rival);
  const double own_usd = field_.cost_usd(best.point, best.step_s.mean);
  condition.needed_step_s = (own_usd - field_.cost_usd(rival->point, 0.0)) / field_.usd_per_s(rival->point);
  // Both costs are straight lines over the price of a GPU hour.
  const models::Prices& prices = loaded_.value.prices;
  const double price = gpu_hour_usd(prices);
  const auto gpu_hours = [&](Point point, double step_s) {
    const Scenario scenario = field_.space().at(point);
    return resolve_path(scenario, 0, {}).gpus * field_.epoch_time_s(point, step_s) / 3600.0;
  };
  const double own_hours = gpu_hours(best.point, best.step_s.mean);
  const double rival_hours = gpu_hours(rival->point, rival->step_s.mean);
  if (price > 0.0 && !prices.owned && rival_hours > own_hours) {
    const double more_usd = field_.cost_usd(rival->point, rival->step_s.mean) - own_usd;
    const double at = price - more_usd / (rival_hours - own_hours);
    if (at > 0.0) condition.gpu_hour_usd = at;
  }
  plan.next_cheaper = std::move(condition);
}

void Adviser::add_closed_forms(const Scenario& scenario, Plan& plan) const {
  ClosedForms forms;
  forms.least_hit_ratio = least_hit_ratio(scenario);
  forms.least_cache_bytes = least_cache_bytes(scenario);
  const models::Pool& pool = pool_of(scenario, scenario.jobs.front());
  forms.present_cache_bytes = pool.cache.policy == models::CachePolicy::none ? 0.0 : pool.cache.bytes;
  models::IngestPath path = resolve_path(scenario, 0, {});
  for (const models::EpochWindow& window : models::closed_form_windows(scenario, 0)) {
    enter_window(path, window);
    forms.batch_time_s += window.weight * mean_batch_time_s(path);
  }
  constexpr double kFilled = 0.95;
  forms.least_workers = std::ceil(forms.batch_time_s / (kFilled * path.mean_step_floor_s()) - 1e-9);
  plan.closed_forms = forms;
  for (const models::RoomUse& room : point_bound(scenario).rooms)
    if (room.known() && room.needed > 0.0)
      plan.rooms.push_back({std::string(room.name), std::string(room.unit), room.needed, room.available});
}

/// Where it waits, and the tail of its batch times: an outcome of the recommended configuration.
void Adviser::add_outcome(const Scenario& scenario, Plan& plan) const {
  models::StudyOptions options;
  options.seed = field_.seed();
  options.steps = std::max<std::uint64_t>(64, field_.full_steps() / 4);
  options.relief = false;
  options.control = false;
  Scenario closed_form = scenario;
  for (models::Pool& pool : closed_form.cluster.pools) pool.cache.fidelity = models::CacheFidelity::statistical;
  const models::Outcome outcome = simulate(closed_form, options);
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

void Adviser::advise(const Visit& best, Plan& plan) {
  const Scenario scenario = field_.space().at(best.point);
  add_closed_forms(scenario, plan);
  add_outcome(scenario, plan);
  plan.today = today();
  find_changes(best, plan);
  find_elasticities(best, plan);
  find_next_cheaper(best, plan);
  plan.advice_runs = runs_ + 1;
}

}  // namespace headrace::scenarios
