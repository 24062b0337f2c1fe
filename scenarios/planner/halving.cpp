#include "scenarios/planner/halving.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scenarios/planner/surrogate.hpp"

namespace headrace::scenarios {
namespace {

using Engine = models::RaceRun::Engine;

constexpr std::size_t kFewestStarts = 9;
constexpr std::size_t kMostStarts = 27;
constexpr std::size_t kOpenPerStart = 24;
constexpr std::size_t kKept = 3;          ///< one in three goes on to a longer rung
constexpr std::size_t kMostOpen = 20000;  ///< points that the surrogate looks at, those of lowest bound
constexpr std::size_t kMostSamples = 300;

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

/// Step time at which the point's goal is `goal`: goals are monotone in it.
double step_at_goal(const PlanField& field, Point point, double goal, double from_s) {
  if (field.goal(point, from_s) >= goal) return from_s;
  double low_s = from_s;
  double high_s = 2.0 * from_s;
  while (field.goal(point, high_s) < goal && high_s < 1e6 * from_s) high_s *= 2.0;
  for (int i = 0; i < 40; ++i) {
    const double middle_s = 0.5 * (low_s + high_s);
    (field.goal(point, middle_s) < goal ? low_s : high_s) = middle_s;
  }
  return high_s;
}

class SurrogateSearch {
 public:
  explicit SurrogateSearch(SearchState& state) : state_(state) {}

  double run() {
    halve();
    double doubt = 1.0;
    while (!state_.out_of_budget()) {
      std::vector<std::size_t> next = most_promising(doubt);
      if (next.empty() || doubt <= state_.error(SearchState::kSurrogate)) {
        if (state_.confirm_best()) continue;
        break;
      }
      std::vector<SearchState::Race> races;
      for (const std::size_t visit : next) races.push_back({visit, Engine::contended, state_.full_steps()});
      state_.run(races);
    }
    return doubt;
  }

 private:
  /// Points that could still be the best by their bounds.
  std::vector<Point> open_points() const {
    std::vector<Point> open;
    for (const Point point : state_.order()) {
      if (state_.bound_goal(point) >= state_.to_beat_by_zone() || open.size() >= kMostOpen) break;
      open.push_back(point);
    }
    return open;
  }

  /// Rungs of races, each three times as long as the one before with a third of the points.
  void halve() {
    const std::vector<Point> open = open_points();
    std::vector<std::size_t> runners;
    starts_ = std::min(open.size(), std::clamp(open.size() / kOpenPerStart, kFewestStarts, kMostStarts));
    for (std::size_t i = 0; i < starts_; ++i) {
      const std::size_t visit = state_.visit_of(open[i * open.size() / starts_]);
      if (std::find(runners.begin(), runners.end(), visit) == runners.end()) runners.push_back(visit);
    }
    std::uint64_t steps = state_.field().first_steps();
    while (!runners.empty() && !state_.out_of_budget()) {
      std::vector<SearchState::Race> races;
      for (const std::size_t visit : runners) {
        const Visit& known = state_.result.visits[visit];
        if (known.level < SearchLevel::race || known.steps < steps) races.push_back({visit, Engine::contended, steps});
      }
      for (std::size_t i = 0; i < races.size(); i += kSideBySide)
        state_.run({races.begin() + static_cast<std::ptrdiff_t>(i),
                    races.begin() + static_cast<std::ptrdiff_t>(std::min(races.size(), i + kSideBySide))});
      if (steps >= state_.full_steps()) break;
      std::stable_sort(runners.begin(), runners.end(), [this](std::size_t a, std::size_t b) {
        return state_.result.visits[a].mean < state_.result.visits[b].mean;
      });
      runners.resize(std::max<std::size_t>(1, runners.size() / kKept));
      steps = std::min(state_.full_steps(), 3 * steps);
    }
    state_.result.surrogate = "successive halving from " + std::to_string(starts_) + " starts";
  }

  GapSurrogate fit() const {
    std::vector<GapSample> samples;
    for (const Visit& visit : state_.result.visits) {
      if (visit.level < SearchLevel::race || samples.size() >= kMostSamples) continue;
      const double gap = std::max(0.0, std::log(visit.step_s.mean / visit.bound_step_s));
      samples.push_back(
          {state_.field().coordinates(visit.point), gap, visit.step_s.standard_error / visit.step_s.mean});
    }
    return GapSurrogate(samples);
  }

  /// The open points most likely to be better; `doubt` becomes the probability that any is.
  std::vector<std::size_t> most_promising(double& doubt) {
    const GapSurrogate surrogate = fit();
    const double goal = state_.to_beat_by_zone();
    std::vector<std::pair<double, Point>> chances;
    double sum = 0.0;
    for (const Point point : open_points()) {
      if (state_.is_visited(point)) {
        const Visit& visit = state_.result.visits[state_.visit_of(point)];
        if (visit.level == SearchLevel::full || visit.low >= goal) continue;
      }
      const double bound_s = state_.field().bound_step_s(point);
      const double needed = std::log(step_at_goal(state_.field(), point, goal, bound_s) / bound_s);
      const GapPrediction gap = surrogate.at(state_.field().coordinates(point));
      const double chance = normal_cdf((needed - gap.mean) / std::max(1e-9, gap.deviation));
      sum += chance;
      chances.emplace_back(-chance, point);
    }
    doubt = std::min(1.0, sum);
    state_.result.surrogate = "successive halving from " + std::to_string(starts_) +
                              " starts, then a Gaussian process over " + std::to_string(chances.size()) +
                              " open points";
    std::sort(chances.begin(), chances.end());
    std::vector<std::size_t> next;
    for (std::size_t i = 0; i < std::min(kSideBySide, chances.size()); ++i)
      next.push_back(state_.visit_of(chances[i].second));
    return next;
  }

  SearchState& state_;
  std::size_t starts_ = 0;
};

}  // namespace

double search_by_surrogate(SearchState& state) { return SurrogateSearch(state).run(); }

}  // namespace headrace::scenarios
