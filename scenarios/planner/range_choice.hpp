// The choice of a plan over the ranges of its inputs: of what may be the least, the first that keeps to every limit and
// is fed at the level; of equal ones that which changes least.
#pragma once

#include <functional>

#include "scenarios/planner/plan.hpp"

namespace headrace::scenarios {

/// After the search: makes what it chooses the best visit of the search, and tells the rest in `plan.ranges`.
void choose_over_ranges(ScenarioField& field, RobustField& ranges, const FedRequest& asked,
                        const std::function<bool()>& cancelled, Plan& plan);

/// Figures and share of a point for reports.
RangedPoint ranged_point(PlannedPoint planned, const RangeFigures& figures);

/// The same for a point that is shown without intervals beside the recommended one.
void add_range_figures(RobustField& ranges, Point point, Point recommended, PlannedPoint& planned);

/// A mean with its 95 % interval.
PlanFigure figure_of(const Expectation& expectation);

}  // namespace headrace::scenarios
