// The desktop: the scenario as a tree, pinned sliders, and the answer beside them. Closed forms follow the slider, the
// simulation confirms after a rest. Maps, plans, sweeps and comparisons have panes of their own.
#pragma once

#include <QMainWindow>
#include <QUndoStack>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "gui/presenter/background_task.hpp"
#include "gui/presenter/banner.hpp"
#include "gui/presenter/closed_form.hpp"
#include "gui/presenter/ghost_curves.hpp"
#include "gui/presenter/live_study.hpp"
#include "gui/presenter/parameter_tree.hpp"
#include "gui/widgets/chart.hpp"
#include "gui/widgets/path_picture.hpp"
#include "reports/humane.hpp"

class QComboBox;
class QLineEdit;
class QMenu;
class QSortFilterProxyModel;
class QTreeView;
class QVBoxLayout;

namespace headrace::gui {

class AnswerBanner;
class ComparePane;
class DecisionPanes;
class EvidenceBadge;
class FigureTable;
class InputsPane;
class MapsPane;
class MeasuredPane;
class NextCard;
struct NextSteps;
class PaneTabs;
class PlanPane;
class SliderRow;
class StartWizard;
class StationCard;
class SweepPane;

class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  /// `settings`: whether recent files, theme and layout are read and kept; a screenshot leaves them alone.
  explicit MainWindow(bool settings, QWidget* parent = nullptr);
  ~MainWindow() override;

  /// False after the complaints were shown, in the words of the command line; what was open stays.
  bool open(const QString& path_or_name);
  /// Text that is no file yet: answers of the wizard, what was saved by itself.
  bool open_text(const std::string& text, const QString& path);
  bool save_to(const QString& path);
  /// To where it was saved last; asks for a file where it has none.
  void save();
  /// Lays a site file over what is open.
  bool lay_over(const QString& path);
  /// What was saved by itself before the window ended without asking; false: there is nothing.
  bool restore_autosave();
  bool has_autosave() const;
  /// Nothing was ever opened by this user.
  bool is_first_time() const { return first_time_; }
  /// Shipped scenarios to choose from.
  void show_gallery();
  void set_theme(const QString& name);
  /// Where the palette of the desktop comes from when it changes: tests give another one.
  void set_system_palette(const std::function<QPalette()>& source) { system_palette_now_ = source; }
  /// Brings a pane to the front: "answer", "maps", "compare", "plan", "sweep", "measured", "inputs", "offers",
  /// "growth", "campaign", "timeline". False: no such.
  bool show_pane(const QString& name);

  /// Whether the scenario differs from its file. Zooming, which can be undone too, changes nothing of it.
  bool is_modified() const;

  const ScenarioDocument* document() const { return document_ ? &*document_ : nullptr; }
  const QString& last_complaint() const { return complaint_; }
  LiveStudy& study() { return study_; }
  QUndoStack& undo_stack() { return undo_; }
  SliderRow* row(const QString& pointer) const;
  /// A parameter with the value that is in use, as its slider shows it.
  std::optional<ParameterValue> slid(const QString& pointer) const;
  Chart* chart(const QString& title) const;
  /// Sets a value as a slider or the tree does; false when the scenario refuses it.
  bool set_value(const QString& pointer, const QString& value, int drag);
  /// Several values as one step of undo.
  bool apply(const std::vector<Edit>& edits, const QString& what);
  void pin(const QString& pointer);
  void pin_baseline();
  bool add_like(const QString& pointer);
  /// At the end of a list, also of one that is empty: "/jobs/0/checkpoint/tiers".
  bool add_element(const QString& list);
  /// A part that the scenario may have and has not: "/prices/resources".
  bool add_section(const QString& section);
  bool remove_element(const QString& pointer);
  bool mark_measured(const QString& pointer);
  QString command() const;
  bool write_bundle_to(const QString& folder);
  const models::Outcome* outcome() const;
  /// Whether outcome() is the answer of the simulation, a look of it, or the closed form.
  Phase phase() const;
  /// Waits for nothing: whether curves, ranges and next steps of the present document are there.
  bool curves_are_ready() const {
    return !curves_task_.is_running() && !ranges_task_.is_running() && !next_task_.is_running() &&
           !queues_task_.is_running();
  }

  PlanPane& plan_pane() { return *plan_; }
  SweepPane& sweep_pane() { return *sweep_; }
  ComparePane& compare_pane() { return *compare_; }
  MeasuredPane& measured_pane() { return *measured_; }
  InputsPane& inputs_pane() { return *inputs_; }
  AnswerBanner& banner() { return *banner_; }
  NextCard& next_card() { return *next_; }
  MapsPane& maps_pane() { return *maps_; }
  DecisionPanes& decisions() { return *decisions_; }
  PathPicture& path_picture() { return *path_; }
  StationCard& station_card() { return *card_; }

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  bool event(QEvent* event) override;

 private:
  friend class EditCommand;

  /// Curves, each with the fingerprint of the answers that it holds: everything but the parameter on its x axis.
  struct Curves {
    std::string idle_of;
    Curve idle;
    std::vector<GhostCurve> idle_ghosts;
    std::string throughput_of;
    Curve throughput;
    std::vector<GhostCurve> throughput_ghosts;
  };

  void make_actions();
  void make_file_menu();
  void make_edit_menu();
  void make_run_menu();
  void make_scenario_dock();
  void make_slider_dock();
  void make_table_dock();
  void make_history_dock();
  QWidget* make_centre();
  QWidget* make_answer_page();
  void make_panes();
  void make_pane_menu();
  void connect_charts();
  QAction* add_action(QMenu* menu, const QString& text, const QKeySequence& keys, const std::function<void()>& work);
  void show_tree_menu(const QPoint& where);
  void show_station_menu(const StationRef& station, const QPoint& where);
  QString selected_pointer() const;

  void adopt(ScenarioDocument document, bool fresh);
  void adopt_fresh();
  void show_answer();
  void show_banner();
  void show_gpu_time(const models::Outcome& answer);
  void show_table();
  void open_card(const StationRef& station, const QRect& where);
  void refresh_card();
  void show_slo();
  void hold(const models::Outcome& simulated, bool is_answer);
  void want_next_steps();
  void show_next_steps();
  void want_queues();
  void want_curves();
  /// Of a curve over a parameter as it would be now.
  std::string fingerprint(const std::string& pointer) const;
  std::string rate_metric() const;
  std::string plotted_metric() const;
  void compute_curves();
  void want_ranges();
  void show_curves();
  /// What kept runs say of the bars of a chart, those that say something.
  std::vector<Ghost> ghosts(const std::function<std::vector<Share>(const models::Outcome&)>& shares) const;
  void show_sensitivity();
  void show_throughput();
  reports::Scale rate_scale() const;
  void refresh_rows();
  void pin_defaults();
  void unpin(const QString& pointer);
  void take(const StudyAnswer& answer);
  void move_limit(const std::string& metric, double limit);
  void add_slo();
  void compare_now();
  void complain(const QString& text, bool in_box);
  void complain(const scenarios::Diagnostics& diagnostics);

  void open_dialog();
  void save_as();
  void write_report();
  void share_bundle();
  void copy_command();
  void choose_addition();
  void export_chart(Chart* chart);
  void show_figures(Chart* chart);
  void zoom(Chart* chart, const std::optional<View>& before, const std::optional<View>& after);
  void mark_saved();
  void show_wizard();
  void copy_slide(Chart* chart);
  void hold_charts(bool held);
  void follow_system_theme();
  void lay_over_dialog();
  void show_keys();
  bool may_discard();
  void autosave() const;
  void remember(const QString& path);
  void fill_recent();
  void update_title();

  std::optional<ScenarioDocument> document_;
  std::optional<models::Outcome> bound_;
  std::shared_ptr<const models::Outcome> simulated_;
  bool simulated_is_answer_ = false;               ///< else a look
  std::optional<models::Confidence> confidence_;   ///< in it, as texts grade it
  std::shared_ptr<const models::Outcome> ranges_;  ///< of the present document: a bound with input ranges
  Curves curves_;
  Band band_;
  std::string band_of_;                  ///< fingerprint
  std::map<std::string, double> today_;  ///< numbers when the scenario was opened, by pointer
  QString file_;                         ///< where Save writes; empty: it asks
  QString plotted_;                      ///< pointer of the parameter on the x axis
  QStringList pin_order_;                ///< of what was pinned when the scenario opened
  QString complaint_;
  QUndoStack undo_;
  std::vector<Edit> saved_edits_;  ///< of the document as it stands in its file
  std::vector<std::string> saved_layers_;
  bool in_no_file_ = false;
  LiveStudy study_;
  BackgroundTask curves_task_;  ///< curves follow a moment later than numbers
  BackgroundTask ranges_task_;  ///< bands of inputs after a rest
  BackgroundTask next_task_;    ///< what to do next, after the answer
  BackgroundTask queues_task_;  ///< batches of the picture, after the answer
  bool curves_stale_ = false;
  QTimer autosave_;
  Theme theme_ = Theme::of(false);
  QString theme_name_ = "system";
  QPalette system_palette_;
  std::function<QPalette()> system_palette_now_;
  bool keeps_settings_;
  bool first_time_ = false;

  ParameterTree* tree_model_;
  QSortFilterProxyModel* filter_;
  QTreeView* tree_;
  EvidenceBadge* badge_;
  QLineEdit* search_;
  QVBoxLayout* rows_;
  std::map<QString, SliderRow*> by_pointer_;
  AnswerBanner* banner_;
  NextCard* next_;
  std::shared_ptr<const NextSteps> next_steps_;  ///< of the present answer, once known
  PathPicture* path_;
  PaneTabs* tabs_;
  FigureTable* table_;
  StationCard* card_;
  std::vector<Chart*> charts_;
  Chart *states_, *sensitivity_, *workers_, *cost_, *blame_, *loads_;
  MapsPane* maps_;
  ComparePane* compare_;
  PlanPane* plan_;
  SweepPane* sweep_;
  MeasuredPane* measured_;
  InputsPane* inputs_;
  DecisionPanes* decisions_;    ///< offers, growth, campaign, timeline
  QList<QAction*> often_used_;  ///< beside the menus
  QMenu* recent_;
  QMenu* panes_;
};

}  // namespace headrace::gui
