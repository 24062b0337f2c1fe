// How two configurations differ over the ranges. Both take the same draws, and of the same draws the first of each
// class are simulated: the difference by classes is corrected, class by class, by what the draws that ran for both show
// beside it (a difference estimator in strata; W. G. Cochran, Sampling Techniques, 1977, chapters 5 and 7). Draws of
// one configuration alone say nothing of the difference, so that chance in them is never shown as an effect.
#include <algorithm>
#include <array>
#include <cmath>

#include "scenarios/planner/robust.hpp"

namespace headrace::scenarios {

namespace {

/// What pairs of runs show beside the difference by classes, in one class.
struct Stratum {
  double draws = 0.0;
  double pairs = 0.0;
  double sum = 0.0;
  double squares = 0.0;

  void add(double beside) {
    ++pairs;
    sum += beside;
    squares += beside * beside;
  }

  /// Variance of one pair. `pooled`, the mean square in all classes, counts as one pair more: few that agree by chance
  /// are not known exactly.
  double variance(double pooled) const {
    if (pairs < 1.0) return pooled;
    const double mean = sum / pairs;
    return (std::max(0.0, squares - pairs * mean * mean) + pooled) / pairs;
  }
};

template <std::size_t N>
void correct(const std::array<Stratum, N>& strata, double n, Expectation& difference) {
  double squares = 0.0;
  double pairs = 0.0;
  for (const Stratum& stratum : strata) {
    squares += stratum.squares;
    pairs += stratum.pairs;
  }
  if (!(pairs > 0.0)) return;
  double variance = 0.0;
  for (const Stratum& stratum : strata) {
    const double weight = stratum.draws / n;
    if (stratum.pairs > 0.0) difference.mean += weight * stratum.sum / stratum.pairs;
    variance += weight * weight * stratum.variance(squares / pairs) / std::max(1.0, stratum.pairs);
  }
  difference.error = std::hypot(difference.error, std::sqrt(variance));
}

}  // namespace

Expectation RobustField::paired_difference(Point point, Point base, const Shown& shown) {
  extend({point, base}, kDraws);
  const Candidate& one = candidates_.at(point);
  const Candidate& two = candidates_.at(base);
  const auto run = [](const Candidate& candidate, std::size_t draw) {
    const auto found = candidate.runs.find(draw);
    return found == candidate.runs.end() ? nullptr : &found->second;
  };
  std::array<Stratum, kClasses> strata;
  double sum = 0.0;
  double squares = 0.0;
  std::size_t n = 0;
  bool possible = false;
  for (std::size_t d = 0; d < std::min(one.draws.size(), two.draws.size()); ++d) {
    possible = possible || one.draws[d].possible();
    if (!one.draws[d].possible() || !two.draws[d].possible()) continue;
    ++n;
    const double by_classes = shown(one, d, two, nullptr) - shown(two, d, two, nullptr);
    sum += by_classes;
    squares += by_classes * by_classes;
    Stratum& stratum = strata[class_of(two.draws[d].headroom)];
    ++stratum.draws;
    const Run* own = run(one, d);
    const Run* other = run(two, d);
    if (own != nullptr && other != nullptr)
      stratum.add(shown(one, d, two, own) - shown(two, d, two, other) - by_classes);
  }
  if (n == 0) return {possible ? 0.0 : sim::kInfinity, 0.0};
  Expectation difference = mean_of(sum, squares, n);
  correct(strata, static_cast<double>(n), difference);
  return difference;
}

Expectation RobustField::difference(Point point, Point base) {
  return paired_difference(point, base,
                           [this](const Candidate& one, std::size_t d, const Candidate& by, const Run* run) {
                             const Draw& draw = one.draws[d];
                             return goal_at(draw, run != nullptr ? run->ratio : ratio_of(by, class_of(draw.headroom)));
                           });
}

Expectation RobustField::fed_difference(Point point, Point base) {
  return paired_difference(point, base,
                           [this](const Candidate& one, std::size_t d, const Candidate& by, const Run* run) {
                             if (run != nullptr) return run->fed ? 1.0 : 0.0;
                             return share_of(by, class_of(one.draws[d].headroom));
                           });
}

const RangeFigures& RobustField::shown(Point point) {
  const auto found = shown_.find(point);
  return found != shown_.end() ? found->second : shown_.emplace(point, figures(point)).first->second;
}

RangeFigures RobustField::figures_beside(Point point, Point base) {
  RangeFigures own = figures(point);
  const RangeFigures& of_base = shown(base);
  own.goal.mean = of_base.goal.mean + difference(point, base).mean;
  own.fed.mean = std::clamp(of_base.fed.mean + fed_difference(point, base).mean, 0.0, 1.0);
  return own;
}

}  // namespace headrace::scenarios
