// The scenarios that ship, with what each shows.
#pragma once

#include <QString>

class QWidget;

namespace headrace::gui {

/// Name of the chosen scenario; empty: none.
QString choose_shipped(QWidget* parent);

}  // namespace headrace::gui
