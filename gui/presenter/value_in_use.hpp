// What a parameter amounts to where its value leaves the choice to Headrace: a slider stands there, and its scale is
// laid around it.
#pragma once

#include "gui/presenter/parameter_sheet.hpp"
#include "models/outcome/outcome.hpp"

namespace headrace::gui {

/// The same parameter; a checkpoint interval of 0, "the best one", has the value that the outcome took.
ParameterValue in_use(ParameterValue parameter, const models::Outcome& outcome);

}  // namespace headrace::gui
