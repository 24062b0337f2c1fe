// What is known of a plan while it runs, in one line.
#pragma once

#include <string>

#include "scenarios/planner/plan.hpp"

namespace headrace::reports {

/// "racing, 12 runs; best so far 8.301 min, others at most 3.2 % better: workers 9, prefetch 2"; what a narrow terminal
/// cuts comes last.
std::string plan_progress_text(const scenarios::PlanProgress& progress);

}  // namespace headrace::reports
