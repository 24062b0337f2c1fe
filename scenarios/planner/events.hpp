// The events under which a plan must still hold: the scenario while one lasts, and whether its limits hold.
#pragma once

#include <optional>
#include <string>

#include "models/point_bound.hpp"
#include "models/scenario.hpp"

namespace headrace::scenarios {

/// The scenario while the event lasts; nothing where the event cannot happen to it (a leaf of all nodes).
std::optional<models::Scenario> during(const models::Scenario& scenario, const models::HoldUnder& hold);

/// Time from the start of the whole job to its first step, by closed forms: finding objects, filling buffers.
double first_step_s(const models::Scenario& scenario);

std::string_view event_name(models::PlanEvent event);

/// What of the event's limits a step time during it breaks, in words; nothing if all hold. `normal_s` is the epoch
/// time on normal days; 0: not known yet, so that the slowdown is not asked.
std::optional<std::string> broken_limit(const models::HoldUnder& hold, const models::PointBound& during_it,
                                        double step_s, double normal_s);

}  // namespace headrace::scenarios
