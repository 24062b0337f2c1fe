// The open scenario held against a job that ran: the step times of its training loop, predicted and measured.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "gui/presenter/measured_view.hpp"
#include "gui/presenter/scenario_document.hpp"
#include "models/study/study.hpp"

namespace headrace::gui {

/// What `headrace verify --measured STEPS --json` answers; the error in the words of the command line. `how` says how
/// the prediction is simulated. Throws what the simulation throws.
tl::expected<std::string, std::string> held_against(const ScenarioDocument& document, const std::string& steps_file,
                                                    const models::StudyOptions& how);

/// The same for a drawing, with the spread of the step times; `how.abandon` ends the recording early, too.
tl::expected<MeasuredView, std::string> view_against(const ScenarioDocument& document, const std::string& steps_file,
                                                     const models::StudyOptions& how);

}  // namespace headrace::gui
