#include "gui/widgets/edit_command.hpp"

#include "gui/widgets/main_window.hpp"

namespace headrace::gui {

EditCommand::EditCommand(MainWindow& window, ScenarioDocument before, ScenarioDocument after, QString pointer, int drag)
    : window_(window), before_(std::move(before)), after_(std::move(after)), pointer_(std::move(pointer)), drag_(drag) {
  setText(pointer_.startsWith('/') ? "set " + pointer_ : pointer_);
}

void EditCommand::undo() { window_.adopt(before_, false); }
void EditCommand::redo() { window_.adopt(after_, false); }

bool EditCommand::mergeWith(const QUndoCommand* later) {
  const auto* edit = dynamic_cast<const EditCommand*>(later);
  if (edit == nullptr || edit->drag_ != drag_ || edit->pointer_ != pointer_) return false;
  after_ = edit->after_;
  return true;
}

}  // namespace headrace::gui
