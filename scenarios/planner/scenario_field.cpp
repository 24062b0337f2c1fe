#include "scenarios/planner/scenario_field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/ingest_path.hpp"
#include "models/task_pool.hpp"
#include "scenarios/planner/events.hpp"

namespace headrace::scenarios {

using models::PlanGoal;
using models::PointBound;
using models::RaceMean;
using models::RaceRun;
using models::RoomUse;
using models::Scenario;
using models::SubjectTo;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kChunk = 256;  ///< points that one task bounds
/// Batches that the first race of a point simulates; a full one simulates eight times as many.
constexpr double kFirstRaceBatches = 40000.0;
constexpr std::uint64_t kFewestSteps = 12;
constexpr std::uint64_t kMostFirstSteps = 400;
constexpr std::size_t kMostRunsKept = 12;

double step_for_idle(const PointBound& bound, double idle) { return bound.step_floor_s / (1.0 - idle); }

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

}  // namespace

ScenarioField::ScenarioField(const Space& space, const Scenario& request, PlanGoal goal, std::uint64_t seed,
                             unsigned threads, const std::function<bool()>& cancelled)
    : space_(space), request_(request), goal_(goal), seed_(seed), points_(space.size()) {
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
          obstacles_.try_emplace(name, Obstacle{name, 0, kInfinity, obstacle.text, obstacle.nearest}).first->second;
      all.points += obstacle.points;
      if (obstacle.excess < all.excess) {
        all.excess = obstacle.excess;
        all.text = obstacle.text;
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
    facts.step_s = kInfinity;
    Obstacle& obstacle =
        obstacles.try_emplace(refusal->name, Obstacle{refusal->name, 0, kInfinity, refusal->text, point}).first->second;
    ++obstacle.points;
    if (refusal->excess >= obstacle.excess) continue;
    obstacle.excess = refusal->excess;
    obstacle.text = refusal->text;
    obstacle.nearest = point;
  }
}

std::optional<ScenarioField::Refusal> ScenarioField::check(Point point, PointFacts& facts) const {
  std::string conflict;
  const Scenario scenario = space_.at(point, conflict);
  if (!conflict.empty()) return Refusal{"a relation between parameters", kInfinity, conflict};
  const PointBound bound = point_bound(scenario);
  facts.step_s = bound.step_time_s;
  facts.floor_s = bound.step_floor_s;
  facts.fixed_usd = bound.fixed_usd;
  facts.usd_per_s = bound.usd_per_s;
  facts.epoch_s_per_s = bound.epoch_s_per_s;
  facts.limit_s = kInfinity;
  const models::Loader& loader = scenario.jobs.front().loader;
  facts.outstanding = static_cast<std::uint32_t>(std::min<std::uint64_t>(loader.batches_outstanding(), 1000000));
  facts.uncontended_bounds = bounds_by_uncontended(scenario);
  if (auto refusal = check_rooms(bound)) return refusal;
  if (auto refusal = check_limits(bound, facts)) return refusal;
  for (const models::HoldUnder& hold : request_.must_hold_under) {
    const std::optional<Scenario> event = during(scenario, hold);
    if (!event) return Refusal{"leaf_down", kInfinity, "leaf_down: all nodes lie under one leaf, none would be left"};
    const PointBound then = point_bound(*event);
    if (auto broken = broken_limit(hold, then, then.step_time_s, 0.0))
      return Refusal{std::string(event_name(hold.event)), then.idle_fraction(then.step_time_s), *broken};
    if (hold.first_step_s > 0.0) {
      const double first_s = first_step_s(*event);
      if (first_s > hold.first_step_s)
        return Refusal{std::string(event_name(hold.event)), first_s / hold.first_step_s - 1.0,
                       fmt::format("{}: the first step comes after {:.4g} s, allowed {:.4g} s", event_name(hold.event),
                                   first_s, hold.first_step_s)};
    }
  }
  return std::nullopt;
}

std::optional<ScenarioField::Refusal> ScenarioField::check_rooms(const PointBound& bound) const {
  const SubjectTo limits = request_.subject_to.value_or(SubjectTo{});
  for (const RoomUse& room : bound.rooms) {
    double share = 0.0;
    if (room.name == "host memory" || room.name == "offloaded states") share = limits.host_memory;
    if (room.name == "GPU memory") share = limits.gpu_memory;
    if (room.name == "cores") share = limits.cores;
    if (room.name == "request limit") share = limits.request_limit;
    if (!(share > 0.0) || !room.known() || room.needed <= share * room.available) continue;
    return Refusal{std::string(room.name), room.needed / (share * room.available) - 1.0,
                   fmt::format("{}: {:.4g} {} of {:.4g} {}", room.name, room.needed, room.unit, share * room.available,
                               room.unit)};
  }
  return std::nullopt;
}

std::optional<ScenarioField::Refusal> ScenarioField::check_limits(const PointBound& bound, PointFacts& facts) const {
  if (!request_.subject_to) return std::nullopt;
  const SubjectTo& limits = *request_.subject_to;
  if (limits.egress_usd > 0.0 && bound.egress_usd > limits.egress_usd)
    return Refusal{"egress budget", bound.egress_usd / limits.egress_usd - 1.0,
                   fmt::format("egress of an epoch: ${:.2f} of ${:.2f}", bound.egress_usd, limits.egress_usd)};
  struct Limit {
    const char* name;
    double step_s;
    std::string text;
  };
  std::vector<Limit> all;
  if (limits.idle_fraction > 0.0)
    all.push_back({"idle limit", step_for_idle(bound, limits.idle_fraction),
                   fmt::format("GPUs idle {:.2f} % at least, allowed {:.2f} %",
                               100.0 * bound.idle_fraction(bound.step_time_s), 100.0 * limits.idle_fraction)});
  if (limits.epoch_time_s > 0.0)
    all.push_back({"deadline", limits.epoch_time_s / bound.epoch_s_per_s,
                   fmt::format("an epoch takes {:.4g} s at least, allowed {:.4g} s",
                               bound.epoch_time_s(bound.step_time_s), limits.epoch_time_s)});
  if (limits.cost_usd > 0.0)
    all.push_back({"cost budget",
                   bound.usd_per_s > 0.0 ? (limits.cost_usd - bound.fixed_usd) / bound.usd_per_s
                                         : (bound.fixed_usd <= limits.cost_usd ? kInfinity : 0.0),
                   fmt::format("an epoch costs ${:.2f} at least, allowed ${:.2f}", bound.cost_usd(bound.step_time_s),
                               limits.cost_usd)});
  for (const Limit& limit : all) {
    if (bound.step_time_s > limit.step_s * (1.0 + 1e-12))
      return Refusal{limit.name, limit.step_s > 0.0 ? bound.step_time_s / limit.step_s - 1.0 : kInfinity, limit.text};
    facts.limit_s = std::min(facts.limit_s, limit.step_s);
  }
  return std::nullopt;
}

/// The same number of steps for all points, so that their draws are the same.
void ScenarioField::choose_lengths() {
  double batches = models::batches_per_step(request_);
  for (Point point = 0; point < points_.size(); point += std::max<Point>(1, points_.size() / 16))
    if (points_[point].step_s < kInfinity) batches = std::max(batches, models::batches_per_step(space_.at(point)));
  first_steps_ = std::clamp(static_cast<std::uint64_t>(kFirstRaceBatches / batches), kFewestSteps, kMostFirstSteps);
}

void ScenarioField::find_families() {
  const models::Loader& loader = request_.jobs.front().loader;
  workers_axis_ = axis_of(space_, "/jobs/0/loader/workers", workers_);
  depth_axis_ = axis_of(space_, "/jobs/0/loader/prefetch", depths_);
  // With a lock or a set number of outstanding batches more workers can be slower.
  const bool monotone = !(loader.lock.single_worker_s > 0.0) && loader.outstanding == 0 && loader.ready == 0;
  bool alone = true;
  for (const PlanAxis& axis : space_.axes())
    for (const AxisParameter& parameter : axis.axis.parameters)
      for (const char* key : {"/loader/lock", "/loader/outstanding", "/loader/ready", "/loader/catalogue"})
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
  const auto amount = [&](std::size_t position) {
    const auto number = comparable_number(space_.axes()[a].axis.values[position]);
    return number ? number->value : 0.0;
  };
  const double own = amount(where[a]);
  std::vector<std::pair<double, Point>> smaller;
  for (std::size_t position = 0; position < space_.axes()[a].size(); ++position) {
    where[a] = position;
    const Point sibling = space_.point(where);
    const bool free = points_[sibling].usd_per_s == points_[point].usd_per_s && points_[sibling].step_s < kInfinity;
    if (amount(position) < own && free) smaller.emplace_back(amount(position), sibling);
  }
  std::sort(smaller.begin(), smaller.end());
  std::vector<Point> points;
  for (const auto& [value, sibling] : smaller) points.push_back(sibling);
  return points;
}

RaceMean ScenarioField::race(Point point, RaceRun::Engine engine, std::uint64_t steps) {
  std::shared_ptr<RaceRun> run;
  {
    const std::lock_guard<std::mutex> guard(runs_guard_);
    const auto found = runs_.find({point, engine});
    if (found != runs_.end() && found->second->steps() <= steps) run = found->second;
  }
  if (!run) run = std::make_shared<RaceRun>(space_.at(point), seed_, engine);
  run->run_to(steps);
  const RaceMean mean = run->step_time_s();
  if (engine == RaceRun::Engine::contended) {
    const std::lock_guard<std::mutex> guard(runs_guard_);
    if (runs_.size() < kMostRunsKept) runs_[{point, engine}] = std::move(run);
  }
  return mean;
}

void ScenarioField::release(Point point) {
  const std::lock_guard<std::mutex> guard(runs_guard_);
  runs_.erase({point, RaceRun::Engine::contended});
}

RaceMean ScenarioField::run(const Scenario& scenario) const {
  RaceRun one(scenario, seed_, RaceRun::Engine::contended);
  one.run_to(full_steps());
  RaceMean mean = one.step_time_s();
  mean.mean = std::max(mean.mean, point_bound(scenario).step_time_s);
  return mean;
}

std::optional<std::string> ScenarioField::refused(Point point, const RaceMean& step_s) {
  const double normal_s = epoch_time_s(point, step_s.mean);
  const Scenario scenario = space_.at(point);
  for (const models::HoldUnder& hold : request_.must_hold_under) {
    const std::optional<Scenario> event = during(scenario, hold);
    if (!event) return "leaf_down leaves no nodes";
    if (hold.idle_fraction == 0.0 && hold.slowdown == 0.0 && hold.epoch_time_s == 0.0) continue;
    ++event_runs_;
    const PointBound then = point_bound(*event);
    if (auto broken = broken_limit(hold, then, run(*event).mean, normal_s)) return broken;
  }
  return std::nullopt;
}

double ScenarioField::idle_fraction(Point point, double step_s) const {
  return step_s > points_[point].floor_s ? 1.0 - points_[point].floor_s / step_s : 0.0;
}

double ScenarioField::goal_value(PlanGoal goal, Point point, double step_s) const {
  switch (goal) {
    case PlanGoal::epoch_time:
      return epoch_time_s(point, step_s);
    case PlanGoal::idle:
      return idle_fraction(point, step_s);
    default:
      return cost_usd(point, step_s);
  }
}

std::vector<Obstacle> ScenarioField::obstacles() const {
  std::vector<Obstacle> all;
  for (const auto& [name, obstacle] : obstacles_) all.push_back(obstacle);
  std::stable_sort(all.begin(), all.end(), [](const Obstacle& a, const Obstacle& b) { return a.points > b.points; });
  return all;
}

}  // namespace headrace::scenarios
