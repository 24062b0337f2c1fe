#include "scenarios/planner/options_compared.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace headrace::scenarios {
namespace {

bool is_named(const PlanAxis& axis) {
  if (!axis.with.empty()) return true;
  return !std::all_of(axis.axis.values.begin(), axis.axis.values.end(),
                      [](const Node& node) { return comparable_number(node).has_value(); });
}

std::string option_values(const Space& space, Point point) {
  std::string text;
  const std::vector<std::size_t> where = space.positions(point);
  for (std::size_t a = 0; a < where.size(); ++a)
    text += fmt::format("{}{} {}", a > 0 ? ", " : "", space.axes()[a].name(), space.axes()[a].text(where[a]));
  return text;
}

/// What is known of one option.
struct Known {
  std::optional<Point> by_bound;
  double bound = kInfinity;
  const Visit* ran = nullptr;
  const Visit* refused = nullptr;  ///< simulated, and broke a limit
};

/// Of all configurations with the option.
std::vector<Known> find_known(const ScenarioField& field, const Plan& plan, std::size_t axis) {
  const Space& space = field.space();
  std::vector<Known> known(space.axes()[axis].size());
  std::size_t stride = 1;
  for (std::size_t a = axis + 1; a < space.axes().size(); ++a) stride *= space.axes()[a].size();
  const auto option_of = [&](Point point) { return point / stride % known.size(); };
  for (Point point = 0; point < field.size(); ++point) {
    if (!(field.bound_step_s(point) < kInfinity)) continue;
    Known& one = known[option_of(point)];
    const double bound = field.goal(point, field.bound_step_s(point));
    if (bound >= one.bound) continue;
    one.bound = bound;
    one.by_bound = point;
  }
  for (const Visit& visit : plan.search.visits) {
    if (visit.level < SearchLevel::race) continue;
    Known& one = known[option_of(visit.point)];
    if (!(visit.mean < kInfinity)) {
      if (one.refused == nullptr || visit.bound_step_s < one.refused->bound_step_s) one.refused = &visit;
      continue;
    }
    if (one.ran == nullptr || visit.mean < one.ran->mean) one.ran = &visit;
  }
  return known;
}

}  // namespace

std::vector<OptionCompared> compare_options(const ScenarioField& field, const Plan& plan) {
  const Space& space = field.space();
  const Visit& best = plan.search.visits[plan.search.best];
  const std::vector<std::size_t> taken = space.positions(best.point);
  // What the search compared bounds with: the best for the inputs as stated.
  double least = best.mean;
  for (const Visit& visit : plan.search.visits)
    if (visit.admitted) least = std::min(least, visit.mean);
  std::vector<OptionCompared> options;
  for (std::size_t a = 0; a < taken.size(); ++a) {
    if (!is_named(space.axes()[a])) continue;
    const std::vector<Known> known = find_known(field, plan, a);
    for (std::size_t i = 0; i < known.size(); ++i) {
      OptionCompared option;
      option.decision = space.axes()[a].name();
      option.value = space.axes()[a].text(i);
      option.recommended = taken[a] == i;
      const Visit* ran = option.recommended ? &best : known[i].ran;
      if (known[i].by_bound) option.bound = known[i].bound;
      std::vector<std::size_t> there = taken;
      there[a] = i;
      if (ran != nullptr) {
        option.mean = ran->mean;
        option.configuration = option_values(space, ran->point);
        option.fate = option.recommended ? "recommended" : ran->fate.empty() ? "simulated" : ran->fate;
      } else if (const Visit* refused = known[i].refused; refused != nullptr) {
        option.configuration = option_values(space, refused->point);
        option.fate = "simulated: " + refused->fate;
      } else if (known[i].by_bound) {
        option.configuration = option_values(space, *known[i].by_bound);
        const bool other = plan.ranges && plan.ranges->complete && !plan.ranges->same;
        option.fate = known[i].bound < least * (1.0 - plan.indifference) ? "not run"
                      : other ? "not run: no better than the best as stated, by its bound"
                              : "not run: its bound excludes it";
      } else {
        option.configuration = option_values(space, space.point(there));
        option.fate = "not feasible: " + field.why_infeasible(space.point(there));
      }
      options.push_back(std::move(option));
    }
  }
  return options;
}

}  // namespace headrace::scenarios
