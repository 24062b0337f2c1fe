#include "scenarios/planner/range_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "models/outcome/outcome_assembly.hpp"
#include "scenarios/planner/advice.hpp"
#include "scenarios/planner/search_state.hpp"

namespace headrace::scenarios {
namespace {

constexpr double kErrors95 = 1.96;         ///< standard errors
constexpr double kAlike = 0.002;           ///< of the goal: differences of expectations that do not matter
constexpr std::size_t kMostRefined = 16;   ///< configurations whose draws are simulated
constexpr std::size_t kDrawsOfOne = 16;    ///< that are simulated before it is chosen
constexpr std::size_t kDrawsShown = 64;    ///< of what the answer shows
constexpr std::size_t kDrawsTold = 128;    ///< of what is recommended
constexpr std::size_t kMostFinished = 8;   ///< configurations that so many are simulated of
constexpr double kWorthAskingFor = 0.005;  ///< of the goal: what may be gained by what few draws left out
constexpr double kFedAlike = 0.02;         ///< shares of the ranges that differ by less are no reason to change

/// The point's full run, from the search where it has one.
std::size_t visit_in_full(ScenarioField& field, Point point, SearchResult& search) {
  for (std::size_t i = 0; i < search.visits.size(); ++i)
    if (search.visits[i].point == point && search.visits[i].level == SearchLevel::full) return i;
  Visit visit;
  visit.point = point;
  visit.level = SearchLevel::full;
  visit.bound_step_s = field.bound_step_s(point);
  visit.steps = SearchState::kConfirmed * field.full_steps();
  visit.step_s = field.race(point, models::RaceRun::Engine::contended, visit.steps);
  const double arm_s = margin(visit.step_s, 0.025);
  const auto goal = [&](double step_s) { return field.goal(point, std::max(visit.bound_step_s, step_s)); };
  visit.low = goal(visit.step_s.mean - arm_s);
  visit.mean = goal(visit.step_s.mean);
  visit.high = goal(visit.step_s.mean + arm_s);
  ++search.contended_runs;
  search.contended_steps += visit.steps;
  search.visits.push_back(std::move(visit));
  return search.visits.size() - 1;
}

/// Whether the limits of the plan admit it at the inputs as stated.
bool is_admitted(ScenarioField& field, Visit& visit) {
  if (visit.admitted) return true;
  if (!(visit.mean < sim::kInfinity)) return false;
  if (visit.step_s.mean > field.limit_step_s(visit.point)) {
    visit.fate = "misses a limit of the plan";
  } else if (const auto why = field.refused(visit.point, visit.step_s)) {
    visit.fate = *why;
  } else {
    visit.admitted = true;
    return true;
  }
  visit.low = visit.mean = visit.high = sim::kInfinity;
  return false;
}

std::size_t changes_from_today(const Space& space, Point point) {
  const std::vector<std::size_t> where = space.positions(point);
  std::size_t changes = 0;
  for (std::size_t a = 0; a < where.size(); ++a) changes += space.own_position(a) == where[a] ? 0U : 1U;
  return changes;
}

class Choice {
 public:
  Choice(ScenarioField& field, RobustField& ranges, double level, double indifference, Point nominal)
      : field_(field), ranges_(ranges), level_(level), indifference_(indifference), nominal_(nominal) {}

  /// The points that are left, those with their limits broken taken out.
  std::vector<Point> points;
  bool reached = false;

  /// Whether it is a point of the choice, or was one.
  bool has(Point point) {
    if (seen_.empty()) seen_.insert(points.begin(), points.end());
    return !seen_.insert(point).second;
  }

  /// Of the points that are fed at the level (of all where none is) the one of least expected goal; the nominal one
  /// where the draws that the answer shows tell no gain over it that matters.
  Point pick() {
    const Point best = of_least_goal();
    const bool is_shown = ranges_.is_simulated(best, kDrawsShown) && ranges_.is_simulated(nominal_, kDrawsShown);
    return best != nominal_ && is_shown && is_nominal_as_good_as(best) ? nominal_ : best;
  }

  /// Of the points that cost clearly less than `taken` and that few draws alone keep below the level, the one of least
  /// expected goal; none of `finished`.
  std::optional<Point> challenger(Point taken, const std::set<Point>& finished) {
    const double goal = ranges_.figures(taken).goal.mean;
    double least = goal - kWorthAskingFor * std::abs(goal);
    std::optional<Point> cheapest;
    for (const Point point : points) {
      if (finished.count(point) != 0) continue;
      const RangeFigures figures = ranges_.figures(point);
      if (is_fed(figures) || figures.fed.mean + kErrors95 * figures.fed.error < level_) continue;
      if (figures.goal.mean >= least) continue;
      least = figures.goal.mean;
      cheapest = point;
    }
    return cheapest;
  }

  /// The visit `taken`, or that of a point nearer to today of which the draws tell no difference: what changes nothing
  /// over the ranges stays as it is.
  std::size_t keep_today(std::size_t taken, const std::function<bool()>& cancelled, SearchResult& search) {
    const Point chosen = search.visits[taken].point;
    if (chosen == nominal_) return taken;
    for (const Point sibling : field_.nearer_to_today(chosen)) {
      ranges_.refine(sibling, kDrawsOfOne);
      const Expectation fed = ranges_.figures(sibling).fed;
      if (reached && fed.mean + kErrors95 * fed.error < level_) continue;
      ranges_.finish({sibling}, kDrawsTold);
      if (cancelled()) return taken;  // draws may be missing
      if (!is_alike(sibling, chosen)) continue;
      const std::size_t visit = visit_in_full(field_, sibling, search);
      if (field_.stop_requested()) return taken;
      if (!is_admitted(field_, search.visits[visit])) continue;
      ranges_.show_beside(sibling, chosen);
      return visit;
    }
    return taken;
  }

 private:
  bool is_alike(Point sibling, Point chosen) {
    if (reached && ranges_.figures_beside(sibling, chosen).fed.mean < level_) return false;
    const Expectation fed = ranges_.fed_difference(sibling, chosen);
    const Expectation goal = ranges_.difference(sibling, chosen);
    return std::abs(fed.mean) <= kErrors95 * fed.error && std::abs(goal.mean) <= kErrors95 * goal.error &&
           goal.mean <= kAlike * std::abs(ranges_.figures(chosen).goal.mean);
  }

  /// Of least expected goal, or alike and nearer to what is there; sets whether any is fed at the level.
  Point of_least_goal() {
    std::vector<std::pair<Point, RangeFigures>> all;
    for (const Point point : points) all.emplace_back(point, ranges_.figures(point));
    reached = std::any_of(all.begin(), all.end(), [this](const auto& one) { return is_fed(one.second); });
    double least = sim::kInfinity;
    for (const auto& [point, figures] : all)
      if (!reached || is_fed(figures)) least = std::min(least, figures.goal.mean);
    using Key = std::tuple<bool, std::size_t, double, double, Point>;
    std::optional<Key> best;
    for (const auto& [point, figures] : all) {
      if ((reached && !is_fed(figures)) || figures.goal.mean > least + kAlike * std::abs(least)) continue;
      const Key key{point != nominal_, changes_from_today(field_.space(), point), field_.hourly_usd(point),
                    field_.share_of_cores(point), point};
      if (!best || key < *best) best = key;
    }
    return std::get<4>(*best);
  }

  bool is_nominal_as_good_as(Point best) const {
    if (std::find(points.begin(), points.end(), nominal_) == points.end()) return false;
    if (reached && !is_fed(ranges_.figures(nominal_))) return false;
    const Expectation fed = ranges_.fed_difference(best, nominal_);
    if (!reached && fed.mean > kFedAlike && fed.mean > kErrors95 * fed.error) return false;
    const Expectation behind = ranges_.difference(nominal_, best);
    const bool is_told = behind.mean > kErrors95 * behind.error;
    return !is_told || behind.mean <= indifference_ * std::abs(ranges_.figures(best).goal.mean);
  }

  bool is_fed(const RangeFigures& figures) const { return figures.fed.mean >= level_; }

  ScenarioField& field_;
  RobustField& ranges_;
  double level_;
  double indifference_;
  Point nominal_;
  std::set<Point> seen_;
};

std::string values_of(const PlannedPoint& planned) {
  std::string text;
  for (const ChosenValue& value : planned.values)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", value.name, value.value);
  return text;
}

}  // namespace

PlanFigure figure_of(const Expectation& one) {
  const double arm = kErrors95 * one.error;
  return {one.mean, models::Interval{one.mean - arm, one.mean + arm}};
}

RangedPoint ranged_point(PlannedPoint planned, const RangeFigures& figures) {
  RangedPoint point{std::move(planned), figure_of(figures.goal), figure_of(figures.cost_usd),
                    figure_of(figures.idle_fraction), figure_of(figures.fed)};
  for (PlanFigure* share : {&point.idle_fraction, &point.fed})
    share->ci95 = models::Interval{std::max(0.0, share->ci95->low), std::min(1.0, share->ci95->high)};
  return point;
}

namespace {

/// The figure with its sign turned.
PlanFigure negated(const PlanFigure& figure) {
  PlanFigure turned{-figure.mean, std::nullopt};
  if (figure.ci95) turned.ci95 = models::Interval{-figure.ci95->high, -figure.ci95->low};
  return turned;
}

}  // namespace

void add_range_figures(RobustField& ranges, Point point, Point recommended, PlannedPoint& planned) {
  const RangeFigures figures = ranges.figures_beside(point, recommended);
  planned.fed_share = figures.fed.mean;
  planned.expected_goal = figures.goal.mean;
}

void choose_over_ranges(ScenarioField& field, RobustField& ranges, const FedRequest& asked,
                        const std::function<bool()>& cancelled, Plan& plan) {
  RangeChoice& told = plan.ranges.emplace();
  told.asked = asked;
  told.inputs = ranges.inputs();
  const std::size_t first = plan.search.best;
  const Point nominal = plan.search.visits[first].point;
  if (told.inputs == 0) {
    const models::EpochFigures run = field.measure(nominal, plan.search.visits[first].step_s).figures;
    told.complete = told.same = true;
    told.reached = run.idle_fraction <= models::kFedIdleFraction;
    return;
  }
  Choice choice(field, ranges, asked.level, plan.indifference, nominal);
  choice.points = ranges.shortlist(nominal, asked.level);
  told.compared = choice.points.size();
  std::size_t taken = first;
  std::set<Point> finished;
  std::set<Point> told_of;
  const auto finish = [&](Point point) {
    if (!finished.insert(point).second) return false;
    ranges.finish({point}, kDrawsShown);
    return true;
  };
  for (std::size_t refined = 0; !cancelled() && !choice.points.empty();) {
    const Point point = choice.pick();
    if (!ranges.is_simulated(point, kDrawsOfOne) && refined < kMostRefined) {
      ranges.refine(point, kDrawsOfOne);
      ++refined;
      // What no bound sees only runs can tell.
      for (const Point sibling : ranges.unseen_siblings(point)) {
        if (choice.has(sibling)) continue;
        ranges.refine(sibling, kDrawsOfOne);
        choice.points.push_back(sibling);
      }
      continue;
    }
    const std::size_t visit = visit_in_full(field, point, plan.search);
    if (field.stop_requested()) return;
    if (is_admitted(field, plan.search.visits[visit])) {
      taken = visit;
      // The figures that are shown decide: what is chosen by chance of few draws does not stand more of them.
      const bool first_of_nominal = finish(nominal);
      if (finish(point) || first_of_nominal) {
        if (finished.size() >= kMostFinished)
          std::erase_if(choice.points, [&](Point one) { return finished.count(one) == 0; });
        continue;
      }
      const bool may_ask = choice.reached && finished.size() < kMostFinished;
      if (const auto cheaper = may_ask ? choice.challenger(point, finished) : std::nullopt) {
        finish(*cheaper);
        continue;
      }
      if (told_of.insert(point).second) {
        ranges.finish({point}, kDrawsTold);
        continue;
      }
      taken = choice.keep_today(taken, cancelled, plan.search);
      told.complete = true;
      break;
    }
    std::erase(choice.points, point);
  }
  if (!told.complete) return;
  told.reached = choice.reached;
  if (!told.reached)
    for (const Point point : choice.points) {
      const double share = ranges.figures(point).fed.mean;
      if (share <= told.highest_share) continue;
      told.highest_share = share;
      Visit visit;
      visit.point = point;
      told.most_fed = values_of(planned_point(field, visit));
    }
  told.same = taken == first;
  told.draws = ranges.draws();
  const Point recommended = plan.search.visits[taken].point;
  told.recommended = ranged_point(planned_point(field, plan.search.visits[taken]), ranges.shown(recommended));
  told.fed_drivers = ranges.fed_drivers(recommended);
  // By the difference on the same draws, so that what robustness adds is the difference of what is shown.
  told.nominal =
      ranged_point(planned_point(field, plan.search.visits[first]), ranges.figures_beside(nominal, recommended));
  told.adds = negated(figure_of(ranges.difference(nominal, recommended)));
  if (told.same) return;
  plan.search.visits[first].fate = told.reached && told.nominal->fed.mean < asked.level
                                       ? "best for the inputs as stated, but not fed at the level over their ranges"
                                       : "best for the inputs as stated, but not over their ranges";
  plan.search.best = taken;
}

}  // namespace headrace::scenarios
