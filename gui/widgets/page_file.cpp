#include "gui/widgets/page_file.hpp"

#include <QDesktopServices>
#include <QFileDialog>
#include <QFileInfo>
#include <QUrl>

#include "gui/widgets/qt_text.hpp"
#include "scenarios/document/atomic_file.hpp"

namespace headrace::gui {
namespace {

std::function<void(const QUrl&)>& page_viewer() {
  static std::function<void(const QUrl&)> viewer = [](const QUrl& page) { QDesktopServices::openUrl(page); };
  return viewer;
}

}  // namespace

QString write_page(const std::string& html, const QString& path) {
  const auto written = scenarios::write_atomically(path.toStdString(), html);
  if (!written) return q(print_text(written.error()));
  page_viewer()(QUrl::fromLocalFile(QFileInfo(path).absoluteFilePath()));
  return {};
}

QString save_page(QWidget* parent, const std::string& html, const QString& proposed) {
  const QString path = QFileDialog::getSaveFileName(parent, "Write a page", proposed, "HTML (*.html)");
  return path.isEmpty() ? QString() : write_page(html, path);
}

void set_page_viewer(const std::function<void(const QUrl&)>& viewer) { page_viewer() = viewer; }

}  // namespace headrace::gui
