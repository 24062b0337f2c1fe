#include "gui/widgets/main_window.hpp"

#include <fmt/format.h>

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QScrollArea>
#include <QSettings>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStandardPaths>
#include <QStatusBar>
#include <QStyle>
#include <QTableWidget>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "gui/presenter/command_text.hpp"
#include "gui/widgets/edit_command.hpp"
#include "gui/widgets/gallery.hpp"
#include "gui/widgets/key_sheet.hpp"
#include "gui/widgets/slider_row.hpp"
#include "reports/html/outcome_page.hpp"
#include "reports/humane.hpp"
#include "reports/outcome_json.hpp"
#include "scenarios/atomic_file.hpp"
#include "scenarios/units.hpp"

namespace headrace::gui {
namespace {

constexpr int kCurvePoints = 25;
constexpr int kCurvesAfter_ms = 30;
constexpr int kMostRecent = 8;

QString q(const std::string& text) { return QString::fromStdString(text); }

/// What is pinned when a scenario opens, as far as it has them.
constexpr const char* kPinned[] = {"/jobs/0/loader/workers",       "/jobs/0/loader/prefetch",
                                   "/stores/0/bandwidth",          "/cluster/pools/0/nic/bandwidth",
                                   "/cluster/pools/0/cache/bytes", "/jobs/0/step/step_time",
                                   "/cluster/pools/0/nodes"};

double shown_factor(const ParameterValue& parameter) {
  return parameter.unit == models::Unit::bytes_per_second || parameter.unit == models::Unit::bytes ? 1e-9 : 1.0;
}

std::string axis_title(const ParameterValue& parameter) {
  const auto tokens = scenarios::pointer_tokens(parameter.pointer).value_or(std::vector<std::string>{});
  std::string name = tokens.empty() ? parameter.pointer : tokens.back();
  std::replace(name.begin(), name.end(), '_', ' ');
  if (tokens.size() > 1 && tokens[tokens.size() - 2].find_first_not_of("0123456789") != std::string::npos)
    name = tokens[tokens.size() - 2] + " " + name;
  if (parameter.unit == models::Unit::bytes_per_second) return name + ", GB/s";
  if (parameter.unit == models::Unit::bytes) return name + ", GB";
  return parameter.facts.unit.empty() ? name : name + ", " + parameter.facts.unit;
}

void scale_x(Curve& curve, double factor) {
  for (double& x : curve.x) x *= factor;
}

void scale_y(Curve& curve, double factor) {
  for (double& y : curve.y) y *= factor;
}

Point point_at(double x, const models::Metric& metric, double factor) {
  const models::Interval interval = metric.ci95.value_or(models::Interval{metric.mean, metric.mean});
  return {x, metric.mean * factor, interval.low * factor, interval.high * factor};
}

QLabel* make_label(QWidget* parent, const char* accessible) {
  auto* label = new QLabel(parent);
  label->setWordWrap(true);
  label->setAccessibleName(accessible);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

QString autosave_path() {
  return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + "/autosave.headrace.json";
}

}  // namespace

MainWindow::MainWindow(bool settings, QWidget* parent)
    : QMainWindow(parent), system_palette_(QApplication::palette()), keeps_settings_(settings) {
  setObjectName("main");
  setAcceptDrops(true);
  resize(1400, 900);
  setDockNestingEnabled(true);
  setCentralWidget(make_centre());
  make_docks();
  make_actions();
  make_pane_menu();
  curves_.setSingleShot(true);
  curves_.setInterval(kCurvesAfter_ms);
  connect(&curves_, &QTimer::timeout, this, &MainWindow::show_curves);
  connect(&study_, &LiveStudy::answered, this, &MainWindow::take);
  connect(&study_, &LiveStudy::started, this, [this] { statusBar()->showMessage("simulating ..."); });
  connect(&study_, &LiveStudy::stopped, this, [this] { statusBar()->showMessage("stopped"); });
  connect(&undo_, &QUndoStack::cleanChanged, this, &MainWindow::update_title);
  QString theme = "system";
  if (keeps_settings_) {
    const QSettings kept;
    theme = kept.value("theme", theme).toString();
    restoreGeometry(kept.value("geometry").toByteArray());
    restoreState(kept.value("state").toByteArray());
  }
  set_theme(theme);
}

MainWindow::~MainWindow() { undo_.disconnect(this); }

QWidget* MainWindow::make_centre() {
  auto* scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  auto* page = new QWidget(scroll);
  auto* layout = new QVBoxLayout(page);
  layout->setSpacing(6);
  verdict_ = make_label(page, "Verdict");
  QFont large = verdict_->font();
  large.setPointSizeF(large.pointSizeF() * 1.5);
  large.setBold(true);
  verdict_->setFont(large);
  meaning_ = make_label(page, "What it means");
  sure_ = make_label(page, "How sure");
  warning_ = make_label(page, "Warnings");
  path_ = new PathPicture(page);
  states_ = new Chart("Where the GPU time goes", page);
  sensitivity_ = new Chart("GPU idle over the dragged parameter", page);
  workers_ = new Chart("Throughput over workers", page);
  cost_ = new Chart("Cost of an epoch", page);
  blame_ = new Chart("What the GPUs wait for", page);
  loads_ = new Chart("Load of each station", page);
  charts_ = {states_, sensitivity_, workers_, cost_, blame_, loads_};
  states_->setMinimumHeight(150);
  auto* grid = new QGridLayout;
  grid->setSpacing(6);
  grid->addWidget(states_, 0, 0);
  grid->addWidget(blame_, 0, 1);
  grid->addWidget(sensitivity_, 1, 0);
  grid->addWidget(workers_, 1, 1);
  grid->addWidget(loads_, 2, 0);
  grid->addWidget(cost_, 2, 1);
  grid->setColumnStretch(0, 1);
  grid->setColumnStretch(1, 1);
  layout->addWidget(verdict_);
  layout->addWidget(meaning_);
  layout->addWidget(sure_);
  layout->addWidget(warning_);
  layout->addWidget(path_);
  layout->addLayout(grid, 1);
  for (Chart* chart : charts_)
    connect(chart, &Chart::menu_wanted, this, [this, chart](const QPoint& where) {
      QMenu menu;
      menu.addAction("Save this chart as PNG, SVG or CSV ...", this, [this, chart] { export_chart(chart); });
      menu.addAction("Copy its figures", this, [chart] { QApplication::clipboard()->setText(chart->csv()); });
      menu.exec(where);
    });
  scroll->setWidget(page);
  return scroll;
}

void MainWindow::make_docks() {
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
  tree_->header()->setStretchLastSection(true);
  tree_->header()->resizeSection(0, 190);
  layout->addWidget(search_);
  layout->addWidget(tree_);
  auto* dock = new QDockWidget("Scenario", this);
  dock->setObjectName("scenario");
  dock->setWidget(panel);
  addDockWidget(Qt::LeftDockWidgetArea, dock);
  connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
    filter_->setFilterFixedString(text);
    if (!text.isEmpty()) tree_->expandAll();
  });
  connect(tree_model_, &ParameterTree::edited, this,
          [this](const QString& pointer, const QString& value) { set_value(pointer, value, 0); });
  const auto pin_at = [this](const QModelIndex& index) {
    const QString pointer = index.siblingAtColumn(0).data(ParameterTree::kPointerRole).toString();
    if (!pointer.isEmpty()) pin(pointer);
  };
  connect(tree_, &QTreeView::customContextMenuRequested, this, [this, pin_at](const QPoint& where) {
    const QModelIndex index = tree_->indexAt(where);
    if (index.siblingAtColumn(0).data(ParameterTree::kPointerRole).toString().isEmpty()) return;
    QMenu menu;
    menu.addAction("Pin as slider", this, [pin_at, index] { pin_at(index); });
    menu.exec(tree_->viewport()->mapToGlobal(where));
  });
  connect(tree_, &QTreeView::doubleClicked, this, [pin_at](const QModelIndex& index) {
    if (index.column() == ParameterTree::kName) pin_at(index);
  });

  auto* scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  scroll->setAccessibleName("Pinned parameters");
  auto* sliders = new QWidget(scroll);
  rows_ = new QVBoxLayout(sliders);
  rows_->setContentsMargins(2, 2, 2, 2);
  rows_->setSpacing(4);
  rows_->addStretch(1);
  scroll->setWidget(sliders);
  scroll->setMinimumWidth(300);
  auto* slider_dock = new QDockWidget("What if", this);
  slider_dock->setObjectName("what-if");
  slider_dock->setWidget(scroll);
  addDockWidget(Qt::RightDockWidgetArea, slider_dock);

  table_ = new QTableWidget(this);
  table_->setObjectName("figures-table");
  table_->setColumnCount(5);
  table_->setHorizontalHeaderLabels({"Figure", "Value", "95 % interval", "Baseline", "Change"});
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + 6);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setAlternatingRowColors(true);
  table_->setAccessibleName("Key figures");
  table_->horizontalHeader()->setStretchLastSection(true);
  auto* table_dock = new QDockWidget("Figures", this);
  table_dock->setObjectName("figures");
  table_dock->setWidget(table_);
  addDockWidget(Qt::RightDockWidgetArea, table_dock);
  resizeDocks({dock, slider_dock}, {330, 390}, Qt::Horizontal);
  resizeDocks({slider_dock, table_dock}, {430, 430}, Qt::Vertical);
}

void MainWindow::make_actions() {
  const auto add = [this](QMenu* menu, const QString& text, const QKeySequence& keys, auto&& work) {
    QAction* action = menu->addAction(text);
    action->setShortcut(keys);
    connect(action, &QAction::triggered, this, work);
    return action;
  };
  QMenu* file = menuBar()->addMenu("&File");
  add(file, "&Open ...", QKeySequence::Open, [this] { open_dialog(); });
  add(file, "Shipped &scenarios ...", QKeySequence("Ctrl+G"), [this] { show_gallery(); });
  recent_ = file->addMenu("Open &recent");
  add(file, "&Save", QKeySequence::Save, [this] { save(); });
  add(file, "Save &as ...", QKeySequence("Ctrl+Shift+S"), [this] { save_as(); });
  file->addSeparator();
  add(file, "Write &report ...", QKeySequence("Ctrl+R"), [this] { write_report(); });
  file->addSeparator();
  add(file, "&Quit", QKeySequence("Ctrl+Q"), [this] { close(); });
  QMenu* edit = menuBar()->addMenu("&Edit");
  QAction* undo = undo_.createUndoAction(this, "&Undo");
  undo->setShortcut(QKeySequence::Undo);
  edit->addAction(undo);
  QAction* redo = undo_.createRedoAction(this, "&Redo");
  redo->setShortcut(QKeySequence("Ctrl+Shift+Z"));
  edit->addAction(redo);
  add(edit, "&Find a parameter", QKeySequence::Find, [this] { search_->setFocus(); });
  add(edit, "&Copy as command line", QKeySequence("Ctrl+Shift+C"), [this] { copy_command(); });
  QMenu* run = menuBar()->addMenu("&Run");
  add(run, "&Simulate again", QKeySequence("F5"), [this] {
    if (document_) study_.request(std::make_shared<const models::Scenario>(document_->scenario()));
  });
  add(run, "S&top", QKeySequence("Esc"), [this] { study_.stop(); });
  add(run, "Pin as &baseline", QKeySequence("Ctrl+B"), [this] { pin_baseline(); });
  add(run, "F&orget the baseline", QKeySequence("Ctrl+Shift+B"), [this] {
    baseline_.reset();
    show_answer();
  });
  panes_ = menuBar()->addMenu("&View");
  QMenu* help = menuBar()->addMenu("&Help");
  add(help, "&Keys", QKeySequence("F1"), [this] { show_keys(); });
  add(help, "&About Headrace", {}, [this] {
    QMessageBox::about(this, "Headrace",
                       "Headrace: discrete-event simulator and capacity planner for AI training data ingest.");
  });
  fill_recent();
}

void MainWindow::make_pane_menu() {
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

bool MainWindow::open(const QString& path_or_name) {
  auto document = ScenarioDocument::open(path_or_name.toStdString());
  if (!document) {
    complain(q(print_text(document.error())), true);
    return false;
  }
  complaint_.clear();
  undo_.clear();
  baseline_.reset();
  adopt(std::move(*document), true);
  remember(path_or_name);
  return true;
}

void MainWindow::adopt(ScenarioDocument document, bool fresh) {
  document_ = std::move(document);
  simulated_.reset();
  tree_model_->show(parameter_sheet(*document_));
  if (fresh) {
    tree_->expandToDepth(0);
    pin_defaults();
  }
  refresh_rows();
  ClosedForm answer = closed_form(*document_);
  bound_ = std::move(answer.outcome);
  if (!bound_) complain(q(answer.error), false);
  show_answer();
  curves_.start();
  study_.request(std::make_shared<const models::Scenario>(document_->scenario()));
  update_title();
  autosave();
}

bool MainWindow::set_value(const QString& pointer, const QString& value, int drag) {
  if (!document_) return false;
  SliderRow* changed = row(pointer);
  auto edited = document_->with(pointer.toStdString(), value.toStdString());
  if (!edited) {
    const auto all = edited.error().sorted();
    QString text = all.empty() ? QString("refused") : q(all.front().message);
    if (!all.empty() && !all.front().help.empty()) text += " (" + q(all.front().help) + ")";
    if (changed != nullptr) changed->complain(text);
    complain(text, false);
    return false;
  }
  if (changed != nullptr) changed->complain({});
  complaint_.clear();
  plotted_ = pointer;
  undo_.push(new EditCommand(*this, *document_, std::move(*edited), pointer, drag));
  return true;
}

const models::Outcome* MainWindow::outcome() const {
  if (simulated_) return simulated_.get();
  return bound_ ? &*bound_ : nullptr;
}

void MainWindow::show_answer() {
  const models::Outcome* answer = outcome();
  if (answer == nullptr) return;
  const Dashboard board = dashboard(*answer, baseline_ ? &*baseline_ : nullptr);
  const QColor colour = board.mood == Dashboard::Mood::good  ? theme_.good
                        : board.mood == Dashboard::Mood::bad ? theme_.bad
                                                             : theme_.unsure;
  verdict_->setText(q(board.verdict));
  QPalette palette = verdict_->palette();
  palette.setColor(QPalette::WindowText, colour);
  verdict_->setPalette(palette);
  meaning_->setText(q(board.meaning));
  sure_->setText(q(board.how_sure));
  QString warnings;
  if (simulated_ && bound_) warnings = q(disagreement(*bound_, *simulated_));
  for (const std::string& text : board.warnings) warnings += (warnings.isEmpty() ? "" : "\n") + q(text);
  warning_->setText(warnings);
  warning_->setVisible(!warnings.isEmpty());
  path_->show(*answer);
  states_->show_stack(board.gpu_states);
  if (board.blame.empty())
    blame_->show_nothing("The GPUs wait for nothing.");
  else
    blame_->show_bars(board.blame, "%", false);
  loads_->show_bars(board.stations, "%", true);
  if (board.cost.empty())
    cost_->show_nothing("The scenario states no prices.");
  else
    cost_->show_bars(board.cost, "USD", false);
  show_table();
}

void MainWindow::show_table() {
  const Dashboard board = dashboard(*outcome(), baseline_ ? &*baseline_ : nullptr);
  table_->setRowCount(static_cast<int>(board.metrics.size()));
  for (int i = 0; i < table_->rowCount(); ++i) {
    const MetricRow& row = board.metrics[static_cast<std::size_t>(i)];
    const std::string* cells[] = {&row.name, &row.value, &row.interval, &row.baseline, &row.change};
    for (int column = 0; column < 5; ++column) {
      auto* item = new QTableWidgetItem(q(*cells[column]));
      if (column > 0) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      table_->setItem(i, column, item);
    }
  }
  table_->resizeColumnsToContents();
  table_->setColumnHidden(3, !baseline_);
  table_->setColumnHidden(4, !baseline_);
}

void MainWindow::show_curves() {
  if (!document_) return;
  show_sensitivity();
  show_throughput();
}

void MainWindow::show_sensitivity() {
  const ParameterValue* parameter = tree_model_->find(plotted_.toStdString());
  if (parameter != nullptr && parameter->can_slide()) {
    const double factor = shown_factor(*parameter);
    LineChart chart;
    chart.x_title = axis_title(*parameter);
    chart.y_title = "GPU idle, %";
    chart.log_x = parameter->facts.log_scale;
    Curve curve = bound_curve(*document_, *parameter, "gpu_idle_fraction", kCurvePoints);
    scale_x(curve, factor);
    scale_y(curve, 100.0);
    chart.lines.push_back({"closed form", curve.x, curve.y, false});
    const auto now = number_of(*parameter, parameter->value);
    if (now) chart.mark_x = *now * factor;
    const models::Metric* idle = simulated_ ? simulated_->find("gpu_idle_fraction") : nullptr;
    if (now && idle != nullptr) chart.point = point_at(*now * factor, *idle, 100.0);
    sensitivity_->show_lines(chart);
  } else {
    sensitivity_->show_nothing("Move a slider to see what it does.");
  }
}

void MainWindow::show_throughput() {
  const ParameterValue* workers = tree_model_->find("/jobs/0/loader/workers");
  if (workers == nullptr || !workers->can_slide()) {
    workers_->show_nothing("This loader has no workers to count.");
    return;
  }
  LineChart chart;
  chart.x_title = "workers of one loader";
  const models::Metric* now = outcome() == nullptr ? nullptr : outcome()->find("samples_per_s");
  const reports::Scale scale = reports::humane_scale(now == nullptr ? 1.0 : now->mean, "1/s");
  chart.y_title = "samples, " + scale.unit;
  chart.mark_x = number_of(*workers, workers->value);
  Curve curve = bound_curve(*document_, *workers, "samples_per_s", kCurvePoints);
  scale_y(curve, scale.factor);
  chart.lines.push_back({"closed form", curve.x, curve.y, false});
  const models::Metric* rate = simulated_ ? simulated_->find("samples_per_s") : nullptr;
  if (rate != nullptr && chart.mark_x) chart.point = point_at(*chart.mark_x, *rate, scale.factor);
  workers_->show_lines(chart);
}

void MainWindow::take(const StudyAnswer& answer) {
  if (!answer.outcome) {
    complain(q(answer.error), false);
    return;
  }
  simulated_ = answer.outcome;
  statusBar()->showMessage(answer.last ? "simulated" : "simulating: a first interval, narrowing ...");
  show_answer();
  curves_.start();
}

SliderRow* MainWindow::row(const QString& pointer) const {
  const auto found = by_pointer_.find(pointer);
  return found == by_pointer_.end() ? nullptr : found->second;
}

Chart* MainWindow::chart(const QString& title) const {
  const auto found =
      std::find_if(charts_.begin(), charts_.end(), [&](const Chart* chart) { return chart->title() == title; });
  return found == charts_.end() ? nullptr : *found;
}

void MainWindow::pin(const QString& pointer) {
  const ParameterValue* parameter = tree_model_->find(pointer.toStdString());
  if (parameter == nullptr || row(pointer) != nullptr) return;
  if (!parameter->can_slide()) {
    complain("only a number with a plausible range becomes a slider: edit it in the tree", false);
    return;
  }
  auto* slider = new SliderRow(*parameter);
  connect(slider, &SliderRow::changed, this, &MainWindow::set_value);
  connect(slider, &SliderRow::unpinned, this, &MainWindow::unpin);
  connect(slider, &SliderRow::taken, this, [this, pointer] {
    if (plotted_ == pointer) return;
    plotted_ = pointer;
    curves_.start();
  });
  rows_->insertWidget(rows_->count() - 1, slider);
  by_pointer_[pointer] = slider;
}

void MainWindow::unpin(const QString& pointer) {
  SliderRow* slider = row(pointer);
  if (slider == nullptr) return;
  by_pointer_.erase(pointer);
  slider->deleteLater();
}

void MainWindow::pin_defaults() {
  while (!by_pointer_.empty()) unpin(by_pointer_.begin()->first);
  plotted_.clear();
  for (const char* pointer : kPinned) {
    const ParameterValue* parameter = tree_model_->find(pointer);
    if (parameter == nullptr || !parameter->can_slide()) continue;
    pin(pointer);
    if (plotted_.isEmpty()) plotted_ = pointer;
  }
}

void MainWindow::refresh_rows() {
  for (const auto& [pointer, slider] : by_pointer_)
    if (const ParameterValue* parameter = tree_model_->find(pointer.toStdString())) slider->show(*parameter);
}

void MainWindow::pin_baseline() {
  if (outcome() == nullptr) return;
  baseline_ = *outcome();
  show_answer();
  statusBar()->showMessage("baseline pinned: the table shows changes against it");
}

void MainWindow::complain(const QString& text, bool in_box) {
  complaint_ = text;
  statusBar()->showMessage(text.section('\n', 0, 0));
  if (!in_box || !isVisible()) return;
  QMessageBox box(QMessageBox::Warning, "Headrace", text.section('\n', 0, 0), QMessageBox::Ok, this);
  box.setDetailedText(text);
  box.exec();
}

void MainWindow::open_dialog() {
  if (!may_discard()) return;
  const QString path = QFileDialog::getOpenFileName(this, "Open a scenario", {}, "Scenarios (*.json);;All files (*)");
  if (!path.isEmpty()) open(path);
}

bool MainWindow::save_to(const QString& path) {
  if (!document_) return false;
  const auto written = scenarios::write_atomically(path.toStdString(), document_->text());
  if (!written) {
    complain(q(print_text(written.error())), true);
    return false;
  }
  auto saved = ScenarioDocument::open(path.toStdString());
  if (!saved) {
    complain(q(print_text(saved.error())), true);
    return false;
  }
  undo_.setClean();
  remember(path);
  update_title();
  statusBar()->showMessage("saved " + path);
  return true;
}

void MainWindow::save() {
  if (!document_) return;
  if (document_->is_shipped())
    save_as();
  else
    save_to(q(document_->path()));
}

void MainWindow::save_as() {
  const QString path =
      QFileDialog::getSaveFileName(this, "Save the scenario", {}, "Headrace scenarios (*.headrace.json *.json)");
  if (!path.isEmpty() && save_to(path)) open(path);
}

void MainWindow::write_report() {
  if (!document_ || outcome() == nullptr) return;
  const QString path = QFileDialog::getSaveFileName(this, "Write a report", "report.html", "HTML (*.html)");
  if (path.isEmpty()) return;
  models::Outcome answer = *outcome();
  answer.scenario_sha256 = document_->loaded().sha256;
  reports::OutcomePageFacts facts;
  facts.title = document_->title();
  facts.command = command_text(*document_);
  facts.origin_of = [this](const std::string& pointer) { return document_->loaded().origin_of(pointer).print(); };
  const auto json =
      reports::outcome_json(answer, {document_->loaded().resolved, document_->loaded().composition.catalogue_version});
  const auto written = scenarios::write_atomically(path.toStdString(), reports::outcome_page(json, facts));
  if (!written) return complain(q(print_text(written.error())), true);
  statusBar()->showMessage("wrote " + path);
}

void MainWindow::copy_command() {
  if (!document_) return;
  QApplication::clipboard()->setText(q(command_text(*document_)));
  statusBar()->showMessage("copied: " + q(command_text(*document_)));
}

void MainWindow::export_chart(Chart* chart) {
  const QString path = QFileDialog::getSaveFileName(this, "Save the chart", chart->title() + ".png",
                                                    "PNG (*.png);;SVG (*.svg);;CSV (*.csv)");
  QString error;
  if (!path.isEmpty() && !chart->save(path, error)) complain(error, true);
}

void MainWindow::show_gallery() {
  if (!may_discard()) return;
  const QString name = choose_shipped(this);
  if (!name.isEmpty()) open(name);
}

void MainWindow::show_keys() { show_key_sheet(this); }

bool MainWindow::may_discard() {
  if (undo_.isClean()) return true;
  const auto answer = QMessageBox::question(this, "Headrace", "The scenario has changes that are not saved.",
                                            QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
  if (answer == QMessageBox::Save) save();
  return answer == QMessageBox::Discard || (answer == QMessageBox::Save && undo_.isClean());
}

void MainWindow::autosave() const {
  if (!keeps_settings_ || !document_ || document_->edits().empty()) return;
  const QString path = autosave_path();
  QDir().mkpath(QFileInfo(path).path());
  static_cast<void>(scenarios::write_atomically(path.toStdString(), document_->text()));  // a convenience: no complaint
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

void MainWindow::update_title() {
  if (!document_) return;
  setWindowTitle(q(document_->title()) + "[*] - Headrace");
  setWindowModified(!undo_.isClean());
}

void MainWindow::set_theme(const QString& name) {
  const auto theme = theme_named(name, system_palette_);
  if (!theme) return;
  theme_ = *theme;
  theme_name_ = name;
  QApplication::setPalette(theme_.palette());
  for (Chart* chart : charts_) chart->set_theme(theme_);
  path_->set_theme(theme_);
  QPalette faint = sure_->palette();
  faint.setColor(QPalette::WindowText, theme_.faint);
  sure_->setPalette(faint);
  QPalette unsure = warning_->palette();
  unsure.setColor(QPalette::WindowText, theme_.unsure);
  warning_->setPalette(unsure);
  if (keeps_settings_) QSettings().setValue("theme", name);
  if (outcome() != nullptr) show_answer();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (isVisible() && keeps_settings_ && !may_discard()) {
    event->ignore();
    return;
  }
  study_.stop();
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
