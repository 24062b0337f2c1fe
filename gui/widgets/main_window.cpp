#include "gui/widgets/main_window.hpp"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QFontMetrics>
#include <QGridLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QScrollArea>
#include <QSettings>
#include <QSortFilterProxyModel>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QToolBar>
#include <QTreeView>
#include <QUndoView>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/presenter/short_name.hpp"
#include "gui/presenter/structure_edits.hpp"
#include "gui/widgets/answer_banner.hpp"
#include "gui/widgets/compare_pane.hpp"
#include "gui/widgets/decision_panes.hpp"
#include "gui/widgets/edit_command.hpp"
#include "gui/widgets/evidence_badge.hpp"
#include "gui/widgets/figure_table.hpp"
#include "gui/widgets/figures_dialog.hpp"
#include "gui/widgets/focus_ring.hpp"
#include "gui/widgets/inputs_pane.hpp"
#include "gui/widgets/letters.hpp"
#include "gui/widgets/maps_pane.hpp"
#include "gui/widgets/measured_pane.hpp"
#include "gui/widgets/next_card.hpp"
#include "gui/widgets/pane_parts.hpp"
#include "gui/widgets/plan_pane.hpp"
#include "gui/widgets/qt_text.hpp"
#include "gui/widgets/slider_row.hpp"
#include "gui/widgets/station_card.hpp"
#include "gui/widgets/sweep_pane.hpp"
#include "gui/widgets/tight_tabs.hpp"
#include "reports/humane.hpp"

namespace headrace::gui {
namespace {

constexpr int kRangesAfter_ms = 300;
constexpr int kAutosaveAfter_ms = 2000;
/// What Qt takes from the desktop now: the palette of the application hides it.
QPalette desktop_palette() {
  const QPalette ours = QApplication::palette();
  QApplication::setPalette(QPalette());
  const QPalette theirs = QApplication::palette();
  QApplication::setPalette(ours);
  return theirs;
}

constexpr const char* kPanes[] = {"answer",   "maps",   "compare", "plan",     "sweep",   "inputs",
                                  "measured", "offers", "growth",  "campaign", "timeline"};
constexpr const char* kPaneKeys[] = {"Ctrl+1", "Ctrl+2", "Ctrl+3", "Ctrl+4", "Ctrl+5",      "Ctrl+6",
                                     "Ctrl+7", "Ctrl+8", "Ctrl+9", "Ctrl+0", "Ctrl+Shift+T"};

}  // namespace

MainWindow::MainWindow(bool settings, QWidget* parent)
    : QMainWindow(parent),
      ranges_task_(nullptr, kRangesAfter_ms),
      system_palette_(QApplication::palette()),
      system_palette_now_(desktop_palette),
      keeps_settings_(settings) {
  setObjectName("main");
  new FocusRing(*this);
  setAcceptDrops(true);
  resize(1480, 940);
  setDockNestingEnabled(true);
  setCentralWidget(make_centre());
  make_scenario_dock();
  make_slider_dock();
  make_table_dock();
  make_history_dock();
  make_actions();
  make_pane_menu();
  autosave_.setSingleShot(true);
  autosave_.setInterval(kAutosaveAfter_ms);
  connect(&autosave_, &QTimer::timeout, this, &MainWindow::autosave);
  connect(&curves_task_, &BackgroundTask::finished, this, [this] {
    if (curves_stale_) compute_curves();
  });
  connect(&study_, &LiveStudy::answered, this, &MainWindow::take);
  connect(&study_, &LiveStudy::started, this, [this] { statusBar()->showMessage("simulating ..."); });
  connect(
      &study_, &LiveStudy::stopped, this,
      [this] {
        if (study_.is_busy()) return;  // by a newer request
        statusBar()->showMessage("stopped");
        show_answer();
      },
      Qt::QueuedConnection);
  connect(banner_, &AnswerBanner::longer_wanted, &study_, &LiveStudy::run_longer);
  connect(next_, &NextCard::wanted, this, &MainWindow::apply);
  card_ = new StationCard(this);
  connect(path_, &PathPicture::chosen, this, &MainWindow::open_card);
  connect(path_, &PathPicture::menu_wanted, this, &MainWindow::show_station_menu);
  connect(card_, &StationCard::dragged, this, &MainWindow::hold_charts);
  connect(card_, &StationCard::changed, this, [this](const QString& pointer, const QString& value, int drag) {
    card_->complain(pointer, set_value(pointer, value, drag) ? QString() : complaint_);
  });
  connect_charts();
  QString theme = "system";
  if (keeps_settings_) {
    const QSettings kept;
    theme = kept.value("theme", theme).toString();
    first_time_ = !kept.contains("recent");
    restoreGeometry(kept.value("geometry").toByteArray());
    restoreState(kept.value("state").toByteArray());
  }
  set_theme(theme);
}

MainWindow::~MainWindow() { undo_.disconnect(this); }

QWidget* MainWindow::make_centre() {
  auto* page = new QWidget(this);
  constexpr int kLeastWidth_px = 600;  // as much as the docks leave of 1280, whatever the letters
  page->setMinimumWidth(kLeastWidth_px);
  auto* layout = new QVBoxLayout(page);
  layout->setSpacing(4);
  layout->setContentsMargins(8, 6, 8, 6);
  banner_ = new AnswerBanner(page);
  path_ = new PathPicture(page);
  tabs_ = new PaneTabs(page);
  tabs_->setAccessibleName("Panes");
  tabs_->setDocumentMode(true);
  auto* tight = new TightTabs;
  tight->setParent(tabs_);
  tabs_->tabBar()->setStyle(tight);
  layout->addWidget(banner_);
  layout->addWidget(path_);
  layout->addWidget(tabs_, 1);
  tabs_->addTab(make_answer_page(), "Answer");
  make_panes();
  for (QAbstractButton* button : tabs_->findChildren<QAbstractButton*>())
    if (button->accessibleName().isEmpty() && button->text().isEmpty()) button->setAccessibleName("Scroll the tabs");
  return page;
}

QWidget* MainWindow::make_answer_page() {
  auto* scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  auto* page = new QWidget(scroll);
  states_ = new Chart("GPU time by state", page);
  sensitivity_ = new Chart("GPU idle over the dragged parameter", page);
  workers_ = new Chart("Throughput over workers", page);
  cost_ = new Chart("Cost of an epoch", page);
  blame_ = new Chart("Waits of the GPUs by stage", page);
  loads_ = new Chart("Utilization of each station", page);
  charts_ = {states_, sensitivity_, workers_, cost_, blame_, loads_};
  for (const auto& [chart, metric] : {std::pair{sensitivity_, "gpu_idle_fraction"},
                                      {states_, "gpu_utilization"},
                                      {workers_, "samples_per_s"},
                                      {blame_, "gpu_idle_fraction"},
                                      {cost_, "cost_per_epoch_usd"}})
    chart->setStatusTip(QString::fromStdString(meaning_of(metric)).replace('\n', ' '));
  constexpr int kSevenBars_px = 256;
  for (Chart* chart : {loads_, cost_, blame_, states_})
    chart->setMinimumHeight(whole_by_letters(font(), kSevenBars_px));
  auto* grid = new QGridLayout(page);
  grid->setContentsMargins(0, 4, 0, 0);
  grid->setSpacing(6);
  next_ = new NextCard(page);
  grid->addWidget(next_, 0, 0, 1, 2);
  grid->addWidget(sensitivity_, 1, 0);
  grid->addWidget(states_, 1, 1);
  grid->addWidget(workers_, 2, 0);
  grid->addWidget(blame_, 2, 1);
  grid->addWidget(loads_, 3, 0);
  grid->addWidget(cost_, 3, 1);
  for (int i = 0; i < 2; ++i) grid->setColumnStretch(i, 1);
  grid->setRowStretch(1, 4);
  grid->setRowStretch(2, 3);
  grid->setRowStretch(3, 3);
  scroll->setWidget(page);
  return scroll;
}

void MainWindow::make_panes() {
  const auto now = [this] { return document(); };
  maps_ = new MapsPane(tabs_);
  compare_ = new ComparePane(tabs_);
  plan_ = new PlanPane(now, tabs_);
  sweep_ = new SweepPane(now, tabs_);
  inputs_ = new InputsPane(now, tabs_);
  measured_ = new MeasuredPane(now, tabs_);
  tabs_->add_pane(maps_, "Maps");
  tabs_->add_pane(compare_, "Compare");
  tabs_->add_pane(plan_, "Plan");
  tabs_->add_pane(sweep_, "Sweep");
  tabs_->add_pane(inputs_, "Inputs");
  tabs_->add_pane(measured_, "Measured");
  for (Chart* chart : maps_->charts()) charts_.push_back(chart);
  for (Chart* chart : {plan_->chart(), sweep_->chart(), inputs_->chart(), inputs_->tornado(), measured_->chart(),
                       measured_->steps_chart()})
    charts_.push_back(chart);
  decisions_ = new DecisionPanes(now, tabs_);
  for (Chart* chart : decisions_->charts()) charts_.push_back(chart);
  charts_.push_back(compare_->chart());
  connect(decisions_, &DecisionPanes::complained, this, [this](const QString& text) { complain(text, true); });
  compare_->set_answer([this] { return outcome(); });
  connect(tabs_, &QTabWidget::currentChanged, this, [this] { show_banner(); });
  connect(maps_, &MapsPane::chosen, this, &MainWindow::apply);
  connect(plan_, &PlanPane::chosen, this, &MainWindow::apply);
  connect(plan_, &PlanPane::limits_changed, this, &MainWindow::apply);
  connect(sweep_, &SweepPane::chosen, this, &MainWindow::apply);
  connect(sweep_, &SweepPane::complained, this, [this](const QString& text) { complain(text, true); });
  connect(measured_, &MeasuredPane::complained, this, [this](const QString& text) { complain(text, true); });
  connect(measured_, &MeasuredPane::site_wanted, this, &MainWindow::lay_over_dialog);
  connect(compare_, &ComparePane::runs_changed, this, [this] {
    show_answer();
    want_curves();
  });
  connect(compare_, &ComparePane::load_wanted, this, [this](int run) {
    if (run < 0 || run >= static_cast<int>(compare_->runs().size())) return;
    const ScenarioDocument kept = compare_->runs()[static_cast<std::size_t>(run)].document;
    const std::string name = compare_->runs()[static_cast<std::size_t>(run)].name();
    undo_.push(new EditCommand(*this, *document_, kept, QString::fromStdString(name), 0));
  });
  connect(inputs_, &InputsPane::answered, this, [this](const std::shared_ptr<const models::Outcome>& outcome) {
    study_.stop();
    hold(*outcome, true);
    show_answer();
    show_curves();
    want_next_steps();
  });
}

void MainWindow::connect_charts() {
  for (Chart* chart : charts_)
    connect(chart, &Chart::menu_wanted, this, [this, chart](const QPoint& where) {
      QMenu menu;
      menu.addAction("Save the view as PNG, SVG, CSV or JSON ...", this, [this, chart] { export_chart(chart); });
      menu.addAction("Show the figures as a table (T)", this, [this, chart] { show_figures(chart); });
      menu.addAction("Copy as slide", this, [this, chart] { copy_slide(chart); });
      menu.addAction("Copy the figures in view", this, [chart] {
        QApplication::clipboard()->setText(QString::fromStdString(csv_of(chart->figures_in_view())));
      });
      if (chart->zoom())
        menu.addAction("Show the whole chart (Home)", this,
                       [this, chart] { zoom(chart, chart->zoom(), std::nullopt); });
      menu.exec(where);
    });
  for (Chart* chart : charts_) {
    connect(chart, &Chart::figures_wanted, this, [this, chart] { show_figures(chart); });
    connect(chart, &Chart::zoom_wanted, this,
            [this, chart](const std::optional<View>& before, const std::optional<View>& after) {
              zoom(chart, before, after);
            });
  }
  connect(sensitivity_, &Chart::limit_moved, this,
          [this](double percent) { move_limit(plotted_metric(), percent / 100.0); });
  connect(workers_, &Chart::limit_moved, this,
          [this](double shown) { move_limit("samples_per_s", shown / rate_scale().factor); });
}

void MainWindow::choose_addition() {
  if (!document_) return;
  const std::vector<std::string> lists = open_lists(*document_);
  const std::vector<std::string> sections = open_sections(*document_);
  QStringList names;
  for (const std::string& list : lists) names.append("one more of " + q(place_name(*document_, list)));
  for (const std::string& section : sections) names.append(q(place_name(*document_, section)));
  bool taken = false;
  const QString name =
      QInputDialog::getItem(this, "Add to the scenario",
                            "An element of a list, or a part that it does not have yet:", names, 0, false, &taken);
  const qsizetype found = names.indexOf(name);
  if (!taken || found < 0) return;
  const auto at = static_cast<std::size_t>(found);
  if (at < lists.size())
    add_element(q(lists[at]));
  else
    add_section(q(sections[at - lists.size()]));
}

void MainWindow::zoom(Chart* chart, const std::optional<View>& before, const std::optional<View>& after) {
  undo_.push(new ZoomCommand(*chart, before, after));
}

void MainWindow::show_figures(Chart* chart) {
  if (chart->figures().header.empty()) return;
  FiguresDialog dialog(chart->title(), chart->figures_in_view(), this);
  dialog.exec();
}

void MainWindow::make_scenario_dock() {
  tree_model_ = new ParameterTree(this);
  filter_ = new QSortFilterProxyModel(this);
  filter_->setSourceModel(tree_model_);
  filter_->setRecursiveFilteringEnabled(true);
  filter_->setAutoAcceptChildRows(true);
  filter_->setFilterCaseSensitivity(Qt::CaseInsensitive);
  auto* panel = new QWidget(this);
  auto* layout = new QVBoxLayout(panel);
  layout->setContentsMargins(4, 4, 4, 4);
  search_ = new QLineEdit(panel);
  search_->setPlaceholderText("Search parameters (Ctrl+F)");
  search_->setClearButtonEnabled(true);
  search_->setAccessibleName("Search parameters");
  for (QAbstractButton* clear : search_->findChildren<QAbstractButton*>()) clear->setAccessibleName("Clear the search");
  tree_ = new QTreeView(panel);
  tree_->setModel(filter_);
  tree_->setAlternatingRowColors(true);
  tree_->setUniformRowHeights(true);
  tree_->setAccessibleName("Parameters of the scenario");
  tree_->setContextMenuPolicy(Qt::CustomContextMenu);
  const QFont small = table_letters(tree_->font());
  tree_->setFont(small);
  const QFontMetrics letters(small);
  constexpr double kIndent_letters = 0.75;
  tree_->setIndentation(static_cast<int>(kIndent_letters * letters.height()));
  constexpr int kLeastColumns_letters = 36;  // value and evidence can be read, and most names
  constexpr int kMost_px = 300;              // beside the answer and the other docks in a window of 1280
  panel->setMinimumWidth(std::min(kMost_px, kLeastColumns_letters * letters.averageCharWidth()));
  QHeaderView* heads = tree_->header();
  heads->setStretchLastSection(false);
  heads->setFont(small);
  heads->setMinimumSectionSize(letters.height());
  heads->setSectionResizeMode(ParameterTree::kName, QHeaderView::Stretch);
  constexpr int kBesideText_px = 8;
  heads->resizeSection(ParameterTree::kValue, letters.horizontalAdvance("separate") + kBesideText_px);
  heads->setSectionResizeMode(ParameterTree::kEvidence, QHeaderView::Fixed);
  heads->resizeSection(ParameterTree::kEvidence,
                       letters.horizontalAdvance(evidence_mark("assumed") + " datasheet") + kBesideText_px);
  heads->hideSection(ParameterTree::kOrigin);  // in the tip of each value
  badge_ = new EvidenceBadge(tree_);
  tree_->setItemDelegateForColumn(ParameterTree::kEvidence, badge_);
  layout->addWidget(search_);
  layout->addWidget(tree_);
  auto* marks = new QLabel(evidence_legend(), panel);
  marks->setToolTip("Decided: chosen by whoever builds or runs the cluster, and certain.");
  marks->setFont(small);
  marks->setWordWrap(true);
  QSizePolicy as_high_as_its_lines(QSizePolicy::Ignored, QSizePolicy::Fixed);
  as_high_as_its_lines.setHeightForWidth(true);
  marks->setSizePolicy(as_high_as_its_lines);
  layout->addWidget(marks);
  auto* dock = new QDockWidget("Scenario", this);
  dock->setObjectName("scenario");
  dock->setWidget(panel);
  addDockWidget(Qt::LeftDockWidgetArea, dock);
  constexpr int kUsualWidth_px = 290;
  resizeDocks({dock}, {whole_by_letters(font(), kUsualWidth_px)}, Qt::Horizontal);
  connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
    filter_->setFilterFixedString(text);
    if (!text.isEmpty()) tree_->expandAll();
  });
  connect(tree_model_, &ParameterTree::edited, this,
          [this](const QString& pointer, const QString& value) { set_value(pointer, value, 0); });
  connect(tree_, &QTreeView::customContextMenuRequested, this, &MainWindow::show_tree_menu);
  connect(tree_, &QTreeView::doubleClicked, this, [this](const QModelIndex& index) {
    if (index.column() != ParameterTree::kName) return;
    const QString pointer = index.data(ParameterTree::kPointerRole).toString();
    if (!pointer.isEmpty()) pin(pointer);
  });
}

QString MainWindow::selected_pointer() const {
  return tree_->currentIndex().siblingAtColumn(0).data(ParameterTree::kPathRole).toString();
}

void MainWindow::show_tree_menu(const QPoint& where) {
  const QModelIndex index = tree_->indexAt(where).siblingAtColumn(0);
  const QString path = index.data(ParameterTree::kPathRole).toString();
  const QString pointer = index.data(ParameterTree::kPointerRole).toString();
  if (path.isEmpty()) return;
  QMenu menu;
  if (!pointer.isEmpty()) {
    menu.addAction("Pin as slider", this, [this, pointer] { pin(pointer); });
    menu.addAction("Mark as measured", this, [this, pointer] { mark_measured(pointer); });
    menu.addSeparator();
  }
  for (const std::string& section : document_ ? open_sections(*document_) : std::vector<std::string>{})
    if (section.substr(0, section.rfind('/')) == path.toStdString())
      menu.addAction("Add " + q(place_name(*document_, section)), this, [this, section] { add_section(q(section)); });
  menu.addAction("Add a copy", this, [this, path] { add_like(path); });
  menu.addAction("Remove this", this, [this, path] { remove_element(path); });
  menu.exec(tree_->viewport()->mapToGlobal(where));
}

void MainWindow::make_slider_dock() {
  auto* scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  scroll->setAccessibleName("Pinned parameters");
  auto* sliders = new QWidget(scroll);
  rows_ = new QVBoxLayout(sliders);
  rows_->setContentsMargins(2, 2, 2, 2);
  rows_->setSpacing(4);
  rows_->addStretch(1);
  scroll->setWidget(sliders);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setMinimumWidth(350);
  auto* dock = new QDockWidget("What if", this);
  dock->setObjectName("what-if");
  dock->setWidget(scroll);
  addDockWidget(Qt::RightDockWidgetArea, dock);
  resizeDocks({dock}, {350}, Qt::Horizontal);
}

void MainWindow::make_table_dock() {
  table_ = new FigureTable(this);
  auto* dock = new QDockWidget("Figures", this);
  dock->setObjectName("figures");
  dock->setWidget(table_);
  addDockWidget(Qt::RightDockWidgetArea, dock);
  if (auto* sliders = findChild<QDockWidget*>("what-if")) resizeDocks({sliders, dock}, {460, 440}, Qt::Vertical);
}

void MainWindow::make_history_dock() {
  auto* history = new QUndoView(&undo_, this);
  history->setEmptyLabel("as it was opened");
  history->setAccessibleName("Steps that can be undone");
  auto* dock = new QDockWidget("History", this);
  dock->setObjectName("history");
  dock->setWidget(history);
  addDockWidget(Qt::LeftDockWidgetArea, dock);
  dock->hide();
}

QAction* MainWindow::add_action(QMenu* menu, const QString& text, const QKeySequence& keys,
                                const std::function<void()>& work) {
  QAction* action = menu->addAction(text);
  action->setShortcut(keys);
  connect(action, &QAction::triggered, this, work);
  return action;
}

void MainWindow::make_actions() {
  make_file_menu();
  make_edit_menu();
  make_run_menu();
  panes_ = menuBar()->addMenu("&View");
  QMenu* help = menuBar()->addMenu("&Help");
  add_action(help, "&Keys", QKeySequence("F1"), [this] { show_keys(); });
  add_action(help, "&About Headrace", {}, [this] {
    QMessageBox::about(this, "Headrace",
                       "Headrace: discrete-event simulator and capacity planner for AI training data ingest.");
  });
  fill_recent();
  auto* bar = new QToolBar("Often used", this);  // beside the menus: it takes no line of its own
  bar->setToolButtonStyle(Qt::ToolButtonTextOnly);
  bar->addActions(often_used_);
  menuBar()->setCornerWidget(bar);
}

void MainWindow::make_file_menu() {
  QMenu* file = menuBar()->addMenu("&File");
  add_action(file, "&New from questions ...", QKeySequence::New, [this] { show_wizard(); });
  add_action(file, "&Open ...", QKeySequence::Open, [this] { open_dialog(); });
  add_action(file, "Shipped s&cenarios ...", QKeySequence("Ctrl+G"), [this] { show_gallery(); });
  recent_ = file->addMenu("Open &recent");
  add_action(file, "&Add a site file ...", QKeySequence("Ctrl+L"), [this] { lay_over_dialog(); });
  file->addSeparator();
  add_action(file, "&Save", QKeySequence::Save, [this] { save(); });
  add_action(file, "Save &as ...", QKeySequence("Ctrl+Shift+S"), [this] { save_as(); });
  file->addSeparator();
  QAction* report = add_action(file, "&Write report ...", QKeySequence("Ctrl+R"), [this] { write_report(); });
  report->setIconText("Report");
  often_used_.append(report);
  add_action(file, "Share a &bundle ...", QKeySequence("Ctrl+E"), [this] { share_bundle(); });
  file->addSeparator();
  add_action(file, "&Quit", QKeySequence("Ctrl+Q"), [this] { close(); });
}

void MainWindow::make_edit_menu() {
  QMenu* edit = menuBar()->addMenu("&Edit");
  QAction* undo = undo_.createUndoAction(this, "&Undo");
  undo->setShortcut(QKeySequence::Undo);
  QAction* redo = undo_.createRedoAction(this, "&Redo");
  redo->setShortcut(QKeySequence("Ctrl+Shift+Z"));
  edit->addAction(undo);
  edit->addAction(redo);
  edit->addSeparator();
  add_action(edit, "&Find a parameter", QKeySequence::Find, [this] { search_->setFocus(); });
  add_action(edit, "&Pin the selected parameter", QKeySequence("Ctrl+P"), [this] { pin(selected_pointer()); });
  add_action(edit, "Mark as &measured", QKeySequence("Ctrl+M"), [this] { mark_measured(selected_pointer()); });
  add_action(edit, "&Add a copy of the selected element", QKeySequence("Ctrl+D"),
             [this] { add_like(selected_pointer()); });
  add_action(edit, "Add an e&lement or a part ...", QKeySequence("Ctrl+Shift+D"), [this] { choose_addition(); });
  add_action(edit, "R&emove the selected element", QKeySequence("Ctrl+Del"),
             [this] { remove_element(selected_pointer()); });
  edit->addSeparator();
  add_action(edit, "&Threshold on GPU idle", QKeySequence("Ctrl+T"), [this] { add_slo(); });
  add_action(edit, "&Copy as command line", QKeySequence("Ctrl+Shift+C"), [this] { copy_command(); });
}

void MainWindow::make_run_menu() {
  QMenu* run = menuBar()->addMenu("&Run");
  add_action(run, "&Simulate again", QKeySequence("F5"), [this] {
    if (!document_) return;
    study_.request(std::make_shared<const models::Scenario>(document_->scenario()));
    show_answer();
  });
  add_action(run, "Run &longer", QKeySequence("Shift+F5"), [this] { study_.run_longer(); });
  QAction* stop = add_action(run, "S&top everything", QKeySequence("Esc"), [this] {
    study_.stop();
    sweep_->task().finish_early();  // with the points that it has
    std::vector<BackgroundTask*> tasks = decisions_->tasks();
    for (BackgroundTask* task : {&plan_->task(), &compare_->task(), &inputs_->task(), &measured_->task()})
      tasks.push_back(task);
    for (BackgroundTask* task : tasks) task->stop();
  });
  stop->setIconText("Stop");
  run->addSeparator();
  QAction* baseline = add_action(run, "Pin as &baseline", QKeySequence("Ctrl+B"), [this] { pin_baseline(); });
  baseline->setIconText("Pin as baseline");
  often_used_ = {stop, baseline, often_used_.isEmpty() ? nullptr : often_used_.front()};
  often_used_.removeAll(nullptr);
  add_action(run, "F&orget the baseline", QKeySequence("Ctrl+Shift+B"), [this] {
    compare_->forget_baseline();
    show_answer();
    want_curves();
  });
  add_action(run, "&Compare with the baseline", QKeySequence("F6"), [this] { compare_now(); });
  run->addSeparator();
  add_action(run, "&Plan", QKeySequence("F7"), [this] {
    show_pane("plan");
    plan_->start();
  });
  add_action(run, "S&weep", QKeySequence("F8"), [this] {
    show_pane("sweep");
    sweep_->start();
  });
  add_action(run, "Simulate over the &input ranges", QKeySequence("F9"), [this] {
    show_pane("inputs");
    inputs_->start();
  });
}

void MainWindow::make_pane_menu() {
  for (int i = 0; i < tabs_->count(); ++i)
    add_action(panes_, tabs_->tabText(i), QKeySequence(kPaneKeys[i]), [this, i] { tabs_->setCurrentIndex(i); });
  panes_->addSeparator();
  for (QDockWidget* dock : findChildren<QDockWidget*>()) panes_->addAction(dock->toggleViewAction());
  panes_->addSeparator();
  for (const char* name : {"light", "dark", "system"}) {
    QAction* action = panes_->addAction(QString("Theme: %1").arg(name));
    connect(action, &QAction::triggered, this, [this, name] { set_theme(name); });
  }
  const QByteArray layout = saveState();
  panes_->addSeparator();
  QAction* reset = panes_->addAction("Reset the layout");
  connect(reset, &QAction::triggered, this, [this, layout] { restoreState(layout); });
}

bool MainWindow::show_pane(const QString& name) {
  for (int i = 0; i < tabs_->count(); ++i)
    if (name == kPanes[i]) {
      tabs_->setCurrentIndex(i);
      return true;
    }
  return false;
}

Chart* MainWindow::chart(const QString& title) const {
  const auto found = std::find_if(charts_.begin(), charts_.end(), [&](const Chart* chart) {
    return chart->title() == title || chart->objectName() == title;
  });
  return found == charts_.end() ? nullptr : *found;
}

void MainWindow::complain(const QString& text, bool in_box) {
  complaint_ = text;
  statusBar()->showMessage(text.section('\n', 0, 0));
  if (!in_box || !isVisible()) return;
  QMessageBox box(QMessageBox::Warning, "Headrace", text.section('\n', 0, 0), QMessageBox::Ok, this);
  box.setDetailedText(text);
  box.exec();
}

void MainWindow::complain(const scenarios::Diagnostics& diagnostics) {
  complain(QString::fromStdString(print_text(diagnostics)), true);
}

void MainWindow::update_title() {
  if (!document_) return;
  setWindowTitle(QString::fromStdString(document_->title()) + "[*] - Headrace");
  setWindowModified(is_modified());
}

bool MainWindow::is_modified() const {
  return document_ && (in_no_file_ || document_->edits() != saved_edits_ || document_->layers() != saved_layers_);
}

void MainWindow::mark_saved() {
  saved_edits_ = document_->edits();
  saved_layers_ = document_->layers();
  in_no_file_ = false;
  update_title();
}

void MainWindow::follow_system_theme() {
  system_palette_ = system_palette_now_();
  if (theme_name_ == "system") set_theme(theme_name_);
}

bool MainWindow::event(QEvent* event) {
  if (event->type() == QEvent::ThemeChange) follow_system_theme();
  return QMainWindow::event(event);
}

void MainWindow::hold_charts(bool held) {
  for (Chart* chart : charts_) chart->hold(held);
}

void MainWindow::copy_slide(Chart* chart) {
  const QString source = document_ ? QString::fromStdString(document_->title()) + ", headrace" : QString();
  QApplication::clipboard()->setImage(chart->slide(banner_->verdict(), source));
  statusBar()->showMessage("copied a slide of: " + chart->title());
}

void MainWindow::set_theme(const QString& name) {
  const auto theme = theme_named(name, system_palette_);
  if (!theme) return;
  theme_ = *theme;
  theme_name_ = name;
  QApplication::setPalette(theme_.palette());
  for (Chart* chart : charts_) chart->set_theme(theme_);
  for (const auto& [pointer, slider] : by_pointer_) slider->set_theme(theme_);
  path_->set_theme(theme_);
  badge_->set_theme(theme_);
  banner_->set_theme(theme_);
  next_->set_theme(theme_);
  decisions_->set_theme(theme_);
  sweep_->set_theme(theme_);
  card_->set_theme(theme_);
  if (keeps_settings_) QSettings().setValue("theme", name);
  if (outcome() != nullptr) show_answer();
}

}  // namespace headrace::gui
