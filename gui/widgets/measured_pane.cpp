#include "gui/widgets/measured_pane.hpp"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <thread>
#include <utility>

#include "gui/presenter/measured_job.hpp"
#include "gui/widgets/pane_parts.hpp"
#include "reports/humane.hpp"

namespace headrace::gui {

MeasuredPane::MeasuredPane(Document document, QWidget* parent) : QWidget(parent), document_(std::move(document)) {
  study_.threads = std::max(1U, std::thread::hardware_concurrency() - 1);
  setAccessibleName("Measured");
  layers_ = make_label(this, "Site files");
  headline_ = make_label(this, "Predicted and measured");
  QFont bold = headline_->font();
  bold.setBold(true);
  headline_->setFont(bold);
  headline_->setText(
      "Open a file of headrace verify --json, or the step times of a job that ran (CSV: step, step_time_s, "
      "load_wait_s), to compare predictions with measurements.");
  chart_ = new Chart("Predicted and measured idle", this);
  chart_->show_nothing("No measurement is open.");
  steps_chart_ = new Chart("Step times, measured and predicted", this);
  steps_chart_->show_nothing("No step times are open: compare with a job's steps (CSV).");
  table_ = make_table(this, "Measured points");
  auto* site = new QPushButton("Add a site file ...", this);
  site->setToolTip("Figures that headrace calibrate measured on this machine replace those of the scenario");
  auto* open = new QPushButton("Open a verification ...", this);
  auto* steps = new QPushButton("Compare with a job's steps ...", this);
  steps->setToolTip(
      "Compares the step times of a training loop with a simulation of the open scenario, as headrace verify "
      "--measured does");
  auto* bar = new TaskBar("Again", task_, this);
  bar->start_button()->setEnabled(false);
  bar->start_button()->setAccessibleName("Compare with the same steps again");
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(site);
  buttons->addWidget(open);
  buttons->addWidget(steps);
  buttons->addStretch(1);
  constexpr int kLeastChart_px = 150;
  auto* charts = new QSplitter(Qt::Horizontal, this);
  charts->addWidget(chart_);
  charts->addWidget(steps_chart_);
  charts->setSizes({500, 500});
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(buttons);
  layout->addWidget(bar);
  layout->addWidget(layers_);
  layout->addWidget(headline_);
  layout->addWidget(charts, 3);
  layout->addWidget(table_, 1);
  for (Chart* chart : {chart_, steps_chart_}) chart->setMinimumHeight(kLeastChart_px);
  connect(site, &QPushButton::clicked, this, &MeasuredPane::site_wanted);
  connect(open, &QPushButton::clicked, this, [this] {
    const QString path = QFileDialog::getOpenFileName(this, "A verification", {}, "JSON (*.json)");
    if (!path.isEmpty()) static_cast<void>(this->open(path));
  });
  connect(steps, &QPushButton::clicked, this, [this] {
    const QString path = QFileDialog::getOpenFileName(this, "Step times of a job that ran", {}, "CSV (*.csv)");
    if (!path.isEmpty()) hold_against(path);
  });
  connect(bar, &TaskBar::start_wanted, this, [this] { hold_against(steps_); });
  connect(&task_, &BackgroundTask::started, this, [bar] { bar->start_button()->setEnabled(true); });
}

QString MeasuredPane::headline() const { return headline_->text(); }

void MeasuredPane::hold_against(const QString& path) {
  const ScenarioDocument* now = document_();
  if (now == nullptr || path.isEmpty()) return;
  steps_ = path;
  task_.start(
      [this, path, document = *now, study = study_](const BackgroundTask::Context& context) -> std::function<void()> {
        models::StudyOptions options = study;
        options.abandon = context.stop;
        options.progress = [tell = context.tell](const models::Progress& progress) {
          tell(progress.fraction, std::string(progress.phase));
        };
        const auto view = view_against(document, path.toStdString(), options);
        if (!view) return [this, why = QString::fromStdString(view.error())] { Q_EMIT complained(why); };
        return [this, shown = *view] { show_view(shown); };
      });
}

void MeasuredPane::show_document(const ScenarioDocument& document) {
  QStringList lines;
  for (const std::string& layer : document.layers()) lines.append("Laid over: " + QString::fromStdString(layer));
  for (const std::string& line : verified_lines(document)) lines.append(QString::fromStdString(line));
  layers_->setText(lines.isEmpty() ? QString("This scenario has no site file.") : lines.join('\n'));
}

bool MeasuredPane::open(const QString& path) {
  scenarios::Diagnostics diagnostics;
  const auto text = scenarios::read_text(path.toStdString(), diagnostics);
  if (!text) {
    Q_EMIT complained(QString::fromStdString(print_text(diagnostics)));
    return false;
  }
  const auto view = measured_view(*text);
  if (!view) {
    Q_EMIT complained(path + ": " + QString::fromStdString(view.error()));
    return false;
  }
  show_view(*view);
  return true;
}

void MeasuredPane::show_view(const MeasuredView& view) {
  headline_->setText(QString::fromStdString(view.headline));
  ScatterChart scatter;
  scatter.x_title = "measured idle, %";
  scatter.y_title = "predicted idle, %";
  scatter.diagonal = true;
  scatter.margin = view.bar_points > 0.0 ? view.bar_points : 0.0;
  ScatterGroup group;
  group.name = "points";
  std::vector<std::vector<std::string>> rows;
  for (const MeasuredPair& pair : view.pairs) {
    group.ids.push_back(static_cast<int>(rows.size()));
    group.x.push_back(100.0 * pair.measured_idle);
    group.y.push_back(100.0 * pair.predicted_idle);
    group.names.push_back(pair.name);
    rows.push_back(pair.cells);
  }
  scatter.groups.push_back(std::move(group));
  chart_->show_scatter(scatter);
  fill_table(*table_, view.header, rows);
  int table_px = table_->horizontalHeader()->sizeHint().height() + table_->horizontalScrollBar()->sizeHint().height() +
                 2 * table_->frameWidth();
  for (int row = 0; row < table_->rowCount(); ++row) table_px += table_->rowHeight(row);
  table_->setMaximumHeight(table_px);  // what few points leave free is for the charts
  show_steps(view);
}

void MeasuredPane::show_steps(const MeasuredView& view) {
  if (!view.steps || view.steps->measured.x.empty() || view.steps->predicted.x.empty())
    return steps_chart_->show_nothing(QString::fromStdString(view.why_no_steps));
  const reports::Scale scale = reports::humane_scale(view.steps->measured.x.back(), "s");
  constexpr double kPercent = 100.0;
  LineChart chart;
  chart.x_title = "step time, " + scale.unit;
  chart.y_title = "steps, %";
  for (const auto& [name, curve] :
       {std::pair("measured", &view.steps->measured), {"predicted", &view.steps->predicted}}) {
    Line line{name, curve->x, curve->y};
    for (double& x : line.x) x *= scale.factor;
    for (double& y : line.y) y *= kPercent;
    chart.lines.push_back(std::move(line));
  }
  steps_chart_->show_lines(chart);
  steps_chart_->setToolTip(QString::fromStdString(view.steps->words));
  headline_->setText(headline_->text() + "\n" + QString::fromStdString(view.steps->words));
}

}  // namespace headrace::gui
