// The events under which a plan must still hold: the scenario while one lasts, and whether its limits hold.
#pragma once

#include <optional>
#include <string>

#include "models/answer/point_bound.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::scenarios {

/// The scenario while the event lasts; nothing where the event cannot happen to it (a leaf of all nodes).
std::optional<models::Scenario> during(const models::Scenario& scenario, const models::HoldUnder& hold);

/// Time from the start of the first job to its first step, by closed forms: finding objects, filling buffers.
double first_step_s(const models::Scenario& scenario);

std::string_view event_name(models::PlanEvent event);

struct BrokenLimit {
  double excess = 0.0;  ///< of the time over what is allowed, less 1
  std::string text;
  std::string over = {};  ///< the excess in words, where it is no share of what is allowed
};
/// Which of the event's limits idle share and epoch time during it break; nothing if all hold. `normal_s` is the epoch
/// time on normal days; 0: not known yet, so that the slowdown is not asked.
std::optional<BrokenLimit> broken_limit(const models::HoldUnder& hold, double idle_fraction, double epoch_s,
                                        double normal_s);

}  // namespace headrace::scenarios
