#include "gui/widgets/measured_pane.hpp"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QTableWidget>
#include <QVBoxLayout>

#include "gui/widgets/pane_parts.hpp"

namespace headrace::gui {

MeasuredPane::MeasuredPane(QWidget* parent) : QWidget(parent) {
  setAccessibleName("Measured");
  layers_ = make_label(this, "Site files");
  headline_ = make_label(this, "Predicted against measured");
  QFont bold = headline_->font();
  bold.setBold(true);
  headline_->setFont(bold);
  headline_->setText("Open what headrace verify --json wrote to see predictions against measurements.");
  chart_ = new Chart("Predicted against measured idle", this);
  chart_->show_nothing("No measurement is open.");
  table_ = make_table(this, "Points that were measured");
  auto* site = new QPushButton("Lay a site file over ...", this);
  site->setToolTip("Figures that headrace calibrate measured on this machine replace those of the scenario");
  auto* open = new QPushButton("Open a verification ...", this);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(site);
  buttons->addWidget(open);
  buttons->addStretch(1);
  auto* across = new QSplitter(Qt::Horizontal, this);
  across->addWidget(chart_);
  across->addWidget(table_);
  across->setSizes({500, 500});
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(buttons);
  layout->addWidget(layers_);
  layout->addWidget(headline_);
  layout->addWidget(across, 1);
  connect(site, &QPushButton::clicked, this, &MeasuredPane::site_wanted);
  connect(open, &QPushButton::clicked, this, [this] {
    const QString path = QFileDialog::getOpenFileName(this, "A verification", {}, "JSON (*.json)");
    if (!path.isEmpty()) static_cast<void>(this->open(path));
  });
}

void MeasuredPane::show_document(const ScenarioDocument& document) {
  QStringList lines;
  for (const std::string& layer : document.layers()) lines.append("Laid over: " + QString::fromStdString(layer));
  for (const std::string& line : verified_lines(document)) lines.append(QString::fromStdString(line));
  layers_->setText(lines.isEmpty() ? QString("No site file is laid over this scenario.") : lines.join('\n'));
}

bool MeasuredPane::open(const QString& path) {
  scenarios::Diagnostics diagnostics;
  const auto text = scenarios::read_text(path.toStdString(), diagnostics);
  if (!text) {
    emit complained(QString::fromStdString(print_text(diagnostics)));
    return false;
  }
  const auto view = measured_view(*text);
  if (!view) {
    emit complained(path + ": " + QString::fromStdString(view.error()));
    return false;
  }
  headline_->setText(QString::fromStdString(view->headline));
  ScatterChart scatter;
  scatter.x_title = "measured idle, %";
  scatter.y_title = "predicted idle, %";
  scatter.diagonal = true;
  scatter.margin = view->bar_points > 0.0 ? view->bar_points : 0.0;
  ScatterGroup group;
  group.name = "points";
  std::vector<std::vector<std::string>> rows;
  for (const MeasuredPair& pair : view->pairs) {
    group.ids.push_back(static_cast<int>(rows.size()));
    group.x.push_back(100.0 * pair.measured_idle);
    group.y.push_back(100.0 * pair.predicted_idle);
    rows.push_back(pair.cells);
  }
  scatter.groups.push_back(std::move(group));
  chart_->show_scatter(scatter);
  fill_table(*table_, view->header, rows);
  return true;
}

}  // namespace headrace::gui
