// The menu of a station: by the right button on its box, or by the Menu key on the one that the keyboard is at.
#include <QContextMenuEvent>
#include <QMenu>

#include "gui/presenter/station_actions.hpp"
#include "gui/widgets/main_window.hpp"
#include "gui/widgets/path_picture.hpp"
#include "gui/widgets/qt_text.hpp"

namespace headrace::gui {

void PathPicture::contextMenuEvent(QContextMenuEvent* event) {
  if (event->reason() == QContextMenuEvent::Keyboard) {
    if (at_ < boxes_.size()) Q_EMIT menu_wanted(boxes_[at_].station, mapToGlobal(place(at_).center()));
    return;
  }
  for (std::size_t i = 0; i < boxes_.size(); ++i)
    if (frame_of(i).contains(event->pos())) {
      at_ = i;
      return Q_EMIT menu_wanted(boxes_[i].station, event->globalPos());
    }
}

/// The actions of the menu Edit and of the tree, for what the station stands for.
void MainWindow::show_station_menu(const StationRef& station, const QPoint& where) {
  if (!document_) return;
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setAccessibleName("Station " + q(station.name));
  auto last = StationAction::What::copy;
  for (const StationAction& action : station_actions(*document_, station)) {
    if (action.what != last) menu->addSeparator();
    last = action.what;
    menu->addAction(q(action.text), this, [this, action] {
      const QString pointer = q(action.pointer);
      if (action.what == StationAction::What::copy) static_cast<void>(add_like(pointer));
      if (action.what == StationAction::What::move)
        static_cast<void>(apply({{action.pointer, action.value}}, q(action.text)));
      if (action.what == StationAction::What::remove) static_cast<void>(remove_element(pointer));
      if (action.what == StationAction::What::add) static_cast<void>(add_element(pointer));
    });
  }
  menu->popup(where);
}

}  // namespace headrace::gui
