// What a plan may choose: the decisions of the scenario, those of the command line, or a sensible few.
#pragma once

#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "scenarios/planner/space.hpp"

namespace headrace::scenarios {

/// Flags replace the scenario's decisions of the same parameters and add to the others. A flag is
/// "/pointer=VALUES": values with commas between them, FROM:TO for every whole number, FROM:TO:STEP, or FROM:TO/COUNT,
/// with "log" behind the count for equal ratios. Complaints: E0501, E0502, E0507, with their place in file or flag.
tl::expected<std::vector<PlanAxis>, Diagnostics> decisions_of(const LoadedScenario& loaded,
                                                              std::span<const std::string> flags);

}  // namespace headrace::scenarios
