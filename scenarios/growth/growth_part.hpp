// The growth part of a scenario: read from its document, with a scenario for each exchange of machines.
#pragma once

#include <tl/expected.hpp>
#include <vector>

#include "models/spec/growth.hpp"
#include "scenarios/document/scenario_file.hpp"

namespace headrace::scenarios {

struct GrowthPart {
  models::Growth growth;                    ///< swaps by quarter
  std::vector<LoadedScenario> generations;  ///< before all swaps, after the first, after the second, ...
};

bool has_growth(const LoadedScenario& loaded);

/// Complaints: E0202 where the scenario has no growth part, E0216 for a pointer that names no number, E0207 and E0210
/// for rates and prices outside their limits, E0220 for what is no date.
tl::expected<GrowthPart, Diagnostics> growth_part(const LoadedScenario& loaded, const Catalogue& catalogue);

}  // namespace headrace::scenarios
