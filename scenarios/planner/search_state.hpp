// What a search knows so far: the points in order of their bounds, what was run, and the best of it.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "models/base/task_pool.hpp"
#include "scenarios/planner/search.hpp"

namespace headrace::scenarios {

class SearchState {
 public:
  SearchState(PlanField& field, const SearchOptions& options);

  SearchResult result;

  /// Feasible points by bound, ties by the field; those not yet taken begin at `cursor`.
  const std::vector<Point>& order() const { return order_; }
  std::size_t cursor = 0;

  /// The visit of a point; a new one at the level of its bound.
  std::size_t visit_of(Point point);
  bool is_visited(Point point) const { return by_point_.count(point) > 0; }
  double bound_goal(Point point) const { return field_.goal(point, field_.bound_step_s(point)); }

  /// Runs the visits side by side, each to its number of steps.
  struct Race {
    std::size_t visit = 0;
    models::RaceRun::Engine engine = models::RaceRun::Engine::contended;
    std::uint64_t steps = 0;
  };
  void run(const std::vector<Race>& races);
  /// Tells who asked what is known by now; there is a point.
  void tell_progress() const;
  std::uint64_t full_steps() const { return kFullFactor * field_.first_steps(); }

  /// Workers can stay in step for thousands of steps, which a run that is no longer does not see: the best is not taken
  /// before a run four times as long confirms it. True if the goal to beat rose by that, so that what was out may be
  /// in.
  bool confirm_best();
  /// Runs the best twice as far, at least as far as what confirms it. False where it ran far enough already, or where
  /// the search was told to end.
  bool run_best_longer();

  bool found() const { return result.found(); }
  const Visit& best() const { return result.visits[result.best]; }
  /// Goal that a point must undercut to be of interest: the least upper limit of all that ran in full, be it that of
  /// another than the best by its mean, whose interval may be wide. Infinity before there is a best point.
  double to_beat() const;
  /// The same less the indifference zone, but for what taking the best by its mean and trimming may give away.
  double to_beat_by_zone() const;
  /// The visit whose upper limit that is.
  std::size_t surest() const { return surest_; }
  /// Makes that visit the best, whatever runs say of means from now on, as long as it breaks no limit.
  void pin(std::size_t visit);
  bool out_of_budget();
  /// Whether the search was told to end; the result remembers it.
  bool cancelled();
  /// The same of what follows the search: confirming the best, and trimming it.
  bool closing_cancelled();
  /// Whether a run of the best is long enough to take it.
  bool is_confirmed(const Visit& visit) const { return visit.steps >= kConfirmed * full_steps(); }

  PlanField& field() const { return field_; }
  const SearchOptions& options() const { return options_; }

  static constexpr std::uint64_t kFullFactor = 8;
  static constexpr double kTie = 0.1;             ///< of the indifference zone: so little is worth no run
  static constexpr double kGivenAway = 2.0;       ///< ties: one for the best by its mean, one for trimming
  static constexpr std::uint64_t kConfirmed = 4;  ///< times the length of a full race
  static constexpr std::uint64_t kSurest = 32;    ///< the same of a best that ties with what did not run
  /// Shares of the error that the search may make: intervals of what was raced, the surrogate, pairs of the last.
  static constexpr double kRaces = 0.5;
  static constexpr double kSurrogate = 0.25;
  static constexpr double kSelection = 0.25;
  double error(double share) const { return share * (1.0 - options_.confidence); }

 private:
  void take_over(std::size_t visit, const models::RaceMean& mean, const Race& race);
  void consider(std::size_t visit);
  void choose_best();

  PlanField& field_;
  const SearchOptions& options_;
  models::TaskPool pool_;
  std::vector<Point> order_;
  std::unordered_map<Point, std::size_t> by_point_;
  std::size_t surest_ = SIZE_MAX;
  std::size_t pinned_ = SIZE_MAX;
  std::uint64_t looks_ = 0;
};

/// Part of an error budget that look number `look`, from 1 on, may use: all of them together use no more than the
/// whole, however many there will be.
double part_of_budget(std::uint64_t look);

/// Floors of step times that points of one family give to those with fewer workers and less depth.
class FamilyFloors {
 public:
  explicit FamilyFloors(SearchState& state);

  /// Highest floor that a larger sibling gives; 0: none.
  double floor_of(Point point) const;
  void add(Point point, double step_s);
  /// The sibling with more workers whose run would tell most about those between; nothing if it is known.
  std::optional<Point> probe(Point point) const;

 private:
  struct Floor {
    double workers;
    double depth;
    double step_s;
  };
  PlanField& field_;
  std::unordered_map<std::size_t, std::vector<Floor>> floors_;
  std::map<std::pair<std::size_t, double>, std::vector<std::pair<double, Point>>> rows_;  ///< by group and depth
};

}  // namespace headrace::scenarios
