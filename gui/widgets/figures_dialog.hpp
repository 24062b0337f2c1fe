// The figures of a chart as a table, for those who read numbers rather than lines.
#pragma once

#include <QDialog>

#include "gui/presenter/figures.hpp"

namespace headrace::gui {

class FiguresDialog : public QDialog {
  Q_OBJECT

 public:
  FiguresDialog(const QString& title, const Figures& figures, QWidget* parent = nullptr);
};

}  // namespace headrace::gui
