#include "scenarios/planner/scenario_field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/base/limits.hpp"
#include "models/base/task_pool.hpp"
#include "models/cluster/cluster_plan.hpp"
#include "models/path/ingest_path.hpp"
#include "scenarios/planner/events.hpp"
#include "scenarios/planner/search.hpp"

namespace headrace::scenarios {

using models::PlanGoal;
using models::PointBound;
using models::RaceMean;
using models::RaceRun;
using models::Room;
using models::RoomUse;
using models::Scenario;
using models::SubjectTo;

namespace {

constexpr std::size_t kChunk = 256;  ///< points that one task bounds
/// Batches that the first race of a point simulates; a full one simulates eight times as many.
constexpr double kFirstRaceBatches = 40000.0;
constexpr std::uint64_t kFewestSteps = 12;
constexpr std::uint64_t kFewestOfOutcome = 256;  ///< where only simulate() answers, which also cuts off warm-ups
constexpr std::uint64_t kMostFirstSteps = 400;
constexpr std::size_t kMostRunsKept = 24;

std::string duration_text(double seconds) {
  if (seconds < 120.0) return fmt::format("{:.4g} s", seconds);
  if (seconds < 7200.0) return fmt::format("{:.4g} min", seconds / 60.0);
  return fmt::format("{:.4g} h", seconds / 3600.0);
}

std::string amount_text(double amount, std::string_view unit) {
  if (unit == "B") return fmt::format("{:.4g} GB", amount / 1e9);
  return fmt::format("{:.6g} {}", amount, unit);
}

/// The axis that sets this key of the first job's loader and nothing else; SIZE_MAX if none does.
std::size_t axis_of(const Space& space, const std::string& pointer, std::vector<double>& numbers) {
  for (std::size_t a = 0; a < space.axes().size(); ++a) {
    const PlanAxis& axis = space.axes()[a];
    if (!axis.with.empty() || axis.axis.parameters.size() != 1 || axis.axis.parameters.front().pointer != pointer)
      continue;
    numbers.clear();
    for (const Node& node : axis.axis.values) numbers.push_back(node.number);
    return a;
  }
  return SIZE_MAX;
}

/// Share of a room that a plan may take; nothing: any.
std::optional<double> most_of(Room room, const SubjectTo& limits) {
  switch (room) {
    case Room::host_memory:
    case Room::offloaded_states:
    case Room::checkpoint_memory:
      return limits.host_memory;
    case Room::gpu_memory:
      return limits.gpu_memory;
    case Room::cores:
      return limits.cores;
    case Room::request_limit:
      return limits.request_limit;
    case Room::checkpoint_store:
    case Room::local_drives:
    case Room::site_power:
    case Room::site_space:
      break;
  }
  return 1.0;
}

}  // namespace

ScenarioField::ScenarioField(const Space& space, const Scenario& request, PlanGoal goal, std::uint64_t seed,
                             unsigned threads, const std::function<bool()>& cancelled, std::stop_token stop)
    : space_(space), request_(request), goal_(goal), seed_(seed), stop_(std::move(stop)), points_(space.size()) {
  const std::size_t chunks = (points_.size() + kChunk - 1) / kChunk;
  std::vector<std::map<std::string, Obstacle>> found(chunks);
  const models::IngestPath keeps_tables = resolve_path(request, 0, {});
  models::TaskPool pool(threads);
  pool.run(chunks, [&](std::size_t c) {
    if (cancelled && cancelled()) return;
    bound_range(c * kChunk, std::min(points_.size(), (c + 1) * kChunk), found[c]);
  });
  for (const auto& chunk : found)
    for (const auto& [name, obstacle] : chunk) {
      Obstacle& all =
          obstacles_.try_emplace(name, Obstacle{name, 0, kInfinity, obstacle.text, {}, obstacle.nearest}).first->second;
      all.points += obstacle.points;
      if (obstacle.cheapest && (!all.cheapest || obstacle.cheapest_goal < all.cheapest_goal)) {
        all.cheapest = obstacle.cheapest;
        all.cheapest_goal = obstacle.cheapest_goal;
        all.cheapest_text = obstacle.cheapest_text;
      }
      if (obstacle.excess < all.excess) {
        all.excess = obstacle.excess;
        all.text = obstacle.text;
        all.over = obstacle.over;
        all.nearest = obstacle.nearest;
      }
    }
  choose_lengths();
  find_families();
}

void ScenarioField::bound_range(Point begin, Point end, std::map<std::string, Obstacle>& obstacles) {
  for (Point point = begin; point < end; ++point) {
    PointFacts& facts = points_[point];
    const auto refusal = check(point, facts);
    if (!refusal) continue;
    const bool bounded = refusal->excess < kInfinity && facts.step_s > 0.0;
    const double least = bounded ? goal(point, facts.step_s) : kInfinity;
    facts.step_s = kInfinity;
    Obstacle& obstacle =
        obstacles.try_emplace(refusal->name, Obstacle{refusal->name, 0, kInfinity, refusal->text, {}, point})
            .first->second;
    ++obstacle.points;
    if (least < kInfinity && (!obstacle.cheapest || least < obstacle.cheapest_goal)) {
      obstacle.cheapest = point;
      obstacle.cheapest_goal = least;
      obstacle.cheapest_text = refusal->text;
    }
    if (refusal->excess >= obstacle.excess) continue;
    obstacle.excess = refusal->excess;
    obstacle.text = refusal->text;
    obstacle.over = refusal->over;
    obstacle.nearest = point;
  }
}

std::vector<RoomUse> ScenarioField::bound_plain(const Scenario& scenario, PointFacts& facts) const {
  PointBound bound = point_bound(scenario);
  facts.step_s = bound.step_time_s;
  facts.floor_s = bound.step_floor_s;
  facts.fixed_usd = bound.fixed_usd;
  facts.usd_per_s = bound.usd_per_s;
  facts.epoch_s_per_s = bound.epoch_s_per_s;
  facts.epoch_fixed_s = bound.epoch_fixed_s;
  facts.egress_usd = bound.egress_usd;
  facts.gpus = bound.gpus;
  facts.hourly_usd = bound.usd_per_s / bound.epoch_s_per_s * 3600.0;
  facts.uncontended_bounds = bounds_by_uncontended(scenario);
  return std::move(bound.rooms);
}

std::vector<RoomUse> ScenarioField::bound_cluster(const Scenario& scenario, Point point, PointFacts& facts) const {
  if (is_shared(scenario)) plan_cluster(scenario, {});  // tells what cannot be simulated
  models::ClusterBound bound = cluster_bound(scenario);
  facts.plain = false;
  facts.hourly_usd = bound.figures.hourly_usd();
  facts.step_s = slowness(goal_of(bound.figures, goal_));
  const std::lock_guard<std::mutex> guard(runs_guard_);
  not_plain_[point] = std::move(bound.figures);
  return std::move(bound.rooms);
}

std::optional<ScenarioField::Refusal> ScenarioField::check(Point point, PointFacts& facts) const {
  std::string conflict;
  const Scenario scenario = space_.at(point, conflict);
  if (!conflict.empty()) return Refusal{"a relation between parameters", kInfinity, conflict};
  try {
    const std::vector<RoomUse> rooms =
        models::is_plain(scenario) ? bound_plain(scenario, facts) : bound_cluster(scenario, point, facts);
    const models::Loader& loader = scenario.jobs.front().loader;
    facts.outstanding = static_cast<std::uint32_t>(std::min<std::uint64_t>(loader.batches_outstanding(), 1000000));
    if (auto refusal = check_rooms(rooms)) return refusal;
    if (auto refusal = check_limits(bound_figures_of(point, facts), true)) return refusal;
    if (auto refusal = check_first_step(scenario)) return refusal;
    limit(facts);
    return check_events(scenario);
  } catch (const models::UnusableRequest& error) {
    return Refusal{"not modelled", kInfinity, fmt::format("{}; {}", error.what(), error.fix())};
  }
}

std::optional<ScenarioField::Refusal> ScenarioField::check_events(const Scenario& scenario) const {
  for (const models::HoldUnder& hold : request_.must_hold_under) {
    const std::optional<Scenario> event = during(scenario, hold);
    if (!event) return Refusal{"leaf_down", kInfinity, "leaf_down: all nodes are under one leaf, so none would remain"};
    const models::EpochFigures then = models::cluster_bound(*event).figures;
    if (auto broken = broken_limit(hold, then.idle_fraction, then.epoch_time_s, 0.0))
      return Refusal{std::string(event_name(hold.event)), broken->excess, broken->text, broken->over};
    if (!hold.first_step_s) continue;
    const double first_s = first_step_s(*event);
    if (models::exceeds(first_s, hold.first_step_s))
      return Refusal{std::string(event_name(hold.event)), first_s / *hold.first_step_s - 1.0,
                     fmt::format("{}: the first step is after {}, limit {}", event_name(hold.event),
                                 duration_text(first_s), duration_text(*hold.first_step_s))};
  }
  return std::nullopt;
}

std::optional<ScenarioField::Refusal> ScenarioField::check_rooms(const std::vector<RoomUse>& rooms) const {
  const SubjectTo limits = request_.subject_to.value_or(SubjectTo{});
  for (const RoomUse& room : rooms) {
    const std::optional<double> share = most_of(room.room, limits);
    if (!share || !room.known() || room.needed <= *share * room.available) continue;
    const std::string whose = room.job.empty() ? "" : " of job " + room.job;
    const std::string sum =
        !room.sum.empty() ? room.sum
                          : fmt::format("{} of {}{}", amount_text(room.needed, room.unit()),
                                        amount_text(*share * room.available, room.unit()),
                                        *share < 1.0 ? fmt::format(" ({:.3g} % of the capacity)", 100.0 * *share) : "");
    return Refusal{std::string(room.name()), room.needed / (*share * room.available) - 1.0,
                   fmt::format("{}{}: {}", room.name(), whose, sum)};
  }
  return std::nullopt;
}

std::optional<ScenarioField::Refusal> ScenarioField::check_limits(const models::EpochFigures& figures,
                                                                  bool least) const {
  if (!request_.subject_to) return std::nullopt;
  const SubjectTo& limits = *request_.subject_to;
  const std::string_view hedge = least ? " at least" : "";
  const auto over = [](double value, std::optional<double> most) {
    return models::exceeds(value, models::times(most, 1.0 + 1e-12));
  };
  if (over(figures.egress_usd, limits.egress_usd))
    return Refusal{"egress budget", figures.egress_usd / *limits.egress_usd - 1.0,
                   fmt::format("egress of an epoch: ${:.2f}, limit ${:.2f}", figures.egress_usd, *limits.egress_usd)};
  if (over(figures.idle_fraction, limits.idle_fraction))
    return Refusal{"idle limit", (1.0 - *limits.idle_fraction) / std::max(1e-9, 1.0 - figures.idle_fraction) - 1.0,
                   fmt::format("GPUs idle {:.2f} %{}, limit {:.2f} %", 100.0 * figures.idle_fraction, hedge,
                               100.0 * *limits.idle_fraction),
                   fmt::format("{:.2f} points", 100.0 * (figures.idle_fraction - *limits.idle_fraction))};
  if (over(figures.epoch_time_s, limits.epoch_time_s))
    return Refusal{"deadline", figures.epoch_time_s / *limits.epoch_time_s - 1.0,
                   fmt::format("an epoch takes {}{}, limit {}", duration_text(figures.epoch_time_s), hedge,
                               duration_text(*limits.epoch_time_s))};
  if (over(figures.cost_usd, limits.cost_usd))
    return Refusal{"cost budget", figures.cost_usd / *limits.cost_usd - 1.0,
                   fmt::format("an epoch costs ${:.2f}{}, limit ${:.2f}", figures.cost_usd, hedge, *limits.cost_usd)};
  return std::nullopt;
}

std::optional<ScenarioField::Refusal> ScenarioField::check_first_step(const Scenario& scenario) const {
  if (!request_.subject_to || !request_.subject_to->first_step_s) return std::nullopt;
  const double most_s = *request_.subject_to->first_step_s;
  const double first_s = first_step_s(scenario);
  if (first_s <= most_s * (1.0 + 1e-12)) return std::nullopt;
  return Refusal{"time to the first step", first_s / most_s - 1.0,
                 fmt::format("the first step is after {}, limit {}", duration_text(first_s), duration_text(most_s))};
}

/// The slowness at which a point breaks a limit. Of points that are not plain, only the goal's own limit is one.
void ScenarioField::limit(PointFacts& facts) const {
  facts.limit_s = kInfinity;
  if (!request_.subject_to) return;
  const SubjectTo& limits = *request_.subject_to;
  const auto at_most = [&](double step_s) { facts.limit_s = std::min(facts.limit_s, step_s); };
  if (!facts.plain) {
    if (goal_ == PlanGoal::idle && limits.idle_fraction) at_most(slowness(*limits.idle_fraction));
    if (goal_ == PlanGoal::epoch_time && limits.epoch_time_s) at_most(*limits.epoch_time_s);
    if (counts_dollars(goal_) && limits.cost_usd) at_most(*limits.cost_usd);
    return;
  }
  if (limits.idle_fraction) at_most(facts.floor_s / (1.0 - *limits.idle_fraction));
  if (limits.epoch_time_s) at_most((*limits.epoch_time_s - facts.epoch_fixed_s) / facts.epoch_s_per_s);
  if (limits.cost_usd && facts.usd_per_s > 0.0) at_most((*limits.cost_usd - facts.fixed_usd) / facts.usd_per_s);
}

/// The same number of steps for all points, so that their draws are the same.
void ScenarioField::choose_lengths() {
  double batches = models::batches_per_step(request_);
  bool plain = models::is_plain(request_);
  for (Point point = 0; point < points_.size(); point += std::max<Point>(1, points_.size() / 16)) {
    if (!(points_[point].step_s < kInfinity)) continue;
    batches = std::max(batches, models::batches_per_step(space_.at(point)));
    plain = plain && points_[point].plain;
  }
  const std::uint64_t fewest = plain ? kFewestSteps : kFewestOfOutcome;
  first_steps_ = std::clamp(static_cast<std::uint64_t>(kFirstRaceBatches / batches), fewest, kMostFirstSteps);
}

void ScenarioField::find_families() {
  const models::Loader& loader = request_.jobs.front().loader;
  workers_axis_ = axis_of(space_, "/jobs/0/loader/workers", workers_);
  depth_axis_ = axis_of(space_, "/jobs/0/loader/prefetch", depths_);
  // With a lock, a set number of outstanding batches, contention with kappa or a host part more workers can be slower.
  const bool falls = request_.jobs.front().step.host_part.has_value() ||
                     std::any_of(request_.cluster.pools.begin(), request_.cluster.pools.end(),
                                 [](const models::Pool& pool) { return pool.host.contention.has_scaling(); });
  const bool monotone = !falls && !(loader.lock.single_worker_s > 0.0) && loader.outstanding == 0 && loader.ready == 0;
  bool alone = true;
  for (const PlanAxis& axis : space_.axes())
    for (const AxisParameter& parameter : axis.axis.parameters)
      for (const char* key :
           {"/loader/lock", "/loader/outstanding", "/loader/ready", "/loader/catalogue", "/contention", "/host_part"})
        alone = alone && parameter.pointer.find(key) == std::string::npos;
  if (workers_axis_ != SIZE_MAX) trimmed_.push_back(workers_axis_);
  if (depth_axis_ != SIZE_MAX) trimmed_.push_back(depth_axis_);
  for (std::size_t a = 0; a < space_.axes().size(); ++a)
    if (space_.axes()[a].axis.parameters.front().pointer.ends_with("/cache/bytes") && space_.axes()[a].with.empty())
      trimmed_.push_back(a);
  has_families_ = monotone && alone && (workers_axis_ != SIZE_MAX || depth_axis_ != SIZE_MAX);
}

std::optional<Family> ScenarioField::family(Point point) const {
  if (!has_families_ || !points_[point].uncontended_bounds) return std::nullopt;
  std::vector<std::size_t> where = space_.positions(point);
  Family family;
  if (workers_axis_ != SIZE_MAX) family.workers = workers_[std::exchange(where[workers_axis_], 0)];
  if (depth_axis_ != SIZE_MAX) family.depth = depths_[std::exchange(where[depth_axis_], 0)];
  family.group = space_.point(where);
  return family;
}

std::optional<std::vector<Point>> ScenarioField::trimmable(Point point, std::size_t axis) const {
  if (axis >= trimmed_.size()) return std::nullopt;
  const std::size_t a = trimmed_[axis];
  std::vector<std::size_t> where = space_.positions(point);
  // Less of what is there today anyway is no gain, unless there is not enough of it.
  if (space_.own_position(a) == where[a] && share_of_cores(point) <= 1.0) return std::vector<Point>();
  const auto amount = [&](std::size_t position) {
    const auto number = comparable_number(space_.axes()[a].axis.values[position]);
    return number ? number->value : 0.0;
  };
  const double own = amount(where[a]);
  std::vector<std::pair<double, Point>> smaller;
  for (std::size_t position = 0; position < space_.axes()[a].size(); ++position) {
    where[a] = position;
    const Point sibling = space_.point(where);
    const bool free = points_[sibling].hourly_usd == points_[point].hourly_usd && points_[sibling].step_s < kInfinity;
    if (amount(position) < own && free) smaller.emplace_back(amount(position), sibling);
  }
  std::sort(smaller.begin(), smaller.end());
  std::vector<Point> points;
  for (const auto& [value, sibling] : smaller) points.push_back(sibling);
  return points;
}

std::vector<Point> ScenarioField::sooner(Point point, double goal) const {
  constexpr double kMuch = 0.1;      // of the time to the first step
  constexpr double kFewest_s = 1.0;  // that anybody waits for
  const double own_s = first_step_s(space_.at(point));
  if (own_s < kFewest_s) return {};
  const std::vector<std::size_t> where = space_.positions(point);
  std::vector<std::pair<double, Point>> found;
  for (std::size_t a = 0; a < where.size(); ++a) {
    if (std::find(trimmed_.begin(), trimmed_.end(), a) != trimmed_.end()) continue;
    std::vector<std::size_t> there = where;
    for (there[a] = 0; there[a] < space_.axes()[a].size(); ++there[a]) {
      const Point sibling = space_.point(there);
      if (!(points_[sibling].step_s < kInfinity) || this->goal(sibling, points_[sibling].step_s) > goal) continue;
      const double there_s = first_step_s(space_.at(sibling));
      if (own_s - there_s >= std::max(kFewest_s, kMuch * own_s)) found.emplace_back(there_s, sibling);
    }
  }
  std::sort(found.begin(), found.end());
  std::vector<Point> points;
  for (const auto& [time_s, sibling] : found) points.push_back(sibling);
  return points;
}

std::vector<Point> ScenarioField::nearer_to_today(Point point) const {
  constexpr double kMuch = 0.1;      // of the time to the first step
  constexpr double kFewest_s = 1.0;  // that anybody waits for
  const std::vector<std::size_t> where = space_.positions(point);
  std::vector<Point> nearer;
  if (space_.today() && *space_.today() != point) nearer.push_back(*space_.today());
  for (std::size_t a = 0; a < where.size(); ++a) {
    if (!space_.own_position(a) || *space_.own_position(a) == where[a]) continue;
    std::vector<std::size_t> there = where;
    there[a] = *space_.own_position(a);
    nearer.push_back(space_.point(there));
  }
  const double latest_s = first_step_s(space_.at(point));
  const double cores = std::max(1.0, share_of_cores(point));
  std::erase_if(nearer, [&](Point sibling) {
    if (!(points_[sibling].step_s < kInfinity)) return true;
    if (first_step_s(space_.at(sibling)) > latest_s + std::max(kFewest_s, kMuch * latest_s)) return true;
    return share_of_cores(sibling) > cores * (1.0 + 1e-9);
  });
  return nearer;
}

std::string ScenarioField::why_infeasible(Point point) const {
  if (points_[point].step_s < kInfinity) return "";
  PointFacts facts;
  facts.step_s = 1.0;  // bounds of points that are not plain are those that were found
  const auto refusal = check(point, facts);
  return refusal ? refusal->text : "";
}

double ScenarioField::share_of_cores(Point point) const {
  double share = 0.0;
  for (const RoomUse& room : models::cluster_bound(space_.at(point)).rooms)
    if (room.room == Room::cores && room.known()) share = std::max(share, room.needed / room.available);
  return share;
}

std::vector<EventFigure> ScenarioField::events_of(Point point) const {
  const auto found = events_.find(point);
  return found == events_.end() ? std::vector<EventFigure>() : found->second;
}

std::shared_ptr<Trial> ScenarioField::trial(Point point, std::uint64_t steps) {
  std::shared_ptr<Trial> trial;
  {
    const std::lock_guard<std::mutex> guard(runs_guard_);
    const auto found = runs_.find(point);
    if (found != runs_.end() && found->second->steps() <= steps) trial = found->second;
  }
  if (!trial) trial = std::make_shared<Trial>(space_.at(point), seed_, stop_, shortcut_);
  if (!trial->run_to(steps)) return nullptr;
  const std::lock_guard<std::mutex> guard(runs_guard_);
  if (runs_.size() < kMostRunsKept || runs_.count(point) > 0) runs_[point] = trial;
  return trial;
}

RaceMean ScenarioField::race(Point point, RaceRun::Engine engine, std::uint64_t steps) {
  if (engine == RaceRun::Engine::uncontended) {
    RaceRun run(space_.at(point), seed_, engine);
    if (!run_unless_stopped(run, steps, stop_)) return {};
    return run.step_time_s();
  }
  const std::shared_ptr<Trial> ran = trial(point, steps);
  if (!ran) return {};
  const EpochMeasure measure = ran->measure();
  if (points_[point].plain) return measure.step_time_s;
  RaceMean mean = measure.of(goal_);
  if (goal_ == PlanGoal::idle) {
    mean.standard_error *= slowness(mean.mean) * slowness(mean.mean);
    mean.mean = slowness(mean.mean);
  }
  const std::lock_guard<std::mutex> guard(runs_guard_);
  measured_[point] = measure;
  return mean;
}

std::optional<RaceMean> ScenarioField::goal_difference(Point a, Point b) {
  const auto kept = [&](Point point) {
    const std::lock_guard<std::mutex> guard(runs_guard_);
    const auto found = runs_.find(point);
    return found == runs_.end() ? nullptr : found->second;
  };
  const std::shared_ptr<Trial> one = kept(a);
  const std::shared_ptr<Trial> other = kept(b);
  if (!one || !other) return std::nullopt;
  return one->difference_from(*other, goal_);
}

void ScenarioField::release(Point point) {
  const std::lock_guard<std::mutex> guard(runs_guard_);
  runs_.erase(point);
}

EpochMeasure ScenarioField::run(const Scenario& scenario) const {
  Trial one(scenario, seed_);
  one.run_to(full_steps());
  return one.measure();
}

std::optional<std::string> ScenarioField::refused(Point point, const RaceMean& step_s) {
  const EpochMeasure normal = measure(point, step_s);
  if (auto refusal = check_limits(normal.figures, false)) return refusal->text;
  const Scenario scenario = space_.at(point);
  std::vector<EventFigure>& found = events_[point];
  found.clear();
  for (const models::HoldUnder& hold : request_.must_hold_under) {
    const std::optional<Scenario> event = during(scenario, hold);
    if (!event) return "leaf_down: no nodes remain";
    const auto add = [&](const char* figure, const char* unit, double value, std::optional<double> limit) {
      if (limit) found.push_back({std::string(event_name(hold.event)), figure, unit, value, *limit});
    };
    if (hold.first_step_s) add("time_to_first_step_s", "s", first_step_s(*event), hold.first_step_s);
    if (!hold.idle_fraction && !hold.slowdown && !hold.epoch_time_s) continue;
    ++event_runs_;
    const EpochMeasure then = run(*event);
    add("gpu_idle_fraction", "1", then.idle_fraction.mean, hold.idle_fraction);
    add("slowdown", "1", then.epoch_time_s.mean / normal.figures.epoch_time_s, hold.slowdown);
    add("epoch_time_s", "s", then.epoch_time_s.mean, hold.epoch_time_s);
    if (auto broken = broken_limit(hold, then.idle_fraction.mean, then.epoch_time_s.mean, normal.figures.epoch_time_s))
      return broken->text;
  }
  return std::nullopt;
}

/// Of points that are not plain: grows with the goal, and is never 0.
double ScenarioField::slowness(double goal) const {
  return goal_ == PlanGoal::idle ? 1.0 / std::max(1e-9, 1.0 - goal) : goal;
}

double ScenarioField::goal(Point point, double step_s) const {
  const PointFacts& facts = points_[point];
  if (!facts.plain) return goal_ == PlanGoal::idle ? 1.0 - 1.0 / std::max(1.0, step_s) : step_s;
  switch (goal_) {
    case PlanGoal::epoch_time:
      return facts.epoch_fixed_s + facts.epoch_s_per_s * step_s;
    case PlanGoal::idle:
      return step_s > facts.floor_s ? 1.0 - facts.floor_s / step_s : 0.0;
    default:
      return facts.fixed_usd + facts.usd_per_s * step_s;
  }
}

PointBound ScenarioField::PointFacts::lines() const {
  PointBound bound;
  bound.step_time_s = step_s;
  bound.step_floor_s = floor_s;
  bound.epoch_s_per_s = epoch_s_per_s;
  bound.epoch_fixed_s = epoch_fixed_s;
  bound.fixed_usd = fixed_usd;
  bound.usd_per_s = usd_per_s;
  bound.egress_usd = egress_usd;
  bound.gpus = gpus;
  return bound;
}

models::EpochFigures ScenarioField::bound_figures_of(Point point, const PointFacts& facts) const {
  if (facts.plain) return epoch_figures(facts.lines(), facts.step_s);
  const std::lock_guard<std::mutex> guard(runs_guard_);
  return not_plain_.at(point);
}

models::EpochFigures ScenarioField::bound_figures(Point point) const { return bound_figures_of(point, points_[point]); }

EpochMeasure ScenarioField::measure(Point point, const RaceMean& step_s) const {
  const PointFacts& facts = points_[point];
  if (!facts.plain) {
    const std::lock_guard<std::mutex> guard(runs_guard_);
    return measured_.at(point);
  }
  return plain_measure(facts.lines(), step_s);
}

std::vector<Obstacle> ScenarioField::obstacles() const {
  std::vector<Obstacle> all;
  for (const auto& [name, obstacle] : obstacles_) all.push_back(obstacle);
  std::stable_sort(all.begin(), all.end(), [](const Obstacle& a, const Obstacle& b) { return a.points > b.points; });
  return all;
}

}  // namespace headrace::scenarios
