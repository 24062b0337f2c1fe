#include "reports/turning_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "reports/input_text.hpp"
#include "reports/open_ranges.hpp"
#include "reports/text_layout.hpp"
#include "reports/verdict_text.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::reports {
namespace {

using models::Scenario;
using models::UncertainInput;
using models::Verdict;

/// Nothing where the scenario cannot be estimated.
std::optional<Verdict> verdict_with(const Scenario& scenario, const UncertainInput& input, double value) {
  const std::optional<models::Outcome> outcome = estimated(models::with_input(scenario, input, value));
  return outcome ? std::optional(outcome->verdict) : std::nullopt;
}

/// Between `same`, where the verdict holds, and `other`, where it does not: a value there, next to where it turns.
double turn_between(const Scenario& scenario, const UncertainInput& input, double same, double other, Verdict verdict) {
  constexpr double kClose = 0.01;
  while (std::abs(other - same) > kClose * std::max(std::abs(other), std::abs(same))) {
    const double middle = same > 0.0 && other > 0.0 ? std::sqrt(same * other) : 0.5 * (same + other);
    if (middle == same || middle == other) break;
    (verdict_with(scenario, input, middle) == verdict ? same : other) = middle;
  }
  return other;
}

}  // namespace

std::vector<TurningPoint> turning_points(const Scenario& scenario, const std::vector<UncertainInput>& inputs,
                                         Verdict verdict) {
  std::vector<TurningPoint> points;
  for (const UncertainInput& input : inputs) {
    if (input.spread_only) continue;
    for (const double end : {input.low, input.high}) {
      const std::optional<Verdict> there = verdict_with(scenario, input, end);
      if (!there || *there == verdict) continue;
      points.push_back({&input, turn_between(scenario, input, input.value, end, verdict), end < input.value, *there});
    }
  }
  return points;
}

std::string turning_text(const std::vector<TurningPoint>& points, const Style& style) {
  if (points.empty()) return {};
  std::vector<std::vector<std::string>> rows{{"", "today", "drawn from", "verdict turns", "to"}};
  for (const TurningPoint& point : points)
    rows.push_back(
        {point.input->pointer, input_value_text(point.input->value, point.input->unit),
         input_range_text(point.input->low, point.input->high, point.input->unit),
         fmt::format("{} {}", point.below ? "below" : "above", input_value_text(point.value, point.input->unit)),
         spoken_verdict(point.verdict)});
  return fmt::format("\n{}\n{}", style.bold("Where the verdict turns, one figure at a time (estimate)"),
                     folded_table({{}, {true}, {}, {}, {}}, rows, style.width));
}

nlohmann::ordered_json turning_json(const std::vector<TurningPoint>& points) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const TurningPoint& point : points)
    list.push_back({{"parameter", point.input->pointer},
                    {"value", point.value},
                    {"unit", scenarios::unit_symbol(point.input->unit)},
                    {"side", point.below ? "below" : "above"},
                    {"verdict", models::kVerdictNames[static_cast<std::size_t>(point.verdict)]}});
  return list;
}

}  // namespace headrace::reports
