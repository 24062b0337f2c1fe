// The present scenario against a baseline: which inputs differ, and by how much the answer does, with intervals.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "gui/presenter/scenario_document.hpp"
#include "models/study/comparison.hpp"
#include "reports/gate_json.hpp"

namespace headrace::gui {

using reports::InputDifference;

/// In the order of the second; those that only the first has come last.
std::vector<InputDifference> changed_inputs(const ScenarioDocument& before, const ScenarioDocument& after);

struct DeltaTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  std::string basis;     ///< what the table is of: "pairs of runs of 64 steps with the same random numbers"
  std::string headline;  ///< "step time +3.1 % (+2.9 to +3.3 %)"
  std::string error;
};

struct CompareWish {
  double max_wall_s = 15.0;
  double half_width = 0.005;  ///< of the relative change of the step time, or until its sign is known
  std::uint64_t steps = 0;    ///< exactly that many; tests
};

/// Both simulated with the same random numbers. Throws what the simulation throws.
DeltaTable compare_runs(const models::Scenario& before, const models::Scenario& after, const CompareWish& wish,
                        const std::stop_token& stop);

}  // namespace headrace::gui
