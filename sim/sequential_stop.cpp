#include "sim/sequential_stop.hpp"

#include <algorithm>
#include <cmath>

namespace headrace::sim {
namespace {

// What is missing; empty if nothing is.
std::string_view shortcoming(std::span<const StopCriterion> criteria, const WarmUpVerdict& warm_up) {
  if (!warm_up.reliable) return warm_up.reason;
  const auto has_interval = [](const StopCriterion& criterion) { return criterion.interval.has_value(); };
  if (!std::all_of(criteria.begin(), criteria.end(), has_interval)) return "not enough data for an interval";
  if (!std::all_of(criteria.begin(), criteria.end(), is_precise)) return "an interval is wider than asked for";
  return {};
}

}  // namespace

bool is_precise(const StopCriterion& criterion) {
  if (!criterion.interval) return false;
  const double asked = std::max(criterion.target.relative * std::abs(criterion.mean), criterion.target.absolute);
  return criterion.interval->half_width(criterion.mean) <= asked;
}

std::int64_t next_look(std::int64_t steps_done, const StopRule& rule) {
  std::int64_t look = std::max<std::int64_t>(rule.minimum_steps, 1);
  while (look <= steps_done && look < rule.maximum_steps) look *= 2;
  return std::min(look, rule.maximum_steps);
}

StopVerdict sequential_stop(std::span<const StopCriterion> criteria, const WarmUpVerdict& warm_up,
                            std::int64_t steps_done, const StopRule& rule) {
  const std::int64_t first_look = std::min(rule.minimum_steps, rule.maximum_steps);
  if (steps_done < first_look) return {StopDecision::kContinue, first_look, "before the first look"};
  const std::string_view missing = shortcoming(criteria, warm_up);
  if (missing.empty()) return {StopDecision::kStop, 0, {}};
  if (steps_done >= rule.maximum_steps) return {StopDecision::kInconclusive, 0, missing};
  return {StopDecision::kContinue, next_look(steps_done, rule), missing};
}

}  // namespace headrace::sim
