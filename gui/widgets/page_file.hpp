// Pages that are written for others to read: where to, and who shows them.
#pragma once

#include <QString>
#include <functional>
#include <string>

class QUrl;
class QWidget;

namespace headrace::gui {

/// Writes a page and shows it. Empty, or what is wrong.
QString write_page(const std::string& html, const QString& path);

/// Asks where to, writes and shows. Empty, or what is wrong; also empty where nothing was chosen.
QString save_page(QWidget* parent, const std::string& html, const QString& proposed);

/// Who shows a page instead of the browser of the desktop.
void set_page_viewer(const std::function<void(const QUrl&)>& viewer);

}  // namespace headrace::gui
