// Every parameter of the open scenario, as scenarios/document/parameter_sheet.hpp tells them.
#pragma once

#include <vector>

#include "gui/presenter/scenario_document.hpp"
#include "scenarios/document/input_ranges.hpp"
#include "scenarios/document/parameter_sheet.hpp"

namespace headrace::gui {

using scenarios::described_below;
using scenarios::described_lists;
using scenarios::number_of;
using scenarios::ParameterValue;
using scenarios::spelled;
using scenarios::tooltip;

/// In the order of description. A figure that the scenario states without its evidence counts as the studies over
/// ranges take it: assumed.
inline std::vector<ParameterValue> parameter_sheet(const ScenarioDocument& document) {
  std::vector<ParameterValue> sheet = scenarios::parameter_sheet(document.loaded());
  const auto inputs = scenarios::uncertain_inputs(document.scenario(), document.loaded().composition);
  if (!inputs) return sheet;
  for (ParameterValue& value : sheet)
    for (const models::UncertainInput& input : *inputs)
      if (value.evidence == "stated" &&
          (value.pointer == input.pointer || value.pointer.starts_with(input.pointer + "/")))
        value.evidence = models::evidence_name(input.evidence);
  return sheet;
}

}  // namespace headrace::gui
