// What a search asks of the points of a space. The planner's field answers from a scenario; tests bring their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/study/race_run.hpp"

namespace headrace::scenarios {

/// Index of a configuration, counted over the axes with the last one fastest.
using Point = std::size_t;

/// Points that differ in workers and depth alone, where more of either never makes a run without contention longer.
struct Family {
  std::size_t group = 0;  ///< equal for points of one family
  double workers = 0.0;
  double depth = 0.0;
};

class PlanField {
 public:
  virtual ~PlanField() = default;

  virtual std::size_t size() const = 0;
  /// Step time that no run of the point is below, or another measure of its slowness; infinity where the point is not
  /// feasible.
  virtual double bound_step_s(Point point) const = 0;
  /// The goal at a step time (or at that measure), which it never falls with.
  virtual double goal(Point point, double step_s) const = 0;
  /// Among points of equal bound, the smaller comes first.
  virtual double tie(Point /*point*/) const { return 0.0; }
  /// Coordinates in [0, 1] of each axis, for the surrogate.
  virtual std::vector<double> coordinates(Point point) const = 0;

  /// Whether the uncontended engine bounds the contended one, path by path.
  virtual bool bounded_by_uncontended(Point point) const = 0;
  virtual std::optional<Family> family(Point /*point*/) const { return std::nullopt; }
  /// For the axis number `axis` of those that cost nothing: the point's siblings with less of it, least first. Nothing
  /// behind the last such axis.
  virtual std::optional<std::vector<Point>> trimmable(Point /*point*/, std::size_t /*axis*/) const {
    return std::nullopt;
  }
  /// The point's siblings along one axis that begin to train much sooner and whose bound is no worse than `goal`, the
  /// soonest first.
  virtual std::vector<Point> sooner(Point /*point*/, double /*goal*/) const { return {}; }
  /// The point's siblings that change less of what there is today: today's configuration itself, then those that take
  /// its value of one more axis. None that needs a room that the point leaves, or that begins to train much later.
  virtual std::vector<Point> nearer_to_today(Point /*point*/) const { return {}; }
  /// Whether races were told to stop: what they return then says nothing.
  virtual bool stop_requested() const { return false; }
  /// Step time after `steps` steps, run on from what was run before. Calls for several points may come at once.
  virtual models::RaceMean race(Point point, models::RaceRun::Engine engine, std::uint64_t steps) = 0;
  /// The goal of `a` less that of `b`, without what both owe to the same draws; nothing where their runs are no longer
  /// there, or have nothing in common.
  virtual std::optional<models::RaceMean> goal_difference(Point /*a*/, Point /*b*/) { return std::nullopt; }
  /// The point's runs are not asked for again soon.
  virtual void release(Point /*point*/) {}
  /// Steps of the shortest race.
  virtual std::uint64_t first_steps() const = 0;
  /// Step time above which the point breaks a limit of the plan; infinity without one.
  virtual double limit_step_s(Point point) const = 0;
  /// Whether what only other simulations can tell holds; the reason otherwise.
  virtual std::optional<std::string> refused(Point /*point*/, const models::RaceMean& /*step_s*/) {
    return std::nullopt;
  }
};

}  // namespace headrace::scenarios
