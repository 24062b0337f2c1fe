// A cluster as a small picture: stores on the left, the network between, nodes with their GPUs on the right, a colour
// for each job.
#pragma once

#include <QPixmap>
#include <QSize>

#include "gui/presenter/topology.hpp"
#include "gui/widgets/theme.hpp"

namespace headrace::gui {

/// `ratio`: pixels of the screen for one of the window.
QPixmap topology_picture(const Topology& topology, const QSize& size, double ratio, const Theme& theme);

}  // namespace headrace::gui
