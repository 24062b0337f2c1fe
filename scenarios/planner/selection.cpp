#include "scenarios/planner/selection.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "models/study/looks.hpp"
#include "sim/student_t.hpp"

namespace headrace::scenarios {
namespace {

using models::Look;
using models::RaceMean;
using Engine = models::RaceRun::Engine;

constexpr std::uint64_t kLongest = 8;    ///< times the length of a full race
constexpr std::size_t kMostChanges = 8;  ///< of the best, each of which what competes is compared with anew

/// Standard error of a visit's goal, by its slope at the mean.
RaceMean goal_mean(const SearchState& state, const Visit& visit) {
  const double further = state.field().goal(visit.point, visit.step_s.mean + visit.step_s.standard_error);
  return {visit.mean, std::max(0.0, further - visit.mean), visit.step_s.degrees_of_freedom};
}

class Selection {
 public:
  explicit Selection(SearchState& state) : state_(state) {}

  double run() {
    state_.confirm_best();
    if (!state_.found()) return 1.0;
    release_others(challengers());
    for (std::size_t changes = 0; changes < kMostChanges; ++changes) {
      const std::size_t before = state_.result.best;
      settle();
      prefer_the_surest();
      if (state_.result.best == before) break;
    }
    double doubt = compared_ > 0 ? state_.error(SearchState::kSelection) : 0.0;
    for (const std::size_t visit : challengers()) doubt += chance_of(visit);
    return doubt;
  }

 private:
  double zone() const { return state_.options().indifference * state_.best().mean; }

  /// Visits that ran and that neither their intervals nor paired differences keep from being better than the best by
  /// more than the zone.
  std::vector<std::size_t> challengers() const {
    std::vector<std::size_t> visits;
    const Visit& best = state_.best();
    for (std::size_t i = 0; i < state_.result.visits.size(); ++i) {
      const Visit& visit = state_.result.visits[i];
      if (i == state_.result.best || visit.level == SearchLevel::bound) continue;
      if (beaten_.count({i, state_.result.best}) > 0) continue;
      if (visit.low < best.high - zone() && visit.low < best.high) visits.push_back(i);
    }
    return visits;
  }

  void release_others(const std::vector<std::size_t>& left) {
    for (std::size_t i = 0; i < state_.result.visits.size(); ++i)
      if (i != state_.result.best && std::find(left.begin(), left.end(), i) == left.end())
        state_.field().release(state_.result.visits[i].point);
  }

  void run_to(const std::vector<std::size_t>& left, std::uint64_t steps) {
    std::vector<SearchState::Race> races;
    if (state_.best().steps < steps) races.push_back({state_.result.best, Engine::contended, steps});
    for (const std::size_t visit : left)
      if (contended_steps(visit) < steps) races.push_back({visit, Engine::contended, steps});
    if (!races.empty()) state_.run(races);
  }

  /// The challenger's goal less the best's.
  RaceMean difference(std::size_t challenger) const {
    const Visit& visit = state_.result.visits[challenger];
    if (const auto paired = state_.field().goal_difference(visit.point, state_.best().point)) return *paired;
    return independent_difference(goal_mean(state_, visit), goal_mean(state_, state_.best()));
  }

  /// Every pair that is looked at takes its part of the error, whichever of the two is the best in the end.
  void compare() {
    for (const std::size_t challenger : challengers()) {
      const RaceMean ahead = difference(challenger);
      const double arm = margin(ahead, state_.error(SearchState::kSelection) * part_of_budget(++compared_));
      if (ahead.mean - arm < -zone()) continue;
      beaten_.insert({challenger, state_.result.best});
      Visit& visit = state_.result.visits[challenger];
      if (visit.fate.empty()) visit.fate = "not better by more than the indifference zone, by paired differences";
    }
  }

  /// Runs on what still competes until none of it can be better by more than the zone, the shortest runs first: a best
  /// that turns out slower lets others in late.
  void settle() {
    const std::uint64_t longest = kLongest * state_.full_steps();
    std::uint64_t steps = state_.full_steps();
    models::last_look([&] {
      const std::vector<std::size_t> left = challengers();
      if (left.empty()) return Look::decided;
      if (state_.cancelled()) return Look::cut_short;
      run_to(left, steps);
      state_.confirm_best();
      compare();
      std::uint64_t shortest = longest;
      for (const std::size_t visit : challengers()) shortest = std::min(shortest, contended_steps(visit));
      if (shortest >= longest) return Look::last;
      steps = std::max(state_.full_steps(), 2 * shortest);
      return Look::open;
    });
  }

  std::uint64_t contended_steps(std::size_t visit) const {
    const Visit& one = state_.result.visits[visit];
    return one.level < SearchLevel::race ? 0 : one.steps;
  }

  /// What did not run was excluded against the point whose upper limit is least. Another with a better mean stays the
  /// best only if it is as good by their paired difference, too.
  void prefer_the_surest() {
    std::uint64_t steps = state_.full_steps();
    models::last_look([&] {
      if (state_.surest() == state_.result.best) return Look::decided;
      if (steps > kLongest * state_.full_steps() || state_.closing_cancelled()) {
        if (state_.is_confirmed(state_.result.visits[state_.surest()])) state_.pin(state_.surest());
        return Look::last;
      }
      run_to({state_.surest()}, steps);
      state_.confirm_best();
      if (state_.surest() == state_.result.best) return Look::decided;
      const RaceMean behind = difference(state_.surest());
      const double arm = margin(behind, state_.error(SearchState::kSelection) * part_of_budget(++compared_));
      if (arm - behind.mean <= SearchState::kTie * zone()) return Look::decided;
      steps *= 2;
      return Look::open;
    });
  }

  /// Probability that it is better by more than the zone after all.
  double chance_of(std::size_t challenger) const {
    const RaceMean ahead = difference(challenger);
    const auto degrees = static_cast<std::int64_t>(std::min<std::uint64_t>(ahead.degrees_of_freedom, 100000));
    return sim::student_t_upper_tail((ahead.mean + zone()) / std::max(1e-12, ahead.standard_error), degrees);
  }

  SearchState& state_;
  std::set<std::pair<std::size_t, std::size_t>> beaten_;  ///< challenger and the best that it cannot beat
  std::uint64_t compared_ = 0;
};

}  // namespace

double select_among_last(SearchState& state) { return Selection(state).run(); }

namespace {

/// Tries siblings of the best that take less.
class Trimming {
 public:
  explicit Trimming(SearchState& state) : state_(state) {}

  /// False where the search was told to end. One long run confirms what is left of all axes; where a short run did not
  /// see that workers fall out of step, each axis has its own.
  bool run() {
    enough_ = state_.best().mean * (1.0 + SearchState::kTie * state_.options().indifference) + 1e-12;
    if (!hasten() || !keep_today()) return false;
    const std::size_t before = state_.result.best;
    for (const bool each : {false, true}) {
      if (!all_axes(each) || state_.closing_cancelled()) break;
      const std::size_t taken = state_.result.best;
      const bool good = taken == before || is_good_for_long(state_.best().point);
      state_.result.best = good ? taken : before;
      if (good) return true;
    }
    state_.result.best = before;
    return false;
  }

 private:
  /// Of configurations that are as good, the one that begins to train much sooner.
  bool hasten() {
    for (bool found = true; found;) {
      found = false;
      std::size_t taken = state_.result.best;
      for (const Point point : state_.field().sooner(state_.best().point, enough_)) {
        if (state_.closing_cancelled()) return false;
        found = is_good(point) && is_good_for_long(point);
        state_.result.best = taken;
        if (!found) continue;
        state_.result.visits[taken].fate = "as good, but its first step is later";
        taken = state_.visit_of(point);
        break;
      }
      state_.result.best = taken;
    }
    return true;
  }

  /// What changes nothing that can be told stays as it is today.
  bool keep_today() {
    const Point before = state_.best().point;
    const double before_mean = state_.best().mean;
    for (bool found = true; found;) {
      found = false;
      std::size_t taken = state_.result.best;
      for (const Point point : state_.field().nearer_to_today(state_.best().point)) {
        if (state_.closing_cancelled()) return false;
        found = (is_good(point) && is_good_for_long(point)) || is_tied(point, before, before_mean);
        state_.result.best = taken;
        if (!found) continue;
        state_.result.visits[taken].fate =
            "as good for the inputs as stated, but changes more of today's configuration without a gain";
        taken = state_.visit_of(point);
        break;
      }
      state_.result.best = taken;
    }
    if (state_.best().point != before) state_.result.before_keeping = before;
    return true;
  }

  bool all_axes(bool confirm_each) {
    for (std::size_t axis = 0;; ++axis) {
      const auto smaller = state_.field().trimmable(state_.best().point, axis);
      if (!smaller) return true;
      // Runs may show others as the best by a hair; what is taken is only ever what passed here.
      std::size_t taken = state_.result.best;
      const bool whole = find_least(*smaller, confirm_each, taken);
      state_.result.best = taken;
      if (!whole) return false;
    }
  }

  bool find_least(const std::vector<Point>& smaller, bool confirm, std::size_t& taken) {
    std::size_t low = 0;
    std::size_t high = smaller.size();  // the best itself stands behind the last
    while (low < high) {
      if (state_.closing_cancelled()) return false;
      const std::size_t middle = (low + high) / 2;
      if (is_good(smaller[middle]))
        high = middle;
      else
        low = middle + 1;
    }
    for (; high < smaller.size(); ++high) {
      if (state_.closing_cancelled()) return false;
      if (!is_good(smaller[high]) || (confirm && !is_good_for_long(smaller[high]))) continue;
      state_.result.visits[taken].fate = "as good for the inputs as stated, but uses more resources without a gain";
      taken = state_.visit_of(smaller[high]);
      return true;
    }
    return true;
  }

  bool is_good(Point point) {
    if (state_.bound_goal(point) > enough_) return false;
    const std::size_t visit = state_.visit_of(point);
    if (state_.result.visits[visit].low > enough_) return false;
    // Most of what is too slow shows at a glance.
    for (const std::uint64_t steps : {state_.field().first_steps(), state_.full_steps()}) {
      const Visit& ran = state_.result.visits[visit];
      const bool rested = ran.level < SearchLevel::race;
      if (rested || ran.steps < steps) state_.run({{visit, Engine::contended, steps}});
      if (state_.result.visits[visit].low > enough_) return false;
    }
    Visit& ran = state_.result.visits[visit];
    if (ran.mean <= enough_ && !ran.admitted) ran.admitted = !state_.field().refused(point, ran.step_s);
    return ran.mean <= enough_ && ran.admitted;
  }

  bool is_good_for_long(Point point) {
    const std::size_t visit = state_.visit_of(point);
    const std::uint64_t steps = SearchState::kConfirmed * state_.full_steps();
    if (state_.result.visits[visit].steps < steps) state_.run({{visit, Engine::contended, steps}});
    return state_.result.visits[visit].mean <= enough_;
  }

  SearchState& state_;
  /// Neither can the two be told apart, step by step, nor is the point worse than `best` by the indifference zone,
  /// though its mean lies further off than a tie. Where runs show neither, both go on.
  bool is_tied(Point point, Point best, double best_mean) {
    constexpr double kOneSided = 0.025;
    constexpr double kOfMany = 0.0025;  // as the advice tells one step less or more of a decision
    const double zone = state_.options().indifference * best_mean;
    const std::size_t visit = state_.visit_of(point);
    if (state_.bound_goal(point) > best_mean + zone || state_.result.visits[visit].low > best_mean + zone) return false;
    is_good_for_long(point);
    const std::uint64_t longest = SearchState::kSurest * state_.full_steps();
    for (std::uint64_t steps = 2 * SearchState::kConfirmed * state_.full_steps();; steps *= 2) {
      const auto paired = state_.field().goal_difference(point, best);
      if (!paired || std::abs(paired->mean) > margin(*paired, kOfMany)) return false;
      if (paired->mean + margin(*paired, kOneSided) <= zone) break;
      if (steps > longest || state_.closing_cancelled()) return false;
      state_.run({{visit, Engine::contended, steps}, {state_.visit_of(best), Engine::contended, steps}});
    }
    Visit& ran = state_.result.visits[visit];
    if (!ran.admitted) ran.admitted = !state_.field().refused(point, ran.step_s);
    return ran.admitted;
  }

  double enough_ = 0.0;
};

}  // namespace

bool trim(SearchState& state) { return Trimming(state).run(); }

}  // namespace headrace::scenarios
