#include "scenarios/planner/robust.hpp"

#include <algorithm>
#include <cmath>

#include "models/answer/point_bound.hpp"
#include "models/base/purposes.hpp"
#include "scenarios/document/input_ranges.hpp"

namespace headrace::scenarios {

using models::EpochFigures;
using models::PlanGoal;
using models::Scenario;
using models::UncertainInput;

namespace {

bool is_number(const Axis& axis) {
  return std::all_of(axis.values.begin(), axis.values.end(),
                     [](const Node& node) { return comparable_number(node).has_value(); });
}

}  // namespace

bool is_decided(const Space& space, const std::string& pointer) {
  const auto sets = [&](const Axis& axis) {
    return std::any_of(axis.parameters.begin(), axis.parameters.end(), [&](const AxisParameter& one) {
      return pointer == one.pointer || pointer.starts_with(one.pointer + "/");
    });
  };
  return std::any_of(space.axes().begin(), space.axes().end(), [&](const PlanAxis& axis) {
    return sets(axis.axis) || std::any_of(axis.with.begin(), axis.with.end(), sets);
  });
}

RobustField::RobustField(const ScenarioField& field, const LoadedScenario& loaded, Options options)
    : field_(field), loaded_(loaded), options_(std::move(options)), pool_(options_.threads) {
  for (const PlanAxis& axis : field_.space().axes()) {
    bool numbers = is_number(axis.axis);
    for (const Axis& linked : axis.with) numbers = numbers && is_number(linked);
    numeric_.push_back(numbers);
  }
  find_inputs();
  if (!dimensions_.empty())
    points_.emplace(kMostDraws, dimensions_.size(), sim::StreamKey{field_.seed(), 0, models::kDrawInputs, 0});
}

/// One number for all points that differ in numbers alone: their figures are at the same places.
std::size_t RobustField::signature(Point point) const {
  const std::vector<std::size_t> where = field_.space().positions(point);
  std::size_t number = 0;
  for (std::size_t a = 0; a < where.size(); ++a)
    if (!numeric_[a]) number = number * field_.space().axes()[a].size() + where[a];
  return number;
}

void RobustField::find_inputs() {
  std::size_t most = 1;
  for (std::size_t a = 0; a < numeric_.size(); ++a)
    if (!numeric_[a]) most *= field_.space().axes()[a].size();
  for (Point point = 0; point < field_.size() && drawn_.size() < most; ++point) {
    if (!(field_.bound_step_s(point) < sim::kInfinity)) continue;
    const auto [place, fresh] = drawn_.try_emplace(signature(point));
    if (!fresh) continue;
    const Scenario scenario = field_.space().at(point);
    auto found = uncertain_inputs(scenario, loaded_.composition);
    if (!found) continue;
    for (UncertainInput& input : *found) {
      if (is_decided(field_.space(), input.pointer)) continue;
      place->second.dimensions.push_back(dimensions_.emplace(input.pointer, dimensions_.size()).first->second);
      place->second.inputs.push_back(std::move(input));
    }
  }
}

const RobustField::Drawn& RobustField::drawn(Point point) const { return drawn_.at(signature(point)); }

Scenario RobustField::scenario_at(const Scenario& scenario, const Drawn& drawn, std::size_t draw) const {
  std::vector<double> u;
  u.reserve(drawn.dimensions.size());
  for (const std::size_t dimension : drawn.dimensions) u.push_back(points_->at(draw, dimension));
  return with_inputs(scenario, drawn.inputs, u);
}

/// A draw that cannot be answered is not fed, and counts for nothing in the goal.
RobustField::Draw RobustField::answer(const Scenario& scenario) const try {
  Draw draw;
  draw.headroom = models::headroom(scenario);
  if (models::is_plain(scenario)) {
    const models::PointBound bound = point_bound(scenario);
    draw.step_s = bound.step_time_s;
    draw.fixed_usd = bound.fixed_usd;
    draw.usd_by_time = bound.usd_per_s * bound.step_time_s;
    draw.idle_fraction = bound.idle_fraction(bound.step_time_s);
    draw.fixed_goal = field_.goal() == PlanGoal::epoch_time ? bound.epoch_fixed_s : draw.fixed_usd;
    draw.goal_by_time =
        field_.goal() == PlanGoal::epoch_time ? bound.epoch_s_per_s * bound.step_time_s : draw.usd_by_time;
  } else {
    const EpochFigures figures = models::cluster_bound(scenario).figures;
    draw.step_s = figures.step_time_s;
    draw.fixed_usd = figures.fixed_usd();
    draw.usd_by_time = figures.cost_usd - draw.fixed_usd;
    draw.idle_fraction = figures.idle_fraction;
    draw.fixed_goal = field_.goal() == PlanGoal::epoch_time ? 0.0 : draw.fixed_usd;
    draw.goal_by_time = field_.goal() == PlanGoal::epoch_time ? figures.epoch_time_s : draw.usd_by_time;
  }
  return draw;
} catch (const models::UnusableRequest&) {
  return {};
}

double RobustField::goal_at(const Draw& draw, double ratio) const {
  if (field_.goal() == PlanGoal::idle) return 1.0 - (1.0 - draw.idle_fraction) / ratio;
  return draw.fixed_goal + draw.goal_by_time * ratio;
}

std::size_t RobustField::class_of(double headroom) {
  return static_cast<std::size_t>(std::upper_bound(kEnds.begin(), kEnds.end(), headroom) - kEnds.begin());
}

bool RobustField::extend(const std::vector<Point>& points, std::size_t draws) {
  for (const Point point : points) candidates_.try_emplace(point).first->second.group = group_of(point);
  pool_.run(points.size(), [&](std::size_t i) {
    Candidate& candidate = candidates_.find(points[i])->second;
    if (candidate.draws.size() >= draws) return;
    const Scenario scenario = field_.space().at(points[i]);
    const Drawn& ranges = drawn(points[i]);
    candidate.draws.reserve(draws);
    for (std::size_t d = candidate.draws.size(); d < draws && !is_cancelled(); ++d)
      candidate.draws.push_back(answer(scenario_at(scenario, ranges, d)));
  });
  if (std::any_of(points.begin(), points.end(),
                  [&](Point point) { return candidates_.at(point).draws.size() < draws; }))
    return false;
  draws_ = std::max(draws_, draws);
  return true;
}

bool RobustField::is_simulated(Point point, std::size_t draws) const {
  const auto found = candidates_.find(point);
  return found != candidates_.end() && found->second.asked >= draws;
}

RangeFigures RobustField::figures(Point point) {
  extend({point}, kDraws);
  return predict(candidates_.at(point), kMostDraws);
}

/// The goal of one less that of the other on the same draws.
Expectation RobustField::ahead(const Candidate& one, const Candidate& other, std::size_t draws) const {
  double sum = 0.0;
  double squares = 0.0;
  std::size_t n = 0;
  bool possible = false;
  for (std::size_t d = 0; d < draws; ++d) {
    possible = possible || one.draws[d].possible();
    if (!one.draws[d].possible() || !other.draws[d].possible()) continue;
    ++n;
    const double difference = goal_at(one.draws[d], ratio_of(one, class_of(one.draws[d].headroom))) -
                              goal_at(other.draws[d], ratio_of(other, class_of(other.draws[d].headroom)));
    sum += difference;
    squares += difference * difference;
  }
  if (n > 0) return mean_of(sum, squares, n);
  return {possible ? 0.0 : sim::kInfinity, 0.0};
}

}  // namespace headrace::scenarios
