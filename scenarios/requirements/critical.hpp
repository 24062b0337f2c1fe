// The point from which on limits hold, where more is never worse: by estimates first, then by runs on common draws,
// then settled by intervals on both sides of it.
#pragma once

#include <functional>
#include <optional>

#include "scenarios/requirements/probe.hpp"

namespace headrace::scenarios {

/// Below an answer by this share the limits no longer hold.
inline constexpr double kStepBelow = 0.05;

/// Makes the scenario of a strength.
using AtStrength = std::function<models::Scenario(double strength)>;

struct SearchRange {
  double low = 0.0;        ///< where the limits hold already, nothing is needed
  double high = 0.0;       ///< where they hold
  double within = 1.01;    ///< ratio of the ends that is near enough
  bool low_fails = false;  ///< known
};

/// The least strength at which runs hold the limits, within `range.within`. Nothing where `low` holds them.
std::optional<double> critical_strength(Probe& probe, const AtStrength& at, SearchRange range);

/// The least by the estimate, within 2 %; nothing where it does not tell, or every strength holds or none.
std::optional<double> estimated_strength(Probe& probe, const AtStrength& at, SearchRange range);

/// An answer with what stands for it.
struct Settled {
  double strength = 0.0;
  Standing at;     ///< at the answer
  Standing below;  ///< 5 % below it
  bool sure() const { return at.decision == models::Ruling::pass && below.decision == models::Ruling::fail; }
};

/// Places the answer around `critical` so that intervals decide both sides, in a few tries. `below`: every figure 5 %
/// worse than at the strength.
Settled settle(Probe& probe, const AtStrength& at, const AtStrength& below, double critical);

}  // namespace headrace::scenarios
