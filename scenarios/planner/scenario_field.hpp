// The field of a plan: bounds, limits and races of every configuration of a space.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "models/point_bound.hpp"
#include "scenarios/planner/space.hpp"

namespace headrace::scenarios {

/// A reason why points are not feasible, and how near the nearest of them comes.
struct Obstacle {
  std::string name;  ///< "host memory", "idle limit", "a relation between parameters"
  std::size_t points = 0;
  double excess = 0.0;  ///< least of what is needed over what is there, less 1; infinity where it is no amount
  std::string text;     ///< of the point with the least excess
  Point nearest = 0;
};

class ScenarioField final : public PlanField {
 public:
  /// Bounds every point, side by side. The space must outlive the field.
  ScenarioField(const Space& space, const models::Scenario& request, models::PlanGoal goal, std::uint64_t seed,
                unsigned threads, const std::function<bool()>& cancelled = {});

  std::size_t size() const override { return points_.size(); }
  double bound_step_s(Point point) const override { return points_[point].step_s; }
  double goal(Point point, double step_s) const override { return goal_value(goal_, point, step_s); }
  double tie(Point point) const override { return -static_cast<double>(points_[point].outstanding); }
  std::vector<double> coordinates(Point point) const override { return space_.coordinates(point); }
  bool bounded_by_uncontended(Point point) const override { return points_[point].uncontended_bounds; }
  std::optional<Family> family(Point point) const override;
  std::optional<std::vector<Point>> trimmable(Point point, std::size_t axis) const override;
  models::RaceMean race(Point point, models::RaceRun::Engine engine, std::uint64_t steps) override;
  void release(Point point) override;
  std::uint64_t first_steps() const override { return first_steps_; }
  double limit_step_s(Point point) const override { return points_[point].limit_s; }
  std::optional<std::string> refused(Point point, const models::RaceMean& step_s) override;

  /// Any of the goals at a step time.
  double goal_value(models::PlanGoal goal, Point point, double step_s) const;
  double cost_usd(Point point, double step_s) const {
    return points_[point].fixed_usd + points_[point].usd_per_s * step_s;
  }
  double usd_per_s(Point point) const { return points_[point].usd_per_s; }
  double epoch_time_s(Point point, double step_s) const { return points_[point].epoch_s_per_s * step_s; }
  double idle_fraction(Point point, double step_s) const;
  models::PlanGoal goal() const { return goal_; }
  const Space& space() const { return space_; }
  const models::Scenario& request() const { return request_; }
  std::uint64_t seed() const { return seed_; }

  /// By number of points, most first.
  std::vector<Obstacle> obstacles() const;
  /// Step times of a scenario that is no point of the space, after as many steps as a full race has.
  models::RaceMean run(const models::Scenario& scenario) const;
  /// Runs of events at recommended points.
  std::size_t event_runs() const { return event_runs_; }
  /// Steps of one window that cost about as much as a second of work on one core.
  std::uint64_t full_steps() const { return 8 * first_steps_; }

 private:
  struct PointFacts {
    double step_s = 0.0;  ///< infinity: not feasible
    double floor_s = 0.0;
    double fixed_usd = 0.0;
    double usd_per_s = 0.0;
    double epoch_s_per_s = 0.0;
    double limit_s = 0.0;
    std::uint32_t outstanding = 0;
    bool uncontended_bounds = false;
  };
  struct Refusal {
    std::string name;
    double excess = 0.0;
    std::string text;
  };

  std::optional<Refusal> check(Point point, PointFacts& facts) const;
  std::optional<Refusal> check_rooms(const models::PointBound& bound) const;
  std::optional<Refusal> check_limits(const models::PointBound& bound, PointFacts& facts) const;
  void bound_range(Point begin, Point end, std::map<std::string, Obstacle>& obstacles);
  void choose_lengths();
  void find_families();

  const Space& space_;
  const models::Scenario& request_;
  models::PlanGoal goal_;
  std::uint64_t seed_;
  std::vector<PointFacts> points_;
  std::map<std::string, Obstacle> obstacles_;
  std::uint64_t first_steps_ = 150;
  std::size_t event_runs_ = 0;
  bool has_families_ = false;
  std::size_t workers_axis_ = SIZE_MAX;
  std::size_t depth_axis_ = SIZE_MAX;
  std::vector<double> workers_;
  std::vector<double> depths_;
  std::vector<std::size_t> trimmed_;  ///< axes of which less is better where it costs nothing
  std::mutex runs_guard_;
  std::map<std::pair<Point, models::RaceRun::Engine>, std::shared_ptr<models::RaceRun>> runs_;
};

}  // namespace headrace::scenarios
