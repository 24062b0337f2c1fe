// Steps of undo: a value before and after, all moves of one drag being one step; and the view of a chart.
#pragma once

#include <QPointer>
#include <QUndoCommand>
#include <optional>

#include "gui/presenter/scenario_document.hpp"
#include "gui/widgets/chart.hpp"

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

/// A chart shows another part of itself. Nothing of the scenario changes.
class ZoomCommand : public QUndoCommand {
 public:
  ZoomCommand(Chart& chart, std::optional<View> before, std::optional<View> after);

  void undo() override;
  void redo() override;
  int id() const override { return 2; }
  /// Steps that follow each other in one chart are one, unless it shows all of itself between.
  bool mergeWith(const QUndoCommand* later) override;

 private:
  QPointer<Chart> chart_;
  std::optional<View> before_;
  std::optional<View> after_;
};

}  // namespace headrace::gui
