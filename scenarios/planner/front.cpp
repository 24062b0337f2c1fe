#include "scenarios/planner/front.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "models/base/task_pool.hpp"
#include "scenarios/planner/advice.hpp"
#include "scenarios/planner/search_state.hpp"

namespace headrace::scenarios {
namespace {

constexpr double kRounding = 1e-12;

struct Pair {
  double first = 0.0;
  double second = 0.0;
};

class Front {
 public:
  Front(ScenarioField& field, models::PlanGoal second, double zone) : field_(field), second_(second), zone_(zone) {}

  Pair bound(Point point) const { return goals(field_.bound_figures(point)); }

  void add(const Visit& visit) {
    simulated_.push_back({goals(field_.measure(visit.point, visit.step_s).figures), visit});
  }

  /// Some simulated point is as good in both, give or take the zone.
  bool beaten(const Pair& bound) const {
    return std::any_of(simulated_.begin(), simulated_.end(), [&](const auto& one) {
      return one.first.first * (1.0 - zone_) <= bound.first + kRounding &&
             one.first.second * (1.0 - zone_) <= bound.second + kRounding;
    });
  }

  bool is_simulated(Point point) const {
    return std::any_of(simulated_.begin(), simulated_.end(),
                       [&](const auto& one) { return one.second.point == point; });
  }

  /// Simulated points that no other is as good as in both, give or take a tie; the recommended one stands for those
  /// that it ties with.
  std::vector<Visit> visits(Point recommended) const {
    std::vector<std::pair<Pair, Visit>> sorted = simulated_;
    std::stable_sort(sorted.begin(), sorted.end(), [&](const auto& a, const auto& b) {
      return std::tuple(a.second.point != recommended, a.first.first, a.first.second) <
             std::tuple(b.second.point != recommended, b.first.first, b.first.second);
    });
    const double tie = 1.0 + SearchState::kTie * zone_;
    const auto as_good = [&](const Pair& a, const Pair& b) {
      return a.first <= b.first * tie + kRounding && a.second <= b.second * tie + kRounding;
    };
    std::vector<std::pair<Pair, Visit>> front;
    for (const auto& one : sorted) {
      if (std::any_of(front.begin(), front.end(), [&](const auto& other) { return as_good(other.first, one.first); }))
        continue;
      std::erase_if(front, [&](const auto& other) {
        return other.second.point != recommended && as_good(one.first, other.first);
      });
      front.push_back(one);
    }
    std::stable_sort(front.begin(), front.end(), [](const auto& a, const auto& b) {
      return std::pair(a.first.first, a.first.second) < std::pair(b.first.first, b.first.second);
    });
    std::vector<Visit> visits;
    for (const auto& [at, visit] : front) visits.push_back(visit);
    return visits;
  }

 private:
  Pair goals(const models::EpochFigures& figures) const {
    return {goal_of(figures, field_.goal()), goal_of(figures, second_)};
  }

  ScenarioField& field_;
  models::PlanGoal second_;
  double zone_;
  std::vector<std::pair<Pair, Visit>> simulated_;
};

}  // namespace

void find_front(ScenarioField& field, models::PlanGoal second, std::size_t most_runs, const SearchOptions& options,
                Plan& plan) {
  Front front(field, second, options.indifference);
  for (const Visit& visit : plan.search.visits)
    if (visit.level == SearchLevel::full && visit.admitted) front.add(visit);
  std::vector<std::pair<Pair, Point>> open;
  for (Point point = 0; point < field.size(); ++point)
    if (field.bound_step_s(point) < std::numeric_limits<double>::infinity())
      open.emplace_back(front.bound(point), point);
  std::sort(open.begin(), open.end(), [](const auto& a, const auto& b) {
    return std::tie(a.first.first, a.first.second, a.second) < std::tie(b.first.first, b.first.second, b.second);
  });
  models::TaskPool pool(options.threads);
  std::size_t runs = 0;
  std::size_t next = 0;
  while (next < open.size() && runs < most_runs && !(options.cancelled && options.cancelled())) {
    std::vector<Visit> batch;
    for (; next < open.size() && batch.size() < kSideBySide; ++next) {
      const auto& [bound, point] = open[next];
      if (front.is_simulated(point) || front.beaten(bound)) continue;
      Visit visit;
      visit.point = point;
      visit.level = SearchLevel::full;
      visit.bound_step_s = field.bound_step_s(point);
      batch.push_back(visit);
    }
    pool.run(batch.size(), [&](std::size_t i) {
      batch[i].step_s = field.race(batch[i].point, models::RaceRun::Engine::contended, field.full_steps());
    });
    if (field.stop().stop_requested()) break;
    for (Visit& visit : batch) {
      field.release(visit.point);
      ++runs;
      if (visit.step_s.mean <= field.limit_step_s(visit.point) && !field.refused(visit.point, visit.step_s))
        front.add(visit);
    }
  }
  const Point recommended = plan.search.visits[plan.search.best].point;
  plan.front_complete = next >= open.size();
  plan.search.contended_runs += runs;
  for (const Visit& visit : front.visits(recommended)) plan.front.push_back(planned_point(field, visit));
}

}  // namespace headrace::scenarios
