// Every parameter of the open scenario, as scenarios/document/parameter_sheet.hpp tells them.
#pragma once

#include <vector>

#include "gui/presenter/scenario_document.hpp"
#include "scenarios/document/parameter_sheet.hpp"

namespace headrace::gui {

using scenarios::described_below;
using scenarios::described_lists;
using scenarios::number_of;
using scenarios::ParameterValue;
using scenarios::spelled;
using scenarios::tooltip;

/// In the order of description.
inline std::vector<ParameterValue> parameter_sheet(const ScenarioDocument& document) {
  return scenarios::parameter_sheet(document.loaded());
}

}  // namespace headrace::gui
