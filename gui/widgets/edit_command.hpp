// One step of undo: a value before and after. All moves of one drag are one step.
#pragma once

#include <QUndoCommand>

#include "gui/presenter/scenario_document.hpp"

namespace headrace::gui {

class MainWindow;

class EditCommand : public QUndoCommand {
 public:
  EditCommand(MainWindow& window, ScenarioDocument before, ScenarioDocument after, QString pointer, int drag);

  void undo() override;
  void redo() override;
  int id() const override { return drag_ > 0 ? 1 : -1; }
  bool mergeWith(const QUndoCommand* later) override;

 private:
  MainWindow& window_;
  ScenarioDocument before_;
  ScenarioDocument after_;
  QString pointer_;
  int drag_;
};

}  // namespace headrace::gui
