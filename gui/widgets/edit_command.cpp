#include "gui/widgets/edit_command.hpp"

#include "gui/presenter/short_name.hpp"
#include "gui/widgets/main_window.hpp"
#include "gui/widgets/qt_text.hpp"

namespace headrace::gui {

EditCommand::EditCommand(MainWindow& window, ScenarioDocument before, ScenarioDocument after, QString pointer, int drag)
    : window_(window), before_(std::move(before)), after_(std::move(after)), pointer_(std::move(pointer)), drag_(drag) {
  setText(pointer_.startsWith('/') ? "set " + q(place_name(after_, pointer_.toStdString())) : pointer_);
}

void EditCommand::undo() { window_.adopt(before_, false); }
void EditCommand::redo() { window_.adopt(after_, false); }

bool EditCommand::mergeWith(const QUndoCommand* later) {
  const auto* edit = dynamic_cast<const EditCommand*>(later);
  if (edit == nullptr || edit->drag_ != drag_ || edit->pointer_ != pointer_) return false;
  after_ = edit->after_;
  return true;
}

ZoomCommand::ZoomCommand(Chart& chart, std::optional<View> before, std::optional<View> after)
    : chart_(&chart), before_(before), after_(after) {
  setText((after_ ? "zoom " : "whole of ") + chart.title());
}

void ZoomCommand::undo() {
  if (chart_) chart_->set_zoom(before_);
}

void ZoomCommand::redo() {
  if (chart_) chart_->set_zoom(after_);
}

bool ZoomCommand::mergeWith(const QUndoCommand* later) {
  const auto* zoom = dynamic_cast<const ZoomCommand*>(later);
  if (zoom == nullptr || zoom->chart_ != chart_ || !after_ || !zoom->after_) return false;
  after_ = zoom->after_;
  return true;
}

}  // namespace headrace::gui
