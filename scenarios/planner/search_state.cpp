#include "scenarios/planner/search_state.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/student_t.hpp"

namespace headrace::scenarios {

using models::RaceMean;
using models::RaceRun;

namespace {
constexpr std::uint64_t kMostDegrees = 100000;
}  // namespace

double margin(const RaceMean& mean, double alpha) {
  const auto degrees = static_cast<std::int64_t>(std::min(mean.degrees_of_freedom, kMostDegrees));
  return sim::student_t_quantile(1.0 - alpha, degrees) * mean.standard_error;
}

double part_of_budget(std::uint64_t look) {
  constexpr double kPower = 1.2;
  constexpr double kSum = 5.5916;  // Riemann's zeta of the power, rounded up
  return 1.0 / (kSum * std::pow(static_cast<double>(look), kPower));
}

SearchState::SearchState(PlanField& field, const SearchOptions& options)
    : field_(field), options_(options), pool_(options.threads) {
  struct Ranked {
    double goal;
    double tie;
    Point point;
  };
  std::vector<Ranked> ranked;
  for (Point point = 0; point < field.size(); ++point) {
    const double step_s = field.bound_step_s(point);
    if (step_s < kInfinity) ranked.push_back({field.goal(point, step_s), field.tie(point), point});
  }
  // Bounds that differ by rounding alone are equal.
  for (Ranked& one : ranked) one.goal = static_cast<double>(static_cast<float>(one.goal));
  std::sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) {
    return std::tie(a.goal, a.tie, a.point) < std::tie(b.goal, b.tie, b.point);
  });
  for (const Ranked& one : ranked) order_.push_back(one.point);
  result.bounded = field.size();
  result.infeasible = field.size() - order_.size();
}

std::size_t SearchState::visit_of(Point point) {
  const auto [found, fresh] = by_point_.emplace(point, result.visits.size());
  if (fresh) {
    Visit visit;
    visit.point = point;
    visit.bound_step_s = field_.bound_step_s(point);
    visit.low = visit.mean = bound_goal(point);
    visit.high = kInfinity;
    result.visits.push_back(std::move(visit));
  }
  return found->second;
}

bool SearchState::confirm_best() {
  const double before = to_beat();
  bool ran = false;
  while (found() && !is_confirmed(best()) && !closing_cancelled()) {
    run({{result.best, RaceRun::Engine::contended, kConfirmed * full_steps()}});
    ran = true;
  }
  return ran && to_beat() > before;
}

bool SearchState::run_best_longer() {
  const std::uint64_t steps = std::max(kConfirmed * full_steps(), 2 * best().steps);
  if (steps > kSurest * full_steps() || closing_cancelled()) return false;
  run({{result.best, RaceRun::Engine::contended, steps}});
  return true;
}

double SearchState::to_beat() const { return found() ? result.visits[surest_].high : kInfinity; }

double SearchState::to_beat_by_zone() const {
  const double zone = options_.indifference;
  return to_beat() * (1.0 + kGivenAway * kTie * zone) / (1.0 + zone);
}

bool SearchState::out_of_budget() {
  result.out_of_points = result.uncontended_runs / 4 + result.contended_runs >= options_.most_points;
  return result.out_of_points || cancelled();
}

bool SearchState::cancelled() {
  const bool now = options_.cancelled && options_.cancelled();
  result.cancelled = result.cancelled || now;
  return now;
}

bool SearchState::closing_cancelled() {
  const auto& asked = options_.closing_cancelled ? options_.closing_cancelled : options_.cancelled;
  const bool now = asked && asked();
  result.cancelled = result.cancelled || now;
  return now;
}

void SearchState::run(const std::vector<Race>& races) {
  std::vector<RaceMean> means(races.size());
  pool_.run(races.size(), [&](std::size_t i) {
    means[i] = field_.race(result.visits[races[i].visit].point, races[i].engine, races[i].steps);
  });
  if (field_.stop_requested()) return;
  for (std::size_t i = 0; i < races.size(); ++i) take_over(races[i].visit, means[i], races[i]);
  tell_progress();
}

void SearchState::tell_progress() const {
  if (!options_.progress) return;
  SearchProgress progress{result.contended_runs + result.uncontended_runs, order_.front(), found()};
  progress.next_bound = std::max(result.next_bound, bound_goal(order_.front()));
  progress.goal = found() ? best().mean : progress.next_bound;
  if (found()) progress.best = best().point;
  options_.progress(progress);
}

void SearchState::take_over(std::size_t index, const RaceMean& mean, const Race& race) {
  Visit& visit = result.visits[index];
  const bool contended = race.engine == RaceRun::Engine::contended;
  if (contended) {
    if (visit.level < SearchLevel::race) ++result.contended_runs;
    result.contended_steps += race.steps - (visit.level < SearchLevel::race ? 0 : visit.steps);
  } else {
    ++result.uncontended_runs;
  }
  visit.steps = race.steps;
  visit.step_s = mean;
  // Each look claims two things: that the point is not faster, and that it is not slower.
  const double arm_s = margin(mean, 0.5 * error(kRaces) * part_of_budget(++looks_));
  visit.arm_s = arm_s;
  const auto goal = [&](double step_s) { return field_.goal(visit.point, std::max(visit.bound_step_s, step_s)); };
  // A run without contention tells how fast the point can be at most, nothing about how slow it is.
  visit.low = goal(mean.mean - arm_s);
  visit.mean = goal(mean.mean);
  visit.high = contended ? goal(mean.mean + arm_s) : kInfinity;
  visit.level = !contended                   ? SearchLevel::uncontended
                : race.steps >= full_steps() ? SearchLevel::full
                                             : SearchLevel::race;
  const double limit_s = field_.limit_step_s(visit.point);
  if (mean.mean - arm_s > limit_s || (visit.level == SearchLevel::full && mean.mean > limit_s)) {
    visit.fate = "misses a limit of the plan";
    visit.low = visit.mean = visit.high = kInfinity;
    if (result.best == index) choose_best();
    return;
  }
  if (visit.level == SearchLevel::full) consider(index);
}

void SearchState::consider(std::size_t index) {
  Visit& visit = result.visits[index];
  // A narrow interval excludes others even where a noisy mean is better for now.
  const bool promising = !found() || visit.mean < best().mean || visit.high < to_beat() || result.best == index;
  if (promising && !visit.admitted) {
    if (const auto why = field_.refused(visit.point, visit.step_s)) {
      visit.fate = *why;
      visit.low = visit.mean = visit.high = kInfinity;
    } else {
      visit.admitted = true;
    }
  }
  choose_best();
}

void SearchState::pin(std::size_t visit) {
  pinned_ = visit;
  choose_best();
}

void SearchState::choose_best() {
  result.best = SIZE_MAX;
  for (std::size_t i = 0; i < result.visits.size(); ++i) {
    const Visit& visit = result.visits[i];
    if (visit.level != SearchLevel::full || !visit.admitted || !(visit.mean < kInfinity)) continue;
    if (!found() || visit.high < result.visits[surest_].high) surest_ = i;
    if (!found() || visit.mean < best().mean) result.best = i;
  }
  if (found() && pinned_ != SIZE_MAX && result.visits[pinned_].mean < kInfinity) result.best = pinned_;
}

FamilyFloors::FamilyFloors(SearchState& state) : field_(state.field()) {
  for (const Point point : state.order())
    if (const auto family = field_.family(point))
      rows_[{family->group, family->depth}].emplace_back(family->workers, point);
  for (auto& [key, row] : rows_) std::sort(row.begin(), row.end());
}

double FamilyFloors::floor_of(Point point) const {
  const auto family = field_.family(point);
  if (!family) return 0.0;
  const auto found = floors_.find(family->group);
  if (found == floors_.end()) return 0.0;
  double highest_s = 0.0;
  for (const Floor& floor : found->second)
    if (floor.workers >= family->workers && floor.depth >= family->depth) highest_s = std::max(highest_s, floor.step_s);
  return highest_s;
}

void FamilyFloors::add(Point point, double step_s) {
  if (const auto family = field_.family(point))
    floors_[family->group].push_back({family->workers, family->depth, step_s});
}

std::optional<Point> FamilyFloors::probe(Point point) const {
  const auto family = field_.family(point);
  if (!family) return std::nullopt;
  const auto& row = rows_.at({family->group, family->depth});
  double known = std::numeric_limits<double>::infinity();  // the nearest larger sibling that was run
  const auto found = floors_.find(family->group);
  if (found != floors_.end())
    for (const Floor& floor : found->second)
      if (floor.depth == family->depth && floor.workers > family->workers) known = std::min(known, floor.workers);
  const auto above = [&](double workers) {
    return static_cast<std::size_t>(std::upper_bound(row.begin(), row.end(), std::pair(workers, SIZE_MAX)) -
                                    row.begin());
  };
  const std::size_t first = above(family->workers);
  const std::size_t end = known < std::numeric_limits<double>::infinity() ? above(known) - 1 : row.size();
  if (first >= end) return std::nullopt;
  return row[known < std::numeric_limits<double>::infinity() ? (first + end) / 2 : end - 1].second;
}

}  // namespace headrace::scenarios
