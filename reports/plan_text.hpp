// A plan for a terminal: what to take, what it costs, how sure that is, and why nothing cheaper will do.
#pragma once

#include <string>

#include "reports/style.hpp"
#include "scenarios/planner/plan.hpp"

namespace headrace::reports {

/// With `explain` the whole search follows, one line for each point that was run.
std::string plan_text(const scenarios::Plan& plan, const std::string& title, bool explain, const Style& style);

}  // namespace headrace::reports
