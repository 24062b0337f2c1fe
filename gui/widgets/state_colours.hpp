// One colour for each state of a GPU, the same as on pages, and others for the stages of batches: in a picture that
// shows both no two states share one.
#pragma once

#include "gui/widgets/theme.hpp"
#include "models/hops/stage.hpp"

namespace headrace::gui {

QColor colour_of(models::GpuState state, const Theme& theme);
QColor colour_of(models::Stage stage, const Theme& theme);

}  // namespace headrace::gui
