#include "gui/widgets/sweep_pane.hpp"

#include <fmt/format.h>

#include <QComboBox>
#include <QFileDialog>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "gui/presenter/dashboard.hpp"
#include "gui/presenter/short_name.hpp"
#include "gui/widgets/linked_maps.hpp"
#include "gui/widgets/pane_parts.hpp"
#include "models/outcome/outcome_metrics.hpp"
#include "reports/figure_table.hpp"
#include "reports/humane.hpp"
#include "reports/significant.hpp"
#include "reports/slider_scale.hpp"
#include "scenarios/document/atomic_file.hpp"

namespace headrace::gui {
namespace {

constexpr int kSuggested = 5;
constexpr const char* kMetrics[] = {"gpu_idle_fraction", "goodput_fraction",   "step_time_s",    "samples_per_s",
                                    "epoch_time_s",      "cost_per_epoch_usd", "cache_hit_ratio"};

/// What is left of nothing by rounding is nothing.
double clean(double value, double factor) {
  constexpr double kLeast = 1e-9;
  return std::abs(value) < kLeast ? 0.0 : value * factor;
}

/// In the unit in which the scenario states the present value: one unit for all that are suggested.
QString in_unit_of(const ParameterValue& parameter, double value) {
  const QString stated = QString::fromStdString(parameter.value);
  const QString unit = stated.section(' ', 1);
  const double number = stated.section(' ', 0, 0).toDouble();
  const double now = number_of(parameter, parameter.value).value_or(0.0);
  if (!unit.isEmpty() && number > 0.0 && now > 0.0) {
    constexpr int kDigits = 4;
    const double shown = reports::significant(value * number / now, kDigits);
    const QString text = QString::number(shown, 'g', kDigits + 2) + ' ' + unit;
    if (number_of(parameter, text.toStdString())) return text;
  }
  return QString::fromStdString(spelled(parameter, value));
}

/// Whether the swept parameters move it.
bool varies(const SweepAnswer& answer, const std::string& metric) {
  constexpr double kRounding = 1e-6;
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  for (const SweptPoint& point : answer.points) {
    const double value = clean(point.value(metric), 1.0);
    if (std::isfinite(value)) least = std::min(least, value), most = std::max(most, value);
  }
  return most - least > kRounding * std::max(std::abs(least), std::abs(most)) && least < most;
}

/// One scale for all points of a drawing, by the largest value.
reports::Scale scale_of(const SweepAnswer& answer, const std::string& metric) {
  double most = 0.0;
  for (const SweptPoint& point : answer.points) {
    const double value = point.value(metric);
    if (std::isfinite(value)) most = std::max(most, std::abs(value));
  }
  return reports::humane_scale(most, models::traits_of(metric).unit);
}

}  // namespace

SweepPane::SweepPane(Document document, QWidget* parent) : QWidget(parent), document_(std::move(document)) {
  setAccessibleName("Sweep");
  wishes_ = new QGridLayout;
  wishes_->setColumnStretch(0, 1);
  wishes_->setColumnStretch(1, 2);
  for (int axis = 0; axis < 2; ++axis) add_axis();
  auto* more = new QPushButton("More", this);
  more->setAccessibleName("Sweep another parameter, too");
  more->setToolTip("Another parameter; a row without a name or values is ignored");
  connect(more, &QPushButton::clicked, this, [this] {
    add_axis();
    fill_choices(*parameters_.back(), true);
    parameters_.back()->setFocus();
  });
  level_ = new QComboBox(this);
  for (const std::string_view name : scenarios::kAnswerLevelNames)
    level_->addItem(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())));
  level_->setCurrentIndex(static_cast<int>(scenarios::AnswerLevel::estimate));
  level_->setAccessibleName("How each point is answered");
  metric_ = new QComboBox(this);
  for (const char* metric : kMetrics) metric_->addItem(QString::fromStdString(reports::spoken_name(metric)), metric);
  metric_->setAccessibleName("Figure to draw");
  auto* open = new QPushButton("Space file ...", this);
  open->setToolTip("Sweeps a space from a file instead of the two parameters");
  auto* save = new QPushButton("Save as space ...", this);
  save->setToolTip("Writes the file that headrace sweep reads");
  auto* bar = new TaskBar("Sweep", task_, this, TaskBar::Stop::keeps);
  auto* how = new QHBoxLayout;
  how->addWidget(more);
  how->addWidget(new QLabel("by", this));
  how->addWidget(level_);
  how->addWidget(new QLabel("draw", this));
  how->addWidget(metric_);
  how->addStretch(1);
  auto* files =
      new QHBoxLayout;  // not beside the choices: with large letters that row is wider than a small window has
  files->addWidget(bar, 1);
  files->addWidget(open);
  files->addWidget(save);
  headline_ = make_label(this, "What was swept");
  drawing_ = new QStackedWidget(this);
  drawing_->addWidget(chart_ = new Chart("Sweep", drawing_));
  constexpr int kLeastChart_px = 120;
  chart_->setMinimumHeight(kLeastChart_px);  // a window of 720 pixels shows all of it without scrolling
  drawing_->addWidget(linked_ = new LinkedMaps(drawing_));
  table_ = make_table(this, "Points of the sweep");
  table_->setToolTip("Enter or a double click loads the point");
  auto* across = new QSplitter(Qt::Horizontal, this);
  across->addWidget(drawing_);
  across->addWidget(table_);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(wishes_);
  layout->addLayout(how);
  layout->addLayout(files);
  layout->addWidget(headline_);
  layout->addWidget(across, 1);

  connect(bar, &TaskBar::start_wanted, this, &SweepPane::start);
  connect(metric_, &QComboBox::currentIndexChanged, this, &SweepPane::draw);
  connect(metric_, &QComboBox::activated, this, [this] { metric_is_chosen_ = true; });
  connect(chart_, &Chart::point_chosen, this, &SweepPane::choose);
  connect(linked_, &LinkedMaps::point_chosen, this, &SweepPane::choose);
  connect(table_, &QTableWidget::currentCellChanged, this, [this](int row) {
    if (shows_linked_maps()) linked_->mark(filled_row(*table_, row));
  });
  connect(chart_, &Chart::cell_chosen, this, [this](int column, int row) {
    choose(cells_.at(static_cast<std::size_t>(row)).at(static_cast<std::size_t>(column)));
  });
  connect(table_, &QTableWidget::cellActivated, this, [this](int row, int) { choose(filled_row(*table_, row)); });
  connect(save, &QPushButton::clicked, this, &SweepPane::save_space);
  connect(open, &QPushButton::clicked, this, &SweepPane::open_space);
  reset();
}

void SweepPane::add_axis() {
  const int axis = axes();
  auto* parameter = parameters_.emplace_back(new QComboBox(this));
  parameter->setEditable(true);
  parameter->setAccessibleName(QString("Parameter %1").arg(axis + 1));
  parameter->lineEdit()->setAccessibleName(QString("Parameter %1 as JSON pointer").arg(axis + 1));
  parameter->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  auto* values = values_.emplace_back(new QLineEdit(this));
  values->setAccessibleName(QString("Values of parameter %1").arg(axis + 1));
  values->setPlaceholderText("values with commas: 2, 4, 8");
  wishes_->addWidget(parameter, axis, 0);
  wishes_->addWidget(values, axis, 1);
  connect(parameter, &QComboBox::activated, this, [this, axis] { suggest_values(axis); });
  // What is typed counts from now on, not the space file.
  connect(parameter, &QComboBox::editTextChanged, this, [this] { space_.clear(); });
  connect(values, &QLineEdit::textEdited, this, [this] { space_.clear(); });
}

void SweepPane::reset() {
  task_.stop();
  answer_ = {};
  table_->setRowCount(0);
  metric_is_chosen_ = false;
  headline_->setText("Shows the effect of one or more parameters. You can load every point.");
  drawing_->setCurrentWidget(chart_);
  chart_->show_nothing("Choose parameters and press Sweep.");
}

void SweepPane::offer(const std::vector<ParameterValue>& parameters) {
  offered_ = parameters;
  for (int axis = 0; axis < axes(); ++axis) {
    auto* box = parameters_[static_cast<std::size_t>(axis)];
    const QString held = pointer_of(*box);
    fill_choices(*box, axis > 0);
    const int at = box->findData(held);
    if (!held.isEmpty() && at >= 0) {
      box->setCurrentIndex(at);
      continue;
    }
    box->setCurrentIndex(axis > 1 ? 0 : std::min(axis == 1 ? 2 : 0, box->count() - 1));
    suggest_values(axis);
  }
}

/// Names of parameters for people; the pointers are behind them.
void SweepPane::fill_choices(QComboBox& box, bool may_be_none) const {
  const ScenarioDocument* now = document_();
  box.clear();
  if (may_be_none) box.addItem(QString());
  for (const ParameterValue& parameter : offered_) {
    const QString pointer = QString::fromStdString(parameter.pointer);
    box.addItem(now == nullptr ? pointer : QString::fromStdString(place_name(*now, parameter.pointer)), pointer);
    box.setItemData(box.count() - 1, pointer, Qt::ToolTipRole);
  }
}

/// Of what is chosen or typed.
QString SweepPane::pointer_of(const QComboBox& box) const {
  const QString text = box.currentText().trimmed();
  const int at = box.findText(text);
  return at >= 0 && box.itemData(at).isValid() ? box.itemData(at).toString() : text;
}

void SweepPane::set_axis(int axis, const QString& pointer, const QString& values) {
  while (axis >= axes()) add_axis();
  QComboBox* box = parameters_.at(static_cast<std::size_t>(axis));
  const int at = box->findData(pointer);
  if (at >= 0)
    box->setCurrentIndex(at);
  else
    box->setCurrentText(pointer);
  values_.at(static_cast<std::size_t>(axis))->setText(values);
  space_.clear();
}

void SweepPane::set_level(scenarios::AnswerLevel level) { level_->setCurrentIndex(static_cast<int>(level)); }

void SweepPane::suggest_values(int axis) {
  const std::string pointer = pointer_of(*parameters_.at(static_cast<std::size_t>(axis))).toStdString();
  QStringList values;
  for (const ParameterValue& parameter : offered_) {
    const auto now = number_of(parameter, parameter.value);
    if (parameter.pointer != pointer || !now || !parameter.can_slide()) continue;
    for (const double value : reports::SliderScale(parameter, *now).spread(kSuggested))
      values.append(in_unit_of(parameter, value));
  }
  values_.at(static_cast<std::size_t>(axis))->setText(values.join(", "));
  space_.clear();
}

SweepWish SweepPane::wish() const {
  SweepWish wish;
  wish.level = static_cast<scenarios::AnswerLevel>(level_->currentIndex());
  wish.space = space_.toStdString();
  for (std::size_t axis = 0; axis < parameters_.size(); ++axis) {
    SweepAxis swept{pointer_of(*parameters_[axis]).toStdString(), split_values(values_[axis]->text().toStdString())};
    if (!swept.pointer.empty() && !swept.values.empty()) wish.axes.push_back(std::move(swept));
  }
  return wish;
}

void SweepPane::start() {
  const ScenarioDocument* now = document_();
  if (now == nullptr) return;
  task_.start([this, document = *now, wish = wish()](const BackgroundTask::Context& context) -> std::function<void()> {
    auto answer = std::make_shared<SweepAnswer>(run_sweep_of(document, wish, context.stop, context.tell));
    return [this, answer] {
      answer_ = std::move(*answer);
      show_answer();
    };
  });
}

void SweepPane::show_answer() {
  if (!answer_.error.empty()) {
    headline_->setText(QString::fromStdString(answer_.error));
    table_->setRowCount(0);
    drawing_->setCurrentWidget(chart_);
    chart_->show_nothing("The sweep has an error.");
    return;
  }
  headline_->setText(QString::fromStdString(
      fmt::format("{} points{}{}{}", answer_.points.size(), answer_.interrupted ? ", stopped before the end" : "",
                  answer_.failed > 0 ? fmt::format(", {} of them failed", answer_.failed) : std::string(),
                  space_.isEmpty() ? std::string() : " of " + space_.toStdString())));
  std::vector<std::string> header = answer_.axes;
  const std::vector<std::string> metrics = told_metrics();
  for (const std::string& metric : metrics) header.push_back(reports::spoken_name(metric));
  header.emplace_back("verdict");
  std::vector<std::vector<std::string>> rows;
  for (const SweptPoint& point : answer_.points) {
    std::vector<std::string> row = point.labels;
    for (const std::string& metric : metrics) {
      const double value = point.value(metric);
      row.push_back(std::isfinite(value) ? reports::shown_figure(value, models::traits_of(metric).unit) : "");
    }
    row.push_back(point.error.empty() ? verdict_word(point.outcome.verdict) : point.error);
    rows.push_back(std::move(row));
  }
  fill_table(*table_, header, rows);
  offer_metrics(metrics);
  choose_metric();
  draw();
}

/// Of several jobs only what is of all of them: none has their mean step.
std::vector<std::string> SweepPane::told_metrics() const {
  const bool several = std::any_of(answer_.points.begin(), answer_.points.end(),
                                   [](const SweptPoint& point) { return reports::has_several_jobs(point.outcome); });
  std::vector<std::string> told;
  for (const char* metric : kMetrics)
    if (!several || !reports::mixes_jobs(metric)) told.emplace_back(metric);
  return told;
}

void SweepPane::offer_metrics(const std::vector<std::string>& metrics) {
  QStringList offered;
  for (int i = 0; i < metric_->count(); ++i) offered.append(metric_->itemData(i).toString());
  QStringList wanted;
  for (const std::string& metric : metrics) wanted.append(QString::fromStdString(metric));
  if (offered == wanted) return;
  const QString held = metric_->currentData().toString();
  const QSignalBlocker quiet(metric_);
  metric_->clear();
  for (const std::string& metric : metrics)
    metric_->addItem(QString::fromStdString(reports::spoken_name(metric)), QString::fromStdString(metric));
  metric_->setCurrentIndex(std::max(0, metric_->findData(held)));
}

/// Unless the user chose one: the first figure that the sweep moves.
void SweepPane::choose_metric() {
  if (metric_is_chosen_) return;
  const std::vector<std::string> metrics = told_metrics();
  const auto moved = std::find_if(metrics.begin(), metrics.end(),
                                  [this](const std::string& metric) { return varies(answer_, metric); });
  const QSignalBlocker quiet(metric_);
  metric_->setCurrentIndex(moved == metrics.end() ? 0 : static_cast<int>(moved - metrics.begin()));
}

void SweepPane::draw() {
  if (answer_.points.empty() || !answer_.error.empty()) return;
  const std::string metric = metric_->currentData().toString().toStdString();
  const reports::Scale scale = scale_of(answer_, metric);
  const std::string title =
      reports::spoken_name(metric) + (scale.unit.empty() ? "" : ", " + scale.unit) + " (" + answer_.level + ")";
  if (const auto cube = SweepCube::of(answer_)) return draw_linked(*cube, metric, scale.factor, title);
  drawing_->setCurrentWidget(chart_);
  if (answer_.axes.size() == 2) return draw_map(metric, scale.factor, title);
  ScatterChart scatter;
  scatter.y_title = title;
  ScatterGroup group{metric, {}, {}, {}, answer_.axes.size() == 1};
  const bool one = answer_.axes.size() == 1;
  const reports::Scale across = one ? answer_.scales.front() : reports::Scale{};
  scatter.x_title = one ? answer_.axes.front() + (across.unit.empty() ? "" : ", " + across.unit) : "epoch time, h";
  constexpr double kHour_s = 3600.0;
  for (std::size_t i = 0; i < answer_.points.size(); ++i) {
    const SweptPoint& point = answer_.points[i];
    const double x = one ? point.numbers.front() * across.factor : point.value("epoch_time_s") / kHour_s;
    const double y = clean(point.value(metric), scale.factor);
    if (!std::isfinite(x) || !std::isfinite(y)) continue;
    group.ids.push_back(static_cast<int>(i));
    group.x.push_back(x);
    group.y.push_back(y);
    group.names.push_back(reports::spoken_name(metric));
  }
  scatter.groups.push_back(std::move(group));
  chart_->show_scatter(scatter);
}

/// The point whose edits change nothing.
void SweepPane::frame_present(HeatMap& map) const {
  const ScenarioDocument* now = document_();
  if (now == nullptr) return;
  for (const SweptPoint& point : answer_.points) {
    const bool present = std::all_of(point.edits.begin(), point.edits.end(),
                                     [now](const Edit& edit) { return now->value_at(edit.pointer) == edit.value; });
    if (!present || point.edits.empty()) continue;
    const auto place = [](const std::vector<std::string>& labels, const std::string& label) {
      return static_cast<std::size_t>(std::find(labels.begin(), labels.end(), label) - labels.begin());
    };
    map.now_x = place(map.x, point.labels[0]);
    map.now_y = place(map.y, point.labels[1]);
    return;
  }
}

void SweepPane::draw_map(const std::string& metric, double factor, const std::string& title) {
  HeatMap map;
  map.x_title = answer_.axes[0];
  map.y_title = answer_.axes[1];
  map.value_title = title;
  map.more_is_better = models::traits_of(metric).better == models::Better::higher;
  const auto place = [](std::vector<std::string>& labels, const std::string& label) {
    const auto found = std::find(labels.begin(), labels.end(), label);
    const auto at = static_cast<std::size_t>(found - labels.begin());
    if (found == labels.end()) labels.push_back(label);
    return at;
  };
  for (const SweptPoint& point : answer_.points) {
    place(map.x, point.labels[0]);
    place(map.y, point.labels[1]);
  }
  frame_present(map);
  map.values.assign(map.y.size(), std::vector<double>(map.x.size(), std::nan("")));
  cells_.assign(map.y.size(), std::vector<int>(map.x.size(), -1));
  for (std::size_t i = 0; i < answer_.points.size(); ++i) {
    const SweptPoint& point = answer_.points[i];
    const std::size_t column = place(map.x, point.labels[0]);
    const std::size_t row = place(map.y, point.labels[1]);
    map.values[row][column] = clean(point.value(metric), factor);
    cells_[row][column] = static_cast<int>(i);
  }
  const auto without_unit = [this](std::size_t axis, std::vector<std::string>& labels, std::string& axis_title) {
    const std::string& unit = answer_.scales[axis].unit;
    if (unit.empty() || answer_.scales[axis].prefix) return;
    for (std::string& label : labels) label.resize(label.size() - unit.size() - 1);  // short: no number is cut
    axis_title += ", " + unit;
  };
  without_unit(0, map.x, map.x_title);
  without_unit(1, map.y, map.y_title);
  chart_->show_map(map);
}

void SweepPane::draw_linked(const SweepCube& cube, const std::string& metric, double factor, const std::string& title) {
  const auto value = [this, metric, factor](int point) {
    return clean(answer_.points.at(static_cast<std::size_t>(point)).value(metric), factor);
  };
  linked_->show(cube, {title, models::traits_of(metric).better == models::Better::higher, value});
  drawing_->setCurrentWidget(linked_);
}

bool SweepPane::shows_linked_maps() const { return drawing_->currentWidget() == linked_; }

void SweepPane::set_theme(const Theme& theme) { linked_->set_theme(theme); }

void SweepPane::choose(int point) {
  if (point < 0 || static_cast<std::size_t>(point) >= answer_.points.size()) return;
  const SweptPoint& swept = answer_.points[static_cast<std::size_t>(point)];
  QString what;
  for (const std::string& label : swept.labels) what += (what.isEmpty() ? "" : ", ") + QString::fromStdString(label);
  const std::vector<Edit> edits = swept.edits;
  Q_EMIT chosen(edits, what);
}

void SweepPane::save_space() {
  const ScenarioDocument* now = document_();
  const SweepWish asked = wish();
  if (now == nullptr || asked.axes.empty()) return;
  const QString path = QFileDialog::getSaveFileName(this, "Save the space", "space.json", "Spaces (*.json)");
  if (path.isEmpty()) return;
  const auto written = scenarios::write_atomically(path.toStdString(), space_text(*now, asked.axes));
  if (!written) Q_EMIT complained(QString::fromStdString(print_text(written.error())));
}

void SweepPane::open_space() {
  const QString path = QFileDialog::getOpenFileName(this, "A space to sweep", {}, "Spaces (*.json)");
  if (!path.isEmpty()) sweep_space(path);
}

void SweepPane::sweep_space(const QString& path) {
  space_ = path;
  start();
}

}  // namespace headrace::gui
