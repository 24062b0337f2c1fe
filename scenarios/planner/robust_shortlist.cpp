// Which configurations are worth simulated draws: few, found by bounds of ever more draws.
#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "scenarios/planner/robust.hpp"

namespace headrace::scenarios {

using models::Scenario;

namespace {

constexpr std::size_t kFirstDraws = 16;
constexpr std::size_t kMostCandidates = 768;
constexpr std::size_t kMostPreselected = 20000;
constexpr std::size_t kShortlist = 12;
constexpr double kSure = 4.0;      ///< standard errors
constexpr double kHardly = 0.005;  ///< of the goal: what may be out by so much stays

}  // namespace

/// At a hard draw: those of least goal there, and those of least goal as stated that are fed there by their bounds.
void RobustField::add_best_at(std::size_t draw, const std::vector<Point>& ranked, std::set<Point>& chosen) const {
  std::vector<std::pair<double, Point>> there(ranked.size());
  std::vector<char> is_fed(ranked.size());
  pool_.run(ranked.size(), [&](std::size_t r) {
    if (is_cancelled()) return;
    const Point point = ranked[r];
    const Draw answered = answer(scenario_at(field_.space().at(point), drawn(point), draw));
    there[r] = {answered.possible() ? goal_at(answered, 1.0) : sim::kInfinity, point};
    is_fed[r] = class_of(answered.headroom) >= kFirstFed ? 1 : 0;
  });
  if (is_cancelled()) return;
  std::size_t fed = 0;
  for (std::size_t r = 0; r < ranked.size() && fed < kMostCandidates / 6; ++r)
    if (is_fed[r] != 0) fed += chosen.insert(ranked[r]).second ? 1U : 0U;
  std::sort(there.begin(), there.end());
  for (std::size_t r = 0; r < std::min(there.size(), kMostCandidates / 6); ++r) chosen.insert(there[r].second);
}

/// Where there are too many points for draws of each: those of least goal by bounds at the inputs as stated, and at
/// two draws that are hard for the nominal optimum.
std::vector<Point> RobustField::preselect(Point nominal) const {
  std::vector<std::pair<double, Point>> by_goal;
  for (Point point = 0; point < field_.size(); ++point)
    if (field_.bound_step_s(point) < sim::kInfinity && group_of(point) == group_of(nominal))
      by_goal.emplace_back(field_.goal(point, field_.bound_step_s(point)), point);
  const bool all = by_goal.size() <= kMostCandidates;
  if (!all) std::sort(by_goal.begin(), by_goal.end());
  std::vector<Point> ranked;
  for (std::size_t i = 0; i < std::min(by_goal.size(), kMostPreselected); ++i) ranked.push_back(by_goal[i].second);
  if (all) return ranked;
  std::vector<std::pair<double, std::size_t>> hard;
  const Candidate& base = candidates_.at(nominal);
  for (std::size_t d = 0; d < base.draws.size(); ++d) hard.emplace_back(-base.draws[d].headroom, d);
  std::sort(hard.begin(), hard.end());
  std::set<Point> chosen{nominal};
  chosen.insert(ranked.begin(), ranked.begin() + kMostCandidates / 4);
  for (const double quantile : {0.8, 0.95})
    add_best_at(hard[static_cast<std::size_t>(quantile * static_cast<double>(hard.size() - 1))].second, ranked, chosen);
  if (is_cancelled()) return {};
  return {chosen.begin(), chosen.end()};
}

void RobustField::find_unseen(Point nominal) {
  constexpr std::size_t kCompared = 64;
  const Scenario scenario = field_.space().at(nominal);
  std::vector<double> own;
  for (std::size_t d = 0; d < kCompared; ++d) own.push_back(answer(scenario_at(scenario, drawn(nominal), d)).headroom);
  const std::vector<std::size_t> where = field_.space().positions(nominal);
  for (std::size_t a = 0; a < where.size(); ++a) {
    std::vector<std::size_t> there = where;
    bool same = field_.space().axes()[a].size() > 1;
    for (there[a] = 0; same && there[a] < field_.space().axes()[a].size(); ++there[a]) {
      if (is_cancelled()) return;
      const Point sibling = field_.space().point(there);
      if (!(field_.bound_step_s(sibling) < sim::kInfinity)) continue;
      const Scenario other = field_.space().at(sibling);
      for (std::size_t d = 0; same && d < kCompared; ++d)
        same = std::abs(answer(scenario_at(other, drawn(sibling), d)).headroom - own[d]) <= 1e-9 * own[d];
    }
    if (same) unseen_.push_back(a);
  }
}

std::size_t RobustField::group_of(Point point) const {
  if (unseen_.empty()) return 0;
  const std::vector<std::size_t> where = field_.space().positions(point);
  std::size_t group = 0;
  for (const std::size_t a : unseen_) group = group * field_.space().axes()[a].size() + where[a];
  return group;
}

std::vector<Point> RobustField::unseen_siblings(Point point) const {
  const std::vector<std::size_t> where = field_.space().positions(point);
  std::vector<Point> siblings;
  for (const std::size_t a : unseen_) {
    std::vector<std::size_t> there = where;
    for (there[a] = 0; there[a] < field_.space().axes()[a].size(); ++there[a]) {
      const bool step = !numeric_[a] || field_.space().neighbour(a, where[a], true) == there[a] ||
                        field_.space().neighbour(a, where[a], false) == there[a];
      if (there[a] == where[a] || !step) continue;
      if (const Point sibling = field_.space().point(there); field_.bound_step_s(sibling) < sim::kInfinity)
        siblings.push_back(sibling);
    }
  }
  return siblings;
}

/// Where nothing reaches the level yet: what comes nearest to it.
void RobustField::add_most_fed(const std::vector<std::pair<double, Point>>& order, std::size_t draws, std::size_t count,
                               std::vector<Point>& left) const {
  std::vector<std::tuple<double, double, Point>> by_share;
  for (const auto& [goal, point] : order)
    by_share.emplace_back(-predict(candidates_.at(point), draws).fed.mean, goal, point);
  std::sort(by_share.begin(), by_share.end());
  for (std::size_t i = 0; i < std::min(count, by_share.size()); ++i)
    if (const Point point = std::get<2>(by_share[i]); std::find(left.begin(), left.end(), point) == left.end())
      left.push_back(point);
}

/// Those of `left` that may still be the best after so many draws, in the order of their expected goals.
std::vector<Point> RobustField::narrowed(const std::vector<Point>& left, std::size_t draws, double level) const {
  std::vector<std::pair<double, Point>> order;
  std::map<Point, double> share;
  for (const Point point : left) {
    const RangeFigures figures = predict(candidates_.at(point), draws);
    order.emplace_back(figures.goal.mean, point);
    share[point] = figures.fed.mean;
  }
  std::sort(order.begin(), order.end());
  const auto is_fed = [&](const auto& one) { return share[one.second] >= level; };
  const auto first_fed = std::find_if(order.begin(), order.end(), is_fed);
  const bool reachable = first_fed != order.end();
  const Candidate& best = candidates_.at(reachable ? first_fed->second : order.front().second);
  const double slack = kSure * std::sqrt(level * (1.0 - level) / static_cast<double>(draws));
  std::vector<Point> kept;
  for (const auto& [goal, point] : order) {
    const Candidate& candidate = candidates_.at(point);
    if (reachable && most_fed(candidate, draws) + slack < level) continue;
    const Expectation behind = ahead(candidate, best, draws);
    if (behind.mean - kSure * behind.error <= kHardly * std::abs(order.front().first)) kept.push_back(point);
  }
  const std::size_t most = draws >= 256 ? kShortlist : draws >= 64 ? 4 * kShortlist : 16 * kShortlist;
  if (kept.size() > most) kept.resize(most);
  if (!reachable) add_most_fed(order, draws, most / 3, kept);
  return kept;
}

/// Share of the first draws that the flow bound does not prove unfed.
double RobustField::most_fed(const Candidate& candidate, std::size_t draws) {
  std::size_t may_be_fed = 0;
  for (std::size_t d = 0; d < draws; ++d) may_be_fed += class_of(candidate.draws[d].headroom) >= kFirstFed ? 1U : 0U;
  return static_cast<double>(may_be_fed) / static_cast<double>(draws);
}

std::vector<Point> RobustField::shortlist(Point nominal, double level) {
  find_unseen(nominal);
  if (!extend({nominal}, kDraws)) return {};
  refine(nominal, 16);
  std::vector<Point> left = preselect(nominal);
  for (std::size_t draws = kFirstDraws; draws < kDraws; draws *= 4) {
    if (is_cancelled() || !extend(left, draws)) return {};
    left = narrowed(left, draws, level);
  }
  if (std::find(left.begin(), left.end(), nominal) == left.end()) left.push_back(nominal);
  if (!extend(left, kDraws)) return {};
  return left;
}

}  // namespace headrace::scenarios
