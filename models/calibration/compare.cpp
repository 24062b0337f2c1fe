#include "models/calibration/compare.hpp"

#include <cmath>

namespace headrace::models::calibration {
namespace {

bool is_known(const Parameter& p) { return p.verdict != Verdict::undetermined && p.value > 0.0 && p.low > 0.0; }

/// The two arms of each interval on the logarithmic scale add up in squares.
void add_ratio(const Parameter& before, const Parameter& after, double same_within, ParameterChange& change) {
  change.ratio = after.value / before.value;
  const double down = std::hypot(std::log(after.value / after.low), std::log(before.high / before.value));
  const double up = std::hypot(std::log(after.high / after.value), std::log(before.value / before.low));
  change.low = change.ratio * std::exp(-down);
  change.high = change.ratio * std::exp(up);
  const bool within = change.low >= 1.0 / (1.0 + same_within) && change.high <= 1.0 + same_within;
  if (within)
    change.change = Change::same;
  else if (change.low > 1.0 || change.high < 1.0)
    change.change = Change::changed;
}

}  // namespace

std::vector<ParameterChange> compare_calibrations(const Calibration& before, const Calibration& after,
                                                  double same_within) {
  std::vector<ParameterChange> changes;
  for (const Parameter& old : before.parameters) {
    ParameterChange change;
    change.name = old.name;
    change.unit = old.unit;
    change.before = old.value;
    const Parameter* now = find_parameter(after, old.name);
    if (now != nullptr) change.after = now->value;
    if (now != nullptr && is_known(old) && is_known(*now)) add_ratio(old, *now, same_within, change);
    changes.push_back(change);
  }
  for (const Parameter& now : after.parameters) {
    if (find_parameter(before, now.name) != nullptr) continue;
    ParameterChange change;
    change.name = now.name;
    change.unit = now.unit;
    change.after = now.value;
    changes.push_back(change);
  }
  return changes;
}

}  // namespace headrace::models::calibration
