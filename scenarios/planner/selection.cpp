#include "scenarios/planner/selection.hpp"

#include <algorithm>
#include <cmath>

namespace headrace::scenarios {
namespace {

using Engine = models::RaceRun::Engine;

constexpr std::uint64_t kLongest = 8;  ///< times the length of a full race

/// Visits that ran and whose intervals reach below the best by more than the zone.
std::vector<std::size_t> undecided(const SearchState& state) {
  std::vector<std::size_t> visits;
  const double best = state.best().mean;
  const double zone = state.options().indifference * best;
  for (std::size_t i = 0; i < state.result.visits.size(); ++i) {
    const Visit& visit = state.result.visits[i];
    if (i == state.result.best || visit.level < SearchLevel::race) continue;
    if (visit.low < state.best().high - zone && visit.low < state.best().high) visits.push_back(i);
  }
  return visits;
}

}  // namespace

double select_among_last(SearchState& state) {
  for (std::uint64_t steps = state.full_steps(); steps <= kLongest * state.full_steps(); steps *= 2) {
    const std::vector<std::size_t> left = undecided(state);
    if (left.empty()) return 0.0;
    std::vector<SearchState::Race> races;
    if (state.best().steps < steps) races.push_back({state.result.best, Engine::contended, steps});
    for (const std::size_t visit : left)
      if (state.result.visits[visit].steps < steps) races.push_back({visit, Engine::contended, steps});
    if (!races.empty()) state.run(races);
    if (state.options().cancelled && state.options().cancelled()) break;
  }
  double doubt = 0.0;
  for (const std::size_t i : undecided(state)) {
    const Visit& visit = state.result.visits[i];
    const double zone = state.options().indifference * state.best().mean;
    const double arm = std::hypot(visit.high - visit.mean, state.best().high - state.best().mean);
    // The arms are some five standard errors long; a normal tail over a fifth of them is on the safe side.
    const double z = (visit.mean - state.best().mean + zone) / std::max(1e-12, arm / 4.0);
    doubt += 0.5 * std::erfc(z / std::sqrt(2.0));
  }
  return doubt;
}

void trim(SearchState& state) {
  for (std::size_t axis = 0;; ++axis) {
    const auto smaller = state.field().trimmable(state.best().point, axis);
    if (!smaller) return;
    std::size_t low = 0;
    std::size_t high = smaller->size();  // the best itself stands behind the last
    const double enough = state.best().mean * (1.0 + 0.1 * state.options().indifference) + 1e-12;
    std::size_t found = state.result.best;
    while (low < high && !(state.options().cancelled && state.options().cancelled())) {
      const std::size_t middle = (low + high) / 2;
      const Point point = (*smaller)[middle];
      bool good = state.bound_goal(point) <= enough;
      if (good) {
        const std::size_t visit = state.visit_of(point);
        if (state.result.visits[visit].level < SearchLevel::full)
          state.run({{visit, Engine::contended, state.full_steps()}});
        Visit& ran = state.result.visits[visit];
        if (ran.mean <= enough && !ran.admitted) ran.admitted = !state.field().refused(point, ran.step_s);
        good = ran.mean <= enough && ran.admitted;
        if (good) found = visit;
      }
      (good ? high : low) = good ? middle : middle + 1;
    }
    if (found != state.result.best) {
      state.result.visits[state.result.best].fate = "as good, but takes more of what brings nothing";
      state.result.best = found;
    }
  }
}

}  // namespace headrace::scenarios
