// Files of the window: open, save, what is kept by itself, what is handed on.
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDir>
#include <QDragEnterEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QSettings>
#include <QStandardPaths>
#include <QStatusBar>

#include "gui/presenter/autosave.hpp"
#include "gui/presenter/bundle.hpp"
#include "gui/presenter/command_text.hpp"
#include "gui/widgets/compare_pane.hpp"
#include "gui/widgets/edit_command.hpp"
#include "gui/widgets/gallery.hpp"
#include "gui/widgets/key_sheet.hpp"
#include "gui/widgets/main_window.hpp"
#include "gui/widgets/plan_pane.hpp"
#include "gui/widgets/qt_text.hpp"
#include "gui/widgets/start_wizard.hpp"
#include "gui/widgets/sweep_pane.hpp"
#include "scenarios/document/atomic_file.hpp"

namespace headrace::gui {
namespace {

constexpr int kMostRecent = 8;

QString autosave_path() { return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + "/autosave.json"; }

}  // namespace

bool MainWindow::open(const QString& path_or_name) {
  auto document = ScenarioDocument::open(path_or_name.toStdString());
  if (!document) {
    complain(document.error());
    return false;
  }
  adopt_fresh();
  file_ = document->has_file() ? path_or_name : QString();
  adopt(std::move(*document), true);
  mark_saved();
  remember(path_or_name);
  return true;
}

bool MainWindow::open_text(const std::string& text, const QString& path) {
  auto document = ScenarioDocument::from_text(text, path.toStdString());
  if (!document) {
    complain(document.error());
    return false;
  }
  adopt_fresh();
  file_.clear();
  adopt(std::move(*document), true);
  in_no_file_ = true;
  update_title();
  return true;
}

/// Nothing of what was open before stays.
void MainWindow::adopt_fresh() {
  complaint_.clear();
  undo_.clear();
  compare_->reset();
  sweep_->reset();
}

void MainWindow::open_dialog() {
  if (!may_discard()) return;
  const QString path = QFileDialog::getOpenFileName(this, "Open a scenario", {}, "Scenarios (*.json);;All files (*)");
  if (!path.isEmpty()) open(path);
}

/// The document stays, and with it baseline, kept runs, undo and sweep: only where Save writes is another place.
bool MainWindow::save_to(const QString& path) {
  if (!document_) return false;
  const auto write = [&](const std::string& text) -> std::optional<QString> {
    const auto written = scenarios::write_atomically(path.toStdString(), text);
    if (!written) return q(print_text(written.error()));
    const auto saved = ScenarioDocument::open(path.toStdString());
    if (!saved) return q(print_text(saved.error()));
    return std::nullopt;
  };
  auto problem = write(document_->text());
  // What the file extends may not be found from another folder: then every value is written.
  if (problem && QFileInfo::exists(path)) problem = write(document_->whole_text());
  if (problem) {
    complain(*problem, true);
    return false;
  }
  file_ = path;
  mark_saved();
  remember(path);
  statusBar()->showMessage("saved " + path);
  return true;
}

void MainWindow::save() {
  if (!document_) return;
  if (file_.isEmpty())
    save_as();
  else
    save_to(file_);
}

void MainWindow::save_as() {
  const QString path = QFileDialog::getSaveFileName(this, "Save the scenario", "scenario.headrace.json",
                                                    "Headrace scenarios (*.headrace.json *.json)");
  if (!path.isEmpty()) save_to(path);
}

bool MainWindow::lay_over(const QString& path) {
  if (!document_) return false;
  auto layered = document_->under(path.toStdString());
  if (!layered) {
    complain(layered.error());
    return false;
  }
  complaint_.clear();
  undo_.push(new EditCommand(*this, *document_, std::move(*layered), "lay over " + path, 0));
  statusBar()->showMessage("laid over: " + path);
  return true;
}

void MainWindow::lay_over_dialog() {
  const QString path = QFileDialog::getOpenFileName(this, "A site file of headrace calibrate", {}, "JSON (*.json)");
  if (!path.isEmpty()) lay_over(path);
}

void MainWindow::write_report() {
  if (!document_ || outcome() == nullptr) return;
  const QString path = QFileDialog::getSaveFileName(this, "Write a report", "report.html", "HTML (*.html)");
  if (path.isEmpty()) return;
  const auto written = scenarios::write_atomically(path.toStdString(), report_of(*document_, *outcome()));
  if (!written) return complain(q(print_text(written.error())), true);
  statusBar()->showMessage("wrote " + path);
}

bool MainWindow::write_bundle_to(const QString& folder) {
  if (!document_ || outcome() == nullptr) return false;
  if (const auto wrong = write_bundle(folder.toStdString(), bundle_of(*document_, *outcome()))) {
    complain(q(*wrong), true);
    return false;
  }
  statusBar()->showMessage("wrote scenario, answer and report into " + folder);
  return true;
}

void MainWindow::share_bundle() {
  const QString folder = QFileDialog::getExistingDirectory(this, "A folder for scenario, answer and report");
  if (!folder.isEmpty()) write_bundle_to(folder);
}

QString MainWindow::command() const { return document_ ? q(command_text(*document_)) : QString(); }

void MainWindow::copy_command() {
  if (!document_) return;
  if (!document_->has_file() && !document_->is_shipped() && file_.isEmpty())
    return complain("save the scenario first, because a command line needs a file", false);
  QApplication::clipboard()->setText(command());
  statusBar()->showMessage("copied: " + command());
}

void MainWindow::export_chart(Chart* chart) {
  const QString path = QFileDialog::getSaveFileName(this, "Save the chart", chart->title() + ".png",
                                                    "PNG (*.png);;SVG (*.svg);;CSV (*.csv);;JSON (*.json)");
  QString error;
  if (!path.isEmpty() && !chart->save(path, error)) complain(error, true);
}

void MainWindow::show_gallery() {
  if (!may_discard()) return;
  const QString name = choose_shipped(this);
  if (!name.isEmpty()) open(name);
}

void MainWindow::show_wizard() {
  if (!may_discard()) return;
  StartWizard wizard(this);
  if (wizard.exec() == QDialog::Accepted && !wizard.text().empty()) open_text(wizard.text(), "new.headrace.json");
}

void MainWindow::show_keys() { show_key_sheet(this); }

bool MainWindow::may_discard() {
  if (!is_modified()) return true;
  const auto answer = QMessageBox::question(this, "Headrace", "The scenario has changes that are not saved.",
                                            QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
  if (answer == QMessageBox::Save) save();
  return answer == QMessageBox::Discard || (answer == QMessageBox::Save && !is_modified());
}

void MainWindow::autosave() const {
  if (keeps_settings_ && is_modified()) write_autosave(autosave_path().toStdString(), *document_);
}

bool MainWindow::has_autosave() const {
  return keeps_settings_ && read_autosave(autosave_path().toStdString()).has_value();
}

bool MainWindow::restore_autosave() {
  const auto saved = keeps_settings_ ? read_autosave(autosave_path().toStdString()) : std::nullopt;
  return saved && open_text(saved->text, q(saved->path + ".restored.json"));
}

void MainWindow::remember(const QString& path) {
  if (!keeps_settings_) return;
  QSettings kept;
  QStringList recent = kept.value("recent").toStringList();
  const QString known = QFileInfo::exists(path) ? QFileInfo(path).absoluteFilePath() : path;
  recent.removeAll(known);
  recent.prepend(known);
  kept.setValue("recent", QStringList(recent.mid(0, kMostRecent)));
  fill_recent();
}

void MainWindow::fill_recent() {
  recent_->clear();
  if (!keeps_settings_) return;
  for (const QString& path : QSettings().value("recent").toStringList())
    recent_->addAction(path, this, [this, path] {
      if (may_discard()) open(path);
    });
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (isVisible() && keeps_settings_ && !may_discard()) {
    event->ignore();
    return;
  }
  study_.stop();
  autosave_.stop();
  if (keeps_settings_) {
    QSettings kept;
    kept.setValue("geometry", saveGeometry());
    kept.setValue("state", saveState());
    QFile::remove(autosave_path());
  }
  event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QList<QUrl> urls = event->mimeData()->urls();
  if (!urls.isEmpty() && urls.first().isLocalFile() && may_discard()) open(urls.first().toLocalFile());
}

}  // namespace headrace::gui
