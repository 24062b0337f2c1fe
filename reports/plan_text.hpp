// A plan for a terminal: what to take, what it costs, how sure that is, and why nothing cheaper will do.
#pragma once

#include <cstdint>
#include <string>

#include "reports/style.hpp"
#include "scenarios/planner/plan.hpp"

namespace headrace::reports {

/// `answer`: what to take, what it costs, how sure that is. `all`: also what changes and errors do, and how the runs
/// were made. `search`: also the whole search, one line for each point that was run.
enum class PlanDetail : std::uint8_t { answer, all, search };

std::string plan_text(const scenarios::Plan& plan, const std::string& title, PlanDetail detail, const Style& style);

}  // namespace headrace::reports
