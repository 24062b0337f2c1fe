#include "scenarios/planner/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "scenarios/planner/halving.hpp"
#include "scenarios/planner/search_state.hpp"
#include "scenarios/planner/selection.hpp"

namespace headrace::scenarios {
namespace {

using models::RaceRun;
using Engine = RaceRun::Engine;

constexpr double kReserve = 0.02;      ///< more than the lowest bound that the first point may cost
constexpr std::size_t kPatience = 12;  ///< refinements without a better point, once the zone is proved
constexpr std::size_t kTies = 2;       ///< the same, after which the best itself runs longer if all others tie with it
constexpr std::size_t kLoose = 12;     ///< contended runs after which bounds that still say nothing are called loose

/// Best-first branch and bound. What is open waits in a queue by the goal that it cannot be below.
class BestFirst {
 public:
  explicit BestFirst(SearchState& state) : state_(state), floors_(state) {}

  /// Ends with a proof, or without one where bounds are loose or the budget is used up.
  Proof run() {
    start_with_a_rich_point();
    while (!state_.out_of_budget()) {
      const double next = next_low();
      if (next >= state_.to_beat() || next == std::numeric_limits<double>::infinity()) {
        if (confirm()) continue;
        return state_.found() ? Proof::flow : Proof::none;
      }
      if (next >= state_.to_beat_by_zone() && (since_better_ >= kPatience || next >= nearly_best())) {
        if (confirm()) continue;
        return Proof::flow_zone;
      }
      // Nothing that is left can be much better: longer runs of the best say more than runs of its likes.
      if (since_better_ >= kTies && next >= nearly_best() && state_.run_best_longer()) continue;
      if (next < state_.to_beat_by_zone() && state_.result.contended_runs >= kLoose) return Proof::none;
      refine(take(kSideBySide));
    }
    confirm();
    return state_.found() && next_low() >= state_.to_beat_by_zone() ? Proof::flow_zone : Proof::none;
  }

 private:
  struct Open {
    double low;
    std::size_t visit;
    bool operator>(const Open& other) const { return std::tie(low, visit) > std::tie(other.low, other.visit); }
  };

  /// What cannot be below this is a tie: trimming tells which of those to take.
  double nearly_best() const { return state_.best().mean * (1.0 - SearchState::kTie * state_.options().indifference); }

  /// Of the points whose bound is nearly as good as the best, the one with most in reserve: little that is bounded
  /// below it can be better, and most of what is too slow is told at a glance.
  void start_with_a_rich_point() {
    const std::vector<Point>& order = state_.order();
    if (order.empty()) return;
    const double near = state_.bound_goal(order.front()) * (1.0 + kReserve);
    Point richest = order.front();
    for (const Point point : order) {
      if (state_.bound_goal(point) > near) break;
      if (state_.field().tie(point) < state_.field().tie(richest)) richest = point;
    }
    state_.run({{state_.visit_of(richest), Engine::contended, state_.full_steps()}});
  }

  /// Where the best turns out slower, siblings that were excluded are looked at again; visits are for the selection.
  bool confirm() {
    if (!state_.confirm_best()) return false;
    state_.cursor = 0;
    lifted_.clear();
    state_.result.by_family = 0;
    return true;
  }

  /// Skips what was visited, and lifts what a larger sibling has shown to be slow.
  void settle_front() {
    const std::vector<Point>& order = state_.order();
    while (state_.cursor < order.size()) {
      const Point point = order[state_.cursor];
      if (state_.is_visited(point)) {
        ++state_.cursor;
        continue;
      }
      const double floor_s = floors_.floor_of(point);
      if (!(floor_s > state_.field().bound_step_s(point))) return;
      ++state_.cursor;
      const double low = state_.field().goal(point, floor_s);
      if (low >= state_.to_beat() || floor_s > state_.field().limit_step_s(point)) {
        ++state_.result.by_family;
        continue;
      }
      lifted_.push_back({low, point});
      std::push_heap(lifted_.begin(), lifted_.end(), std::greater<>());
    }
  }

  double next_low() {
    settle_front();
    double low = std::numeric_limits<double>::infinity();
    if (state_.cursor < state_.order().size()) low = state_.bound_goal(state_.order()[state_.cursor]);
    if (!lifted_.empty()) low = std::min(low, lifted_.front().first);
    if (!open_.empty()) low = std::min(low, open_.top().low);
    state_.result.next_bound = low;
    return low;
  }

  std::vector<std::size_t> take(std::size_t count) {
    std::vector<std::size_t> taken;
    while (taken.size() < count) {
      const double low = next_low();
      if (low >= state_.to_beat() || low == std::numeric_limits<double>::infinity()) break;
      if (!open_.empty() && open_.top().low <= low) {
        taken.push_back(open_.top().visit);
        open_.pop();
      } else if (!lifted_.empty() && lifted_.front().first <= low) {
        std::pop_heap(lifted_.begin(), lifted_.end(), std::greater<>());
        if (!state_.is_visited(lifted_.back().second)) taken.push_back(state_.visit_of(lifted_.back().second));
        lifted_.pop_back();
      } else {
        taken.push_back(state_.visit_of(state_.order()[state_.cursor++]));
      }
    }
    return taken;
  }

  void refine(const std::vector<std::size_t>& visits) {
    std::vector<SearchState::Race> races;
    for (const std::size_t visit : visits) races.push_back(next_race(visit));
    const std::size_t before = state_.result.best;
    state_.run(races);
    ++since_better_;
    if (state_.result.best != before) since_better_ = 0;
    for (const SearchState::Race& race : races) settle(race);
  }

  SearchState::Race next_race(std::size_t index) {
    const Visit& visit = state_.result.visits[index];
    const std::uint64_t first = state_.field().first_steps();
    if (visit.level == SearchLevel::bound && state_.field().bounded_by_uncontended(visit.point))
      return {index, Engine::uncontended, state_.full_steps()};
    // What passed the engine without contention is worth a full race.
    if (visit.level == SearchLevel::bound) return {index, Engine::contended, first};
    return {index, Engine::contended, state_.full_steps()};
  }

  void settle(const SearchState::Race& race) {
    const Visit& visit = state_.result.visits[race.visit];
    if (race.engine == Engine::uncontended) floors_.add(visit.point, lowest_step_s(visit));
    const bool worth = visit.low < state_.to_beat() && visit.low < std::numeric_limits<double>::infinity();
    if (worth && visit.level < SearchLevel::full) open_.push({visit.low, race.visit});
    if (worth) return;
    if (visit.fate.empty())
      state_.result.visits[race.visit].fate = race.engine == Engine::uncontended
                                                  ? "cannot be better, even without contention"
                                                  : "cannot be better, by its interval";
    if (visit.level != SearchLevel::full) state_.field().release(visit.point);
    if (race.engine != Engine::uncontended) return;
    if (const auto sibling = floors_.probe(visit.point); sibling && !state_.is_visited(*sibling)) {
      const SearchState::Race probe{state_.visit_of(*sibling), Engine::uncontended, state_.full_steps()};
      state_.run({probe});
      settle_probe(probe);
    }
  }

  void settle_probe(const SearchState::Race& probe) {
    const Visit& visit = state_.result.visits[probe.visit];
    floors_.add(visit.point, lowest_step_s(visit));
    if (visit.low < state_.to_beat() && visit.low < std::numeric_limits<double>::infinity())
      return open_.push({visit.low, probe.visit});
    state_.result.visits[probe.visit].fate = "cannot be better, even without contention";
    state_.field().release(visit.point);
  }

  static double lowest_step_s(const Visit& visit) { return visit.step_s.mean - visit.arm_s; }

  SearchState& state_;
  FamilyFloors floors_;
  std::priority_queue<Open, std::vector<Open>, std::greater<>> open_;
  std::vector<std::pair<double, Point>> lifted_;  ///< heap: not visited, with a goal that siblings lifted
  std::size_t since_better_ = 0;
};

}  // namespace

SearchResult search(PlanField& field, const SearchOptions& options) {
  SearchState state(field, options);
  SearchResult& result = state.result;
  if (state.order().empty()) return std::move(result);
  state.tell_progress();
  result.proof = BestFirst(state).run();
  double doubt = result.proof == Proof::none ? 1.0 : 0.0;
  if (result.proof == Proof::none && !state.out_of_budget()) {
    doubt = search_by_surrogate(state);
    if (state.found() && doubt <= state.error(SearchState::kSurrogate)) result.proof = Proof::surrogate;
  }
  if (state.found()) doubt += select_among_last(state);
  if (state.found()) result.trimmed = trim(state);
  result.confirmed = state.found() && state.is_confirmed(state.best());
  if (!result.confirmed) {
    result.proof = Proof::none;
    doubt = 1.0;
  }
  result.confidence = std::clamp(1.0 - doubt - state.error(SearchState::kRaces), 0.0, 1.0);
  return std::move(result);
}

}  // namespace headrace::scenarios
