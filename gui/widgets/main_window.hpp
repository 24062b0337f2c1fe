// The desktop: the scenario as a tree, pinned sliders, and the answer beside them. Closed forms follow the slider, the
// simulation confirms after a rest.
#pragma once

#include <QMainWindow>
#include <QUndoStack>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "gui/presenter/closed_form.hpp"
#include "gui/presenter/live_study.hpp"
#include "gui/presenter/parameter_tree.hpp"
#include "gui/widgets/chart.hpp"
#include "gui/widgets/path_picture.hpp"

class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QSortFilterProxyModel;
class QTableWidget;
class QTreeView;
class QVBoxLayout;

namespace headrace::gui {

class SliderRow;

class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  /// `settings`: whether recent files, theme and layout are read and kept; a screenshot leaves them alone.
  explicit MainWindow(bool settings, QWidget* parent = nullptr);
  ~MainWindow() override;

  /// False after the complaints were shown, in the words of the command line; what was open stays.
  bool open(const QString& path_or_name);
  bool save_to(const QString& path);
  void set_theme(const QString& name);

  const ScenarioDocument* document() const { return document_ ? &*document_ : nullptr; }
  const QString& last_complaint() const { return complaint_; }
  LiveStudy& study() { return study_; }
  QUndoStack& undo_stack() { return undo_; }
  SliderRow* row(const QString& pointer) const;
  Chart* chart(const QString& title) const;
  /// Sets a value as a slider or the tree does; false when the scenario refuses it.
  bool set_value(const QString& pointer, const QString& value, int drag);
  void pin(const QString& pointer);
  void pin_baseline();

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  friend class EditCommand;

  void make_actions();
  void make_docks();
  QWidget* make_centre();
  void make_pane_menu();
  void adopt(ScenarioDocument document, bool fresh);
  void show_answer();
  void show_table();
  void show_curves();
  void show_sensitivity();
  void show_throughput();
  void refresh_rows();
  void pin_defaults();
  void unpin(const QString& pointer);
  void take(const StudyAnswer& answer);
  void complain(const QString& text, bool in_box);
  void open_dialog();
  void save();
  void save_as();
  void write_report();
  void copy_command();
  void export_chart(Chart* chart);
  void show_gallery();
  void show_keys();
  bool may_discard();
  void autosave() const;
  void remember(const QString& path);
  void fill_recent();
  void update_title();
  const models::Outcome* outcome() const;

  std::optional<ScenarioDocument> document_;
  std::optional<models::Outcome> bound_;
  std::shared_ptr<const models::Outcome> simulated_;
  std::optional<models::Outcome> baseline_;
  std::string baseline_text_;
  QString plotted_;  ///< pointer of the parameter on the x axis
  QString complaint_;
  QUndoStack undo_;
  LiveStudy study_;
  QTimer curves_;  ///< curves follow a moment later than numbers
  Theme theme_ = Theme::of(false);
  QString theme_name_ = "system";
  QPalette system_palette_;
  bool keeps_settings_;

  ParameterTree* tree_model_;
  QSortFilterProxyModel* filter_;
  QTreeView* tree_;
  QLineEdit* search_;
  QVBoxLayout* rows_;
  std::map<QString, SliderRow*> by_pointer_;
  QLabel* verdict_;
  QLabel* meaning_;
  QLabel* sure_;
  QLabel* warning_;
  PathPicture* path_;
  QTableWidget* table_;
  std::vector<Chart*> charts_;
  Chart *states_, *sensitivity_, *workers_, *cost_, *blame_, *loads_;
  QMenu* recent_;
  QMenu* panes_;
};

}  // namespace headrace::gui
