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

/// In the order of description. What the scenario states without its evidence counts as the studies over ranges take
/// it: a figure that they draw is assumed, every other one is decided, and a name is no figure.
std::vector<ParameterValue> parameter_sheet(const ScenarioDocument& document);

}  // namespace headrace::gui
