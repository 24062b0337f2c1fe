// What simulated draws show of a configuration over the ranges, and which draws to simulate next.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "models/study/deciding_inputs.hpp"
#include "scenarios/planner/robust.hpp"
#include "sim/first_order_effects.hpp"

namespace headrace::scenarios {

using models::EpochFigures;
using models::PlanGoal;
using models::Scenario;

namespace {

constexpr double kPrecise = 0.0075;      ///< standard error of a share that is known well enough
constexpr double kClear = 4.0;           ///< standard errors from the level that leave no doubt
constexpr std::size_t kFewestRuns = 32;  ///< whose spread tells how sure they are
constexpr std::size_t kSideBySideDraws = 8;

void widen(Expectation& one, double by) { one.error = std::hypot(one.error, by); }

}  // namespace

const RobustField::Sample& RobustField::usual_of(const Candidate& candidate, std::size_t c) const {
  if (candidate.like != SIZE_MAX)
    if (const Sample& alike = candidates_.at(candidate.like).own[c]; alike.draws > 0) return alike;
  const auto group = of_group_.find(candidate.group);
  return group != of_group_.end() && group->second[c].draws > 0 ? group->second[c] : all_[c];
}

/// What was simulated of the point, with one draw more that is like those of all points, or of the one that it is like.
double RobustField::ratio_of(const Candidate& candidate, std::size_t c) const {
  const Sample& own = candidate.own[c];
  const Sample& others = usual_of(candidate, c);
  const double usual = others.draws > 0 ? others.ratios / static_cast<double>(others.draws) : 1.0;
  return (own.ratios + usual) / (static_cast<double>(own.draws) + 1.0);
}

double RobustField::share_of(const Candidate& candidate, std::size_t c) const {
  if (c < kFirstFed) return 0.0;
  const Sample& own = candidate.own[c];
  const Sample& others = usual_of(candidate, c);
  const double usual = others.draws > 0 ? static_cast<double>(others.fed) / static_cast<double>(others.draws) : 1.0;
  return (static_cast<double>(own.fed) + usual) / (static_cast<double>(own.draws) + 1.0);
}

RangeFigures RobustField::predict(const Candidate& candidate, std::size_t draws) const {
  const std::size_t all = std::min(draws, candidate.draws.size());
  ClassSums classes;
  for (std::size_t c = 0; c < kClasses; ++c) {
    classes.ratios[c] = ratio_of(candidate, c);
    classes.shares[c] = share_of(candidate, c);
  }
  std::array<double, 4> sums{};
  std::array<double, 4> squares{};
  std::size_t n = 0;
  for (std::size_t d = 0; d < all; ++d) {
    const Draw& draw = candidate.draws[d];
    if (!draw.possible()) continue;
    ++n;
    const std::size_t c = class_of(draw.headroom);
    const double ratio = classes.ratios[c];
    const std::array<double, 4> values{goal_at(draw, ratio), draw.fixed_usd + draw.usd_by_time * ratio,
                                       1.0 - (1.0 - draw.idle_fraction) / ratio, classes.shares[c]};
    for (std::size_t k = 0; k < values.size(); ++k) {
      sums[k] += values[k];
      squares[k] += values[k] * values[k];
    }
    classes.draws[c] += 1.0;
    classes.goal_by_time[c] += field_.goal() == PlanGoal::idle ? 1.0 : draw.goal_by_time;
    classes.usd_by_time[c] += draw.usd_by_time;
  }
  if (n == 0) {
    RangeFigures none;
    none.goal.mean = none.cost_usd.mean = sim::kInfinity;
    none.idle_fraction.mean = 1.0;
    return none;
  }
  RangeFigures figures{mean_of(sums[0], squares[0], n), mean_of(sums[1], squares[1], n),
                       mean_of(sums[2], squares[2], n), mean_of(sums[3], squares[3], all)};
  const double share = figures.fed.mean;
  figures.fed.error = std::sqrt(share * (1.0 - share) / static_cast<double>(all));
  widen_by_samples(candidate, classes, n, all, figures);
  return figures;
}

/// What the simulated draws leave open in each class: `n` of `all` draws have an answer.
void RobustField::widen_by_samples(const Candidate& candidate, const ClassSums& classes, std::size_t n, std::size_t all,
                                   RangeFigures& figures) {
  const auto answered = static_cast<double>(n);
  for (std::size_t c = 0; c < kClasses; ++c) {
    const Sample& own = candidate.own[c];
    const auto count = static_cast<double>(own.draws);
    const double mean = own.draws > 0 ? own.ratios / count : 0.0;
    const double variance = own.draws > 1 ? std::max(0.0, own.squares / count - mean * mean) / (count - 1.0) : 0.0;
    const double deviation = std::sqrt(variance);
    widen(figures.goal, classes.goal_by_time[c] / answered * deviation);
    widen(figures.cost_usd, classes.usd_by_time[c] / answered * deviation);
    widen(figures.idle_fraction, classes.draws[c] / answered * deviation);
    if (c < kFirstFed) continue;
    const double hedged = (static_cast<double>(own.fed) + classes.shares[c]) / (count + 1.0);
    const double spread = std::max(hedged * (1.0 - hedged), own.draws > 0 ? 0.25 / (count + 1.0) / (count + 1.0) : 0.0);
    widen(figures.fed, classes.draws[c] / static_cast<double>(all) * std::sqrt(spread / (count + 1.0)));
  }
}

/// The draws that tell most: of the class whose share or ratio is least known for its weight, in the order of draws.
std::vector<std::size_t> RobustField::next_draws(const Candidate& candidate, std::size_t count) const {
  std::array<std::vector<std::size_t>, kClasses> members;
  for (std::size_t d = 0; d < candidate.draws.size(); ++d)
    if (candidate.draws[d].possible()) members[class_of(candidate.draws[d].headroom)].push_back(d);
  std::array<std::size_t, kClasses> taken = candidate.taken;
  std::vector<std::size_t> chosen;
  while (chosen.size() < count) {
    double most = 0.0;
    std::size_t next = kClasses;
    for (std::size_t c = 0; c < kClasses; ++c) {
      if (taken[c] >= members[c].size()) continue;
      const Sample& own = candidate.own[c];
      const double hedged = (static_cast<double>(own.fed) + 0.5) / (static_cast<double>(own.draws) + 1.0);
      // Draws that cannot be fed only tell what they cost.
      const double spread = c < kFirstFed ? 0.1 : std::sqrt(hedged * (1.0 - hedged));
      const double gain = static_cast<double>(members[c].size()) * spread / (static_cast<double>(taken[c]) + 0.5);
      if (gain > most) {
        most = gain;
        next = c;
      }
    }
    if (next == kClasses) break;
    chosen.push_back(members[next][taken[next]++]);
  }
  return chosen;
}

std::uint64_t RobustField::steps_of_draw(Point point) const {
  return field_.first_steps() + static_cast<std::uint64_t>(-2.0 * field_.tie(point));
}

void RobustField::finish(const std::vector<Point>& points, std::size_t most) {
  for (const Point point : points) options_.most_steps += most / 2 * steps_of_draw(point);
  for (const Point point : points) refine(point, most);
  extend(points, kMostDraws);
}

/// Runs of chosen draws; nullopt: one cannot be answered. False where it was told to end.
bool RobustField::simulate(Point point, const std::vector<std::size_t>& chosen,
                           std::vector<std::optional<EpochFigures>>& measured) {
  const Scenario scenario = field_.space().at(point);
  measured.assign(chosen.size(), std::nullopt);
  std::atomic<bool> cut = false;
  const std::vector<Draw>& draws = candidates_.at(point).draws;
  std::vector<std::size_t> order(chosen.size());  // the nearer to its limit, the longer a draw takes
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return draws[chosen[a]].headroom < draws[chosen[b]].headroom; });
  pool_.run(chosen.size(), [&](std::size_t place) {
    const std::size_t i = order[place];
    if (is_cancelled()) cut = true;
    if (cut) return;
    try {
      Trial trial(scenario_at(scenario, drawn(point), chosen[i]), field_.seed(), field_.stop(), field_.shortcut());
      if (trial.run_to(field_.draw_steps(trial))) measured[i] = trial.measure().figures;
    } catch (const models::UnusableRequest&) {
      measured[i].reset();
    }
  });
  return !cut && !field_.stop().stop_requested();
}

void RobustField::take(const EpochFigures& measured, std::size_t draw, Candidate& candidate) {
  const std::size_t c = class_of(candidate.draws[draw].headroom);
  ++candidate.taken[c];
  const double ratio = std::max(1.0, measured.step_time_s / candidate.draws[draw].step_s);
  const bool fed = measured.idle_fraction <= models::kFedIdleFraction;
  candidate.runs[draw] = {ratio, fed};
  for (Sample* sample : {&candidate.own[c], &of_group_[candidate.group][c], &all_[c]}) {
    ++sample->draws;
    sample->fed += fed ? 1U : 0U;
    sample->ratios += ratio;
    sample->squares += ratio * ratio;
  }
}

std::vector<models::InputEffect> RobustField::fed_drivers(Point point) {
  if (!extend({point}, kMostDraws)) return {};
  const Candidate& candidate = candidates_.at(point);
  const Drawn& ranges = drawn(point);
  std::vector<double> fed;
  for (const Draw& draw : candidate.draws)
    fed.push_back(draw.possible() ? share_of(candidate, class_of(draw.headroom)) : 0.0);
  const sim::InputBasis basis(fed.size(), ranges.inputs.size(), [&](std::size_t draw, std::size_t input) {
    return points_->at(draw, ranges.dimensions[input]);
  });
  return models::inputs_behind_a_decision(fed, basis, ranges.inputs);
}

bool RobustField::is_settled(const Candidate& candidate) const {
  const Expectation fed = predict(candidate, candidate.draws.size()).fed;
  const double spread = fed.mean * (1.0 - fed.mean);
  const double drawn = spread / static_cast<double>(kMostDraws);
  const double sampled = fed.error * fed.error - spread / static_cast<double>(candidate.draws.size());
  return sampled <= std::max(kPrecise * kPrecise, drawn) &&
         std::abs(fed.mean - options_.level) > kClear * std::sqrt(sampled + drawn);
}

void RobustField::refine(Point point, std::size_t most) {
  if (!extend({point}, kDraws)) return;
  Candidate& candidate = candidates_.at(point);
  std::vector<std::optional<EpochFigures>> measured;
  while (candidate.simulated < most && !is_cancelled()) {
    if (steps_ + kSideBySideDraws * steps_of_draw(point) > options_.most_steps) break;
    if (candidate.simulated >= kFewestRuns && is_settled(candidate)) break;
    const std::vector<std::size_t> chosen =
        next_draws(candidate, std::min(kSideBySideDraws, most - candidate.simulated));
    if (chosen.empty()) break;
    if (!simulate(point, chosen, measured)) return;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (measured[i])
        take(*measured[i], chosen[i], candidate);
      else
        candidate.draws[chosen[i]] = {};  // as where the bound has no answer
    }
    candidate.simulated += chosen.size();
    simulated_ += chosen.size();
    steps_ += chosen.size() * steps_of_draw(point);
  }
  candidate.asked = std::max(candidate.asked, most);
}

void RobustField::compare_step(Point point, Point base, std::size_t most) {
  if (!extend({point, base}, kDraws)) return;
  Candidate& candidate = candidates_.at(point);
  const Candidate& other = candidates_.at(base);
  if (candidate.simulated > 0) return;
  candidate.like = base;
  bool same = true;
  for (std::size_t d = 0; d < kDraws; ++d)
    same = same && class_of(candidate.draws[d].headroom) == class_of(other.draws[d].headroom);
  if (same) refine(point, most);
}

}  // namespace headrace::scenarios
