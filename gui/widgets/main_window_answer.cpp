// What the window shows of the present document, and the edits that make it another one.
#include <QLabel>
#include <QStatusBar>
#include <QTabWidget>
#include <QTableWidget>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "gui/presenter/slo_lines.hpp"
#include "gui/presenter/structure_edits.hpp"
#include "gui/widgets/compare_pane.hpp"
#include "gui/widgets/edit_command.hpp"
#include "gui/widgets/inputs_pane.hpp"
#include "gui/widgets/main_window.hpp"
#include "gui/widgets/maps_pane.hpp"
#include "gui/widgets/measured_pane.hpp"
#include "gui/widgets/plan_pane.hpp"
#include "gui/widgets/qt_text.hpp"
#include "gui/widgets/slider_row.hpp"
#include "gui/widgets/sweep_pane.hpp"
#include "reports/humane.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::gui {
namespace {

constexpr int kCurvePoints = 25;
constexpr int kBandPoints = 9;

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
  if (tokens.size() > 1 && tokens[tokens.size() - 2].find_first_not_of("0123456789") != std::string::npos &&
      !name.starts_with(tokens[tokens.size() - 2]))
    name = tokens[tokens.size() - 2] + " " + name;
  if (parameter.unit == models::Unit::bytes_per_second) return name + ", GB/s";
  if (parameter.unit == models::Unit::bytes) return name + ", GB";
  return parameter.facts.unit.empty() ? name : name + ", " + parameter.facts.unit;
}

std::vector<double> scaled(std::vector<double> values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

Point point_at(double x, const models::Metric& metric, double factor) {
  const models::Interval interval = metric.ci95.value_or(models::Interval{metric.mean, metric.mean});
  return {x, metric.mean * factor, interval.low * factor, interval.high * factor};
}

std::optional<Point> range_at(double x, const models::Metric& metric, double factor) {
  if (!metric.input_range) return std::nullopt;
  return Point{x, metric.mean * factor, metric.input_range->low * factor, metric.input_range->high * factor};
}

Limit limit_of(const models::Threshold& slo, double factor) {
  return {reports::spoken_name(slo.metric) + " " + slo.condition, slo.limit * factor};
}

}  // namespace

void MainWindow::adopt(ScenarioDocument document, bool fresh) {
  document_ = std::move(document);
  simulated_.reset();
  ranges_.reset();
  inputs_->task().stop();
  const std::vector<ParameterValue> sheet = parameter_sheet(*document_);
  tree_model_->show(sheet);
  if (fresh) {
    tree_->expandToDepth(0);
    pin_defaults();
    plan_->reset(*document_);
    std::vector<ParameterValue> offered;
    for (const char* pointer : kPinned)
      if (row(pointer) != nullptr) offered.push_back(*tree_model_->find(pointer));
    for (const ParameterValue& value : sheet)
      if (value.can_slide() && row(q(value.pointer)) == nullptr) offered.push_back(value);
    sweep_->offer(offered);
  }
  refresh_rows();
  ClosedForm answer = closed_form(*document_);
  bound_ = std::move(answer.outcome);
  if (!bound_) complain(q(answer.error), false);
  show_answer();
  compare_->show_present(*document_);
  measured_->show_document(*document_);
  plan_->show_document(*document_);
  maps_->show_document(*document_, sheet);
  want_curves();
  want_ranges();
  study_.request(std::make_shared<const models::Scenario>(document_->scenario()));
  update_title();
  autosave_.start();
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
  const ParameterValue* parameter = tree_model_->find(pointer.toStdString());
  if (parameter != nullptr && parameter->can_slide()) plotted_ = pointer;
  undo_.push(new EditCommand(*this, *document_, std::move(*edited), pointer, drag));
  return true;
}

bool MainWindow::apply(const std::vector<Edit>& edits, const QString& what) {
  if (!document_) return false;
  std::vector<Edit> changed;
  for (const Edit& edit : edits)
    if (document_->value_at(edit.pointer) != edit.value) changed.push_back(edit);
  if (changed.empty()) {
    statusBar()->showMessage("the scenario already has this value: " + what);
    return true;
  }
  auto edited = document_->with(changed);
  if (!edited) {
    complain(edited.error());
    return false;
  }
  complaint_.clear();
  undo_.push(new EditCommand(*this, *document_, std::move(*edited), what, 0));
  statusBar()->showMessage("loaded: " + what);
  return true;
}

bool MainWindow::add_like(const QString& pointer) {
  if (document_ && document_->value_at(pointer.toStdString()) == "[]") return add_element(pointer);
  const auto place = document_ ? list_of(*document_, pointer.toStdString()) : std::nullopt;
  const auto edit = place ? one_more(*document_, *place) : std::nullopt;
  if (!edit) {
    complain("select an element of a list first: a pool, store, dataset, job or tier", false);
    return false;
  }
  return apply({*edit}, "added one to " + q(place->list));
}

bool MainWindow::add_element(const QString& list) {
  const auto edit = document_ ? added_element(*document_, list.toStdString()) : std::nullopt;
  if (!edit) {
    complain("no element of " + list + " is known that this scenario accepts: write one into the file", false);
    return false;
  }
  return apply({*edit}, "an element of " + list);
}

bool MainWindow::remove_element(const QString& pointer) {
  const auto place = document_ ? list_of(*document_, pointer.toStdString()) : std::nullopt;
  const auto edit = place ? one_less(*document_, *place) : std::nullopt;
  if (!edit) {
    complain("select an element of a list first: a pool, store, dataset, job or tier", false);
    return false;
  }
  return apply({*edit}, "removed one from " + q(place->list));
}

bool MainWindow::mark_measured(const QString& pointer) {
  if (!document_) return false;
  auto marked = marked_measured(*document_, pointer.toStdString());
  if (!marked) {
    complain(marked.error());
    return false;
  }
  undo_.push(new EditCommand(*this, *document_, std::move(*marked), "measured: " + pointer, 0));
  return true;
}

const models::Outcome* MainWindow::outcome() const {
  if (simulated_) return simulated_.get();
  return bound_ ? &*bound_ : nullptr;
}

void MainWindow::show_answer() {
  const models::Outcome* answer = outcome();
  if (answer == nullptr) return;
  const Dashboard board = dashboard(*answer, nullptr);
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
  std::vector<Share> states;
  for (const Share& state : board.gpu_states)  // computing and waiting always, the rest where it takes time
    if (state.value > 0.0 || states.size() < 3) {
      states.push_back(state);
      constexpr std::string_view kIngest = "ingest ";  // what else does a GPU wait for
      if (state.name.starts_with(kIngest)) states.back().name = state.name.substr(kIngest.size());
    }
  states_->show_waterfall(states);
  if (board.blame.empty())
    blame_->show_nothing("The GPUs do not wait.");
  else
    blame_->show_bars(board.blame, "%", false);
  loads_->show_bars(board.stations, "%", true);
  if (board.cost.empty())
    cost_->show_nothing("The scenario states no prices.");
  else
    cost_->show_bars(board.cost, "USD", false);
  show_slo();
  show_table();
}

void MainWindow::show_slo() {
  QStringList lines;
  for (const SloRow& row : judged(*document_, *outcome())) {
    const auto ruling = models::kRulingNames[static_cast<std::size_t>(row.ruling)];
    lines.append(QString("%1: %2%3")
                     .arg(q(row.text), QString::fromUtf8(ruling.data(), qsizetype(ruling.size())),
                          row.value.empty() ? QString() : " (" + q(row.value) + ")"));
  }
  slo_->setText("Thresholds: " + lines.join("; "));
  slo_->setVisible(!lines.isEmpty());
}

void MainWindow::show_table() {
  const KeptRun* baseline = compare_->baseline();
  const Dashboard board =
      dashboard(*outcome(), baseline == nullptr ? nullptr : &baseline->outcome, ranges_ ? ranges_.get() : nullptr);
  table_->setRowCount(static_cast<int>(board.metrics.size()));
  bool ranged = false;
  for (int i = 0; i < table_->rowCount(); ++i) {
    const MetricRow& row = board.metrics[static_cast<std::size_t>(i)];
    const std::string* cells[] = {&row.name, &row.value, &row.interval, &row.inputs, &row.baseline, &row.change};
    ranged = ranged || !row.inputs.empty();
    for (int column = 0; column < table_->columnCount(); ++column) {
      QTableWidgetItem* item = table_->item(i, column);
      if (item == nullptr) {
        item = new QTableWidgetItem;
        if (column > 0) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        table_->setItem(i, column, item);
      }
      item->setText(q(*cells[column]));
      item->setToolTip(q(row.meaning));
      item->setStatusTip(q(row.meaning).replace('\n', ' '));
    }
  }
  table_->setColumnHidden(3, !ranged);
  table_->setColumnHidden(4, baseline == nullptr);
  table_->setColumnHidden(5, baseline == nullptr);
  table_->resizeColumnsToContents();
}

/// While a slider moves there is always one set of curves on its way, and at most one waits: they follow as fast as
/// they can be computed.
void MainWindow::want_curves() {
  if (curves_task_.is_running())
    curves_stale_ = true;
  else
    compute_curves();
  show_curves();  // the last ones, with the mark where the scenario stands now
}

void MainWindow::compute_curves() {
  curves_stale_ = false;
  if (!document_) return;
  const ParameterValue* plotted = tree_model_->find(plotted_.toStdString());
  const ParameterValue* workers = tree_model_->find("/jobs/0/loader/workers");
  std::optional<ParameterValue> x = plotted != nullptr ? std::optional(*plotted) : std::nullopt;
  std::optional<ParameterValue> n = workers != nullptr ? std::optional(*workers) : std::nullopt;
  std::optional<ScenarioDocument> baseline;
  if (const KeptRun* kept = compare_->baseline()) baseline = kept->document;
  curves_task_.start([this, document = *document_, baseline, x, n](const BackgroundTask::Context& context) {
    auto curves = std::make_shared<Curves>();
    if (x) curves->over = q(x->pointer);
    if (x) curves->idle = bound_curve(document, *x, "gpu_idle_fraction", kCurvePoints, context.stop);
    if (n) curves->throughput = bound_curve(document, *n, "samples_per_s", kCurvePoints, context.stop);
    if (x && baseline)
      curves->idle_before = bound_curve(*baseline, *x, "gpu_idle_fraction", kCurvePoints, context.stop);
    if (n && baseline)
      curves->throughput_before = bound_curve(*baseline, *n, "samples_per_s", kCurvePoints, context.stop);
    return std::function<void()>([this, curves] {
      curves_ = std::move(*curves);
      show_curves();
    });
  });
}

void MainWindow::want_ranges() {
  band_ = {};
  const ParameterValue* plotted = tree_model_->find(plotted_.toStdString());
  std::optional<ParameterValue> x = plotted != nullptr ? std::optional(*plotted) : std::nullopt;
  struct Ranges {
    std::optional<models::Outcome> here;
    Band band;
    std::vector<Swing> swings;
  };
  ranges_task_.start([this, document = *document_, x](const BackgroundTask::Context& context) {
    auto ranges = std::make_shared<Ranges>();
    ranges->here = bound_with_ranges(document);
    if (ranges->here) ranges->swings = swings(document, *ranges->here, "step_time_s", context.stop);
    if (x) ranges->band = input_band(document, *x, "gpu_idle_fraction", kBandPoints, context.stop);
    return std::function<void()>([this, ranges] {
      band_ = std::move(ranges->band);
      if (ranges->here) {
        ranges_ = std::make_shared<const models::Outcome>(std::move(*ranges->here));
        inputs_->show_answer(*ranges_);
        inputs_->show_swings(ranges->swings);
      }
      show_table();
      show_curves();
    });
  });
}

void MainWindow::show_curves() {
  if (!document_) return;
  show_sensitivity();
  show_throughput();
}

void MainWindow::show_sensitivity() {
  const ParameterValue* parameter = tree_model_->find(plotted_.toStdString());
  if (parameter == nullptr || !parameter->can_slide())
    return sensitivity_->show_nothing("Move a slider to see its effect.");
  if (curves_.idle.x.empty() || curves_.over != plotted_) return;  // they are on their way
  constexpr double kPercent = 100.0;
  const double factor = shown_factor(*parameter);
  LineChart chart;
  chart.x_title = axis_title(*parameter);
  chart.y_title = "GPU idle, %";
  chart.log_x = parameter->facts.log_scale;
  chart.lines.push_back({"closed form", scaled(curves_.idle.x, factor), scaled(curves_.idle.y, kPercent), false});
  if (!curves_.idle_before.x.empty())
    chart.lines.push_back({"closed form of the baseline", scaled(curves_.idle_before.x, factor),
                           scaled(curves_.idle_before.y, kPercent), true});
  if (!band_.x.empty())
    chart.areas.push_back(
        {"inputs, p10 to p90", scaled(band_.x, factor), scaled(band_.low, kPercent), scaled(band_.high, kPercent)});
  const auto now = number_of(*parameter, parameter->value);
  if (now) chart.mark_x = *now * factor;
  const models::Metric* idle = simulated_ ? simulated_->find("gpu_idle_fraction") : nullptr;
  if (now && idle != nullptr) {
    chart.point = point_at(*now * factor, *idle, kPercent);
    chart.range = range_at(*now * factor, *idle, kPercent);
  }
  if (const auto slo = slo_on(*document_, "gpu_idle_fraction")) chart.limit = limit_of(*slo, kPercent);
  sensitivity_->show_lines(chart);
}

void MainWindow::show_throughput() {
  const ParameterValue* workers = tree_model_->find("/jobs/0/loader/workers");
  if (workers == nullptr || !workers->can_slide())
    return workers_->show_nothing("This loader has no workers to count.");
  if (curves_.throughput.x.empty()) return;
  LineChart chart;
  chart.x_title = "workers of one loader";
  const models::Metric* now = outcome() == nullptr ? nullptr : outcome()->find("samples_per_s");
  const reports::Scale scale = reports::humane_scale(now == nullptr ? 1.0 : now->mean, "1/s");
  chart.y_title = "samples, " + scale.unit;
  chart.mark_x = number_of(*workers, workers->value);
  chart.lines.push_back({"closed form", curves_.throughput.x, scaled(curves_.throughput.y, scale.factor), false});
  if (!curves_.throughput_before.x.empty())
    chart.lines.push_back({"closed form of the baseline", curves_.throughput_before.x,
                           scaled(curves_.throughput_before.y, scale.factor), true});
  const models::Metric* rate = simulated_ ? simulated_->find("samples_per_s") : nullptr;
  if (rate != nullptr && chart.mark_x) chart.point = point_at(*chart.mark_x, *rate, scale.factor);
  if (const auto slo = slo_on(*document_, "samples_per_s")) chart.limit = limit_of(*slo, scale.factor);
  workers_->show_lines(chart);
}

void MainWindow::move_limit(const std::string& metric, double limit) {
  if (!document_) return;
  const Edit edit = slo_edit(*document_, metric, limit);
  if (document_->value_at(edit.pointer) == edit.value) return show_curves();
  apply({edit}, "threshold " + q(reports::spoken_name(metric)) + " " + q(edit.value));
}

void MainWindow::add_slo() {
  const models::Metric* idle = outcome() == nullptr ? nullptr : outcome()->find("gpu_idle_fraction");
  if (idle == nullptr) return;
  constexpr double kUsual = 0.05;
  if (slo_on(*document_, "gpu_idle_fraction"))
    statusBar()->showMessage("the threshold on GPU idle already exists: drag its line");
  else
    move_limit("gpu_idle_fraction", kUsual);
}

void MainWindow::take(const StudyAnswer& answer) {
  if (!answer.outcome) {
    complain(q(answer.error), false);
    return;
  }
  simulated_ = answer.outcome;
  statusBar()->showMessage(answer.last ? "simulated" : "simulating: a first interval, narrowing ...");
  show_answer();
  show_curves();
}

SliderRow* MainWindow::row(const QString& pointer) const {
  const auto found = by_pointer_.find(pointer);
  return found == by_pointer_.end() ? nullptr : found->second;
}

void MainWindow::pin(const QString& pointer) {
  const ParameterValue* parameter = tree_model_->find(pointer.toStdString());
  if (parameter == nullptr || row(pointer) != nullptr) return;
  if (!parameter->can_slide()) {
    complain("only a number with a plausible range can be a slider: edit this value in the tree", false);
    return;
  }
  auto* slider = new SliderRow(*parameter);
  slider->set_theme(theme_);
  connect(slider, &SliderRow::changed, this, &MainWindow::set_value);
  connect(slider, &SliderRow::unpinned, this, &MainWindow::unpin);
  connect(slider, &SliderRow::taken, this, [this, pointer] {
    if (plotted_ == pointer) return;
    plotted_ = pointer;
    want_curves();
    want_ranges();
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
  curves_task_.stop();
  curves_ = {};
  for (const char* pointer : kPinned) {
    const ParameterValue* parameter = tree_model_->find(pointer);
    if (parameter == nullptr || !parameter->can_slide()) continue;
    pin(pointer);
    if (plotted_.isEmpty()) plotted_ = pointer;
  }
}

/// Sliders of parameters that the scenario no longer has go away.
void MainWindow::refresh_rows() {
  std::vector<QString> gone;
  for (const auto& [pointer, slider] : by_pointer_) {
    const ParameterValue* parameter = tree_model_->find(pointer.toStdString());
    if (parameter != nullptr && parameter->can_slide())
      slider->show(*parameter);
    else
      gone.push_back(pointer);
  }
  for (const QString& pointer : gone) unpin(pointer);
}

void MainWindow::pin_baseline() {
  if (outcome() == nullptr) return;
  compare_->keep({*document_, *outcome()});
  show_answer();
  want_curves();
  statusBar()->showMessage("baseline pinned: the table shows differences from it");
}

void MainWindow::compare_now() {
  if (compare_->baseline() == nullptr) return complain("pin a baseline first (Ctrl+B)", false);
  show_pane("compare");
  compare_->start();
}

}  // namespace headrace::gui
