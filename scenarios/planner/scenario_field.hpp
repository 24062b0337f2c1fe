// The field of a plan: bounds, limits and races of every configuration of a space.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "models/answer/point_bound.hpp"
#include "scenarios/planner/space.hpp"
#include "scenarios/planner/trial.hpp"

namespace headrace::scenarios {

/// A reason why points are not feasible, and how near the nearest of them comes.
struct Obstacle {
  std::string name;  ///< "host memory", "idle limit", "a relation between parameters"
  std::size_t points = 0;
  double excess = 0.0;    ///< least of what is needed over what is there, less 1; infinity where it is no amount
  std::string text;       ///< of the point with the least excess
  std::string over = {};  ///< its excess in words, where that is no share of what is allowed
  Point nearest = 0;
  /// Of all its points the one with the least goal by bounds.
  std::optional<Point> cheapest = {};
  double cheapest_goal = 0.0;
  std::string cheapest_text = {};
};

/// A limit that an event of `must_hold_under` was asked to hold, or that `subject_to` sets (no event), and the figure
/// that was found.
struct EventFigure {
  std::string event;
  std::string figure;  ///< "gpu_idle_fraction", "slowdown", "epoch_time_s", "time_to_first_step_s", ...
  std::string unit;
  double value = 0.0;
  double limit = 0.0;

  bool pass() const { return value <= limit; }
};

/// Points that are plain (models/answer/point_bound.hpp) are measured by their step time, over which time and money are
/// straight lines. Others, of several jobs or with anything that changes over time, are measured by the goal itself:
/// dollars or seconds of an epoch, or 1 / (1 - idle); bounds of the whole cluster and simulate() answer for them.
class ScenarioField final : public PlanField {
 public:
  /// Bounds every point, side by side. The space must outlive the field. `cancelled` ends the bounding, and `stop`
  /// the runs that go on: their values are of no use then.
  ScenarioField(const Space& space, const models::Scenario& request, models::PlanGoal goal, std::uint64_t seed,
                unsigned threads, const std::function<bool()>& cancelled = {}, std::stop_token stop = {});

  std::size_t size() const override { return points_.size(); }
  double bound_step_s(Point point) const override { return points_[point].step_s; }
  double goal(Point point, double step_s) const override;
  double tie(Point point) const override { return -static_cast<double>(points_[point].outstanding); }
  std::vector<double> coordinates(Point point) const override { return space_.coordinates(point); }
  bool bounded_by_uncontended(Point point) const override { return points_[point].uncontended_bounds; }
  std::optional<Family> family(Point point) const override;
  std::optional<std::vector<Point>> trimmable(Point point, std::size_t axis) const override;
  std::vector<Point> sooner(Point point, double goal) const override;
  std::vector<Point> nearer_to_today(Point point) const override;
  models::RaceMean race(Point point, models::RaceRun::Engine engine, std::uint64_t steps) override;
  std::optional<models::RaceMean> goal_difference(Point a, Point b) override;
  void release(Point point) override;
  bool stop_requested() const override { return stop_.stop_requested(); }
  std::uint64_t first_steps() const override { return first_steps_; }
  double limit_step_s(Point point) const override { return points_[point].limit_s; }
  std::optional<std::string> refused(Point point, const models::RaceMean& step_s) override;

  /// What an epoch takes at least, by bounds.
  models::EpochFigures bound_figures(Point point) const;
  /// The same from the step time of a run, or from the last run of a point that is not plain.
  EpochMeasure measure(Point point, const models::RaceMean& step_s) const;
  /// Why the point is not feasible; empty where it is.
  std::string why_infeasible(Point point) const;
  /// What the point's workers take of the node's cores; 0 where nobody says how many there are.
  double share_of_cores(Point point) const;
  bool is_plain(Point point) const { return points_[point].plain; }
  /// Dollars per hour of the point's machines.
  double hourly_usd(Point point) const { return points_[point].hourly_usd; }
  models::PlanGoal goal() const { return goal_; }
  const Space& space() const { return space_; }
  const models::Scenario& request() const { return request_; }
  std::uint64_t seed() const { return seed_; }
  const std::stop_token& stop() const { return stop_; }
  /// What may take the place of simulations of many loaders, from now on.
  void allow(Shortcut shortcut) { shortcut_ = shortcut; }
  Shortcut shortcut() const { return shortcut_; }

  /// By number of points, most first.
  std::vector<Obstacle> obstacles() const;
  /// Of a scenario that is no point of the space, after as many steps as a full race has.
  EpochMeasure run(const models::Scenario& scenario) const;
  /// What the events of the plan did to a point that was recommended at some time.
  std::vector<EventFigure> events_of(Point point) const;
  /// Runs of events at recommended points.
  std::size_t event_runs() const { return event_runs_; }
  /// Steps of one window that cost about as much as a second of work on one core.
  std::uint64_t full_steps() const { return 8 * first_steps_; }
  /// Of a run at a draw of the input ranges. Where a sample stands for many nodes they may be longer, so that the
  /// filling of the queues at the start is over.
  std::uint64_t draw_steps(const Trial& trial) const { return trial.sampled_nodes() > 0 ? full_steps() : first_steps_; }

 private:
  struct PointFacts {
    double step_s = 0.0;  ///< infinity: not feasible
    double floor_s = 0.0;
    double fixed_usd = 0.0;
    double usd_per_s = 0.0;
    double epoch_s_per_s = 0.0;
    double epoch_fixed_s = 0.0;
    double hourly_usd = 0.0;
    double limit_s = 0.0;
    std::uint32_t outstanding = 0;
    bool uncontended_bounds = false;
    bool plain = true;
    double egress_usd = 0.0;
    double gpus = 0.0;

    models::PointBound lines() const;
  };
  struct Refusal {
    std::string name;
    double excess = 0.0;
    std::string text;
    std::string over = {};
  };

  std::optional<Refusal> check(Point point, PointFacts& facts) const;
  /// Bounds of a point; its rooms.
  std::vector<models::RoomUse> bound_plain(const models::Scenario& scenario, PointFacts& facts) const;
  std::vector<models::RoomUse> bound_cluster(const models::Scenario& scenario, Point point, PointFacts& facts) const;
  std::optional<Refusal> check_rooms(const std::vector<models::RoomUse>& rooms) const;
  /// Whether the figures keep to subject_to; `least` says that they are bounds.
  std::optional<Refusal> check_limits(const models::EpochFigures& figures, bool least) const;
  /// By closed forms, so that no run says otherwise.
  std::optional<Refusal> check_first_step(const models::Scenario& scenario) const;
  std::optional<Refusal> check_events(const models::Scenario& scenario) const;
  void limit(PointFacts& facts) const;
  double slowness(double goal) const;
  models::EpochFigures bound_figures_of(Point point, const PointFacts& facts) const;
  /// The point's run, kept, run on to `steps`; null where it was told to stop.
  std::shared_ptr<Trial> trial(Point point, std::uint64_t steps);
  void bound_range(Point begin, Point end, std::map<std::string, Obstacle>& obstacles);
  void choose_lengths();
  void find_families();

  const Space& space_;
  const models::Scenario& request_;
  models::PlanGoal goal_;
  std::uint64_t seed_;
  std::stop_token stop_;
  Shortcut shortcut_ = Shortcut::sample;
  std::vector<PointFacts> points_;
  std::map<std::string, Obstacle> obstacles_;
  std::uint64_t first_steps_ = 150;
  std::size_t event_runs_ = 0;
  std::map<Point, std::vector<EventFigure>> events_;
  bool has_families_ = false;
  std::size_t workers_axis_ = SIZE_MAX;
  std::size_t depth_axis_ = SIZE_MAX;
  std::vector<double> workers_;
  std::vector<double> depths_;
  std::vector<std::size_t> trimmed_;  ///< axes of which less is better where it costs nothing
  mutable std::mutex runs_guard_;
  std::map<Point, std::shared_ptr<Trial>> runs_;
  std::map<Point, EpochMeasure> measured_;                   ///< last runs of points that are not plain
  mutable std::map<Point, models::EpochFigures> not_plain_;  ///< bounds of those
};

}  // namespace headrace::scenarios
