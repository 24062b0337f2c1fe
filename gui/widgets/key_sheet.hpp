// F1: what every key does, read from the window's own actions.
#pragma once

class QMainWindow;
class QString;

namespace headrace::gui {

QString key_sheet_text(const QMainWindow& window);
void show_key_sheet(QMainWindow* window);

}  // namespace headrace::gui
