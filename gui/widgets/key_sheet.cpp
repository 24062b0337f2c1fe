#include "gui/widgets/key_sheet.hpp"

#include <QAction>
#include <QMainWindow>
#include <QMessageBox>

namespace headrace::gui {

QString key_sheet_text(const QMainWindow& window) {
  QString rows;
  for (const QAction* action : window.findChildren<QAction*>()) {
    if (action->shortcut().isEmpty()) continue;
    QString text = action->text();
    rows += QString("<tr><td><b>%1</b>&nbsp;&nbsp;</td><td>%2</td></tr>")
                .arg(action->shortcut().toString(QKeySequence::NativeText), text.remove('&').toHtmlEscaped());
  }
  rows +=
      "<tr><td><b>Left, Right</b>&nbsp;&nbsp;</td><td>Move the slider by 1 % of its range, Page keys by 5 %</td></tr>";
  const auto add = [&rows](const char* keys, const char* what) {
    rows += QString("<tr><td><b>%1</b>&nbsp;&nbsp;</td><td>%2</td></tr>").arg(keys, what);
  };
  add("Page Up, Page Down", "In a chart: zoom in and out; then arrows move, Home shows the whole");
  add("Arrows", "In a chart: read its points and bars; with Shift where it is zoomed");
  add("Menu", "On a station of the data path: what can be added and removed there");
  add("T", "In a chart: its figures as a table");
  add("+, -", "In a chart: move its threshold");
  add("Return", "On a point, cell or run of a table: load it");
  return "<table>" + rows + "</table>";
}

void show_key_sheet(QMainWindow* window) {
  QMessageBox box(QMessageBox::NoIcon, "Keys", key_sheet_text(*window), QMessageBox::Close, window);
  box.setTextFormat(Qt::RichText);
  box.exec();
}

}  // namespace headrace::gui
