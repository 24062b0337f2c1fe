// Which parameters of a scenario stand as sliders when it opens: those of the resource that binds first, then those of
// what the scenario is about; none that changes nothing.
#pragma once

#include <string>
#include <vector>

#include "gui/presenter/parameter_sheet.hpp"
#include "models/outcome/outcome.hpp"

namespace headrace::gui {

/// Pointers, the first of them to be plotted. `bound`: the closed form of the document.
std::vector<std::string> pins_of(const ScenarioDocument& document, const std::vector<ParameterValue>& sheet,
                                 const models::Outcome& bound);

}  // namespace headrace::gui
