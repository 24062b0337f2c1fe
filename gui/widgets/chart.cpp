#include "gui/widgets/chart.hpp"

#include <QAreaSeries>
#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QChartView>
#include <QContextMenuEvent>
#include <QFile>
#include <QHorizontalBarSeries>
#include <QHorizontalStackedBarSeries>
#include <QLabel>
#include <QLegend>
#include <QLineSeries>
#include <QLogValueAxis>
#include <QMouseEvent>
#include <QPainter>
#include <QRubberBand>
#include <QSaveFile>
#include <QScatterSeries>
#include <QStackedLayout>
#include <QSvgGenerator>
#include <QVBoxLayout>
#include <QValueAxis>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "scenarios/document/units.hpp"

namespace headrace::gui {
namespace {

struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return low > high; }
};

constexpr std::array<Qt::PenStyle, 3> kDashes = {Qt::SolidLine, Qt::DashLine, Qt::DashDotLine};

Figures figures_of(const LineChart& lines) {
  Figures figures;
  figures.header = {lines.x_title, lines.y_title, "series"};
  const auto add = [&figures](double x, double y, const std::string& series) {
    figures.rows.push_back({{scenarios::print_number(x), scenarios::print_number(y), series}, std::pair(x, y)});
  };
  for (const Line& line : lines.lines)
    for (std::size_t i = 0; i < line.x.size(); ++i) add(line.x[i], line.y[i], line.name);
  for (const Area& area : lines.areas)
    for (std::size_t i = 0; i < area.x.size(); ++i) {
      add(area.x[i], area.low[i], area.name + ", low");
      add(area.x[i], area.high[i], area.name + ", high");
    }
  if (lines.point) {
    add(lines.point->x, lines.point->y, "simulated");
    add(lines.point->x, lines.point->low, "simulated, 95 % low");
    add(lines.point->x, lines.point->high, "simulated, 95 % high");
  }
  if (lines.limit && !lines.lines.empty() && !lines.lines.front().x.empty())
    add(lines.lines.front().x.front(), lines.limit->at, lines.limit->name);
  return figures;
}

}  // namespace

NiceRange nice_range(double low, double high) {
  if (!(high > low)) {
    const double room = low == 0.0 ? 1.0 : 0.1 * std::abs(low);
    low -= low >= 0.0 ? std::min(room, low) : room;
    high += room;
  }
  constexpr double kWantedSteps = 4.0;
  const double raw = (high - low) / kWantedSteps;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  const double ratio = raw / power;
  const double step = power * (ratio <= 1.0 ? 1.0 : ratio <= 2.0 ? 2.0 : ratio <= 5.0 ? 5.0 : 10.0);
  NiceRange range;
  range.low = std::floor(low / step + 1e-9) * step;
  range.high = std::ceil(high / step - 1e-9) * step;
  range.ticks = static_cast<int>(std::lround((range.high - range.low) / step)) + 1;
  return range;
}

Chart::Chart(const QString& title, QWidget* parent) : QWidget(parent), title_(title) {
  plot_ = new QWidget(this);
  view_ = new QChartView(plot_);
  view_->setRenderHint(QPainter::Antialiasing);
  view_->setFrameShape(QFrame::NoFrame);
  view_->setAccessibleName(title);
  view_->setFocusPolicy(Qt::StrongFocus);
  view_->viewport()->installEventFilter(this);
  view_->installEventFilter(this);
  legend_ = new ChartLegend(plot_);
  auto* column = new QVBoxLayout(plot_);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(view_, 1);
  column->addWidget(legend_);
  plot_->setAutoFillBackground(true);
  map_ = new HeatView(this);
  map_->setAccessibleName(title);
  map_->installEventFilter(this);
  connect(map_, &HeatView::cell_clicked, this, &Chart::cell_chosen);
  nothing_ = new QLabel(this);
  nothing_->setAlignment(Qt::AlignCenter);
  nothing_->setWordWrap(true);
  nothing_->setAutoFillBackground(true);
  band_ = new QRubberBand(QRubberBand::Rectangle, view_->viewport());
  auto* layout = new QStackedLayout(this);
  layout->addWidget(plot_);
  layout->addWidget(map_);
  layout->addWidget(nothing_);
  setAccessibleName(title);
  setMinimumSize(260, 170);
}

/// A chart without content, in the view; the old one goes away.
QChart* Chart::fresh() {
  limit_ = nullptr;
  dragging_ = pressed_ = false;
  band_->hide();
  entries_.clear();
  auto* chart = new QChart;
  chart->setTitle(title_);
  chart->setAnimationOptions(QChart::NoAnimation);
  chart->setBackgroundBrush(theme_.ground);
  chart->setBackgroundRoundness(0);
  chart->setMargins({4, 2, 8, 2});
  chart->setTitleBrush(theme_.ink);
  QFont bold = font();
  bold.setBold(true);
  bold.setPointSizeF(bold.pointSizeF() * 0.92);  // long titles fit into narrow charts
  chart->setTitleFont(bold);
  chart->legend()->hide();  // it cuts long names: ChartLegend wraps them
  QChart* old = view_->chart();
  view_->setChart(chart);
  delete old;
  view_->setBackgroundBrush(theme_.ground);
  static_cast<QStackedLayout*>(layout())->setCurrentWidget(plot_);
  return chart;
}

void Chart::show_legend(bool seen) { legend_->show_entries(seen ? entries_ : std::vector<LegendEntry>{}, theme_); }

void Chart::style_axes() {
  for (QAbstractAxis* axis : view_->chart()->axes()) {
    axis->setLabelsColor(theme_.ink);
    axis->setTitleBrush(theme_.ink);
    axis->setGridLineColor(theme_.rule);
    axis->setLinePenColor(theme_.faint);
    QFont plain = font();
    axis->setTitleFont(plain);
    plain.setPointSizeF(plain.pointSizeF() * 0.9);
    axis->setLabelsFont(plain);
  }
}

void Chart::tell(const QString& summary) {
  view_->setAccessibleDescription(summary);
  map_->setAccessibleDescription(summary);
  setAccessibleDescription(summary);
}

void Chart::show_nothing(const QString& why) {
  again_ = [this, why] { show_nothing(why); };
  figures_ = {};
  zoom_.reset();
  QPalette palette = nothing_->palette();
  palette.setColor(QPalette::Window, theme_.ground);
  nothing_->setPalette(palette);
  nothing_->setText("<b>" + title_.toHtmlEscaped() + "</b><br>" + why.toHtmlEscaped());
  tell(why);
  static_cast<QStackedLayout*>(layout())->setCurrentWidget(nothing_);
}

void Chart::show_lines(const LineChart& lines) {
  again_ = [this, lines] { show_lines(lines); };
  Extent xs;
  Extent ys;
  for (const Line& line : lines.lines)
    for (std::size_t i = 0; i < line.x.size(); ++i) xs.add(line.x[i]), ys.add(line.y[i]);
  for (const Area& area : lines.areas)
    for (std::size_t i = 0; i < area.x.size(); ++i) ys.add(area.low[i]), ys.add(area.high[i]);
  for (const std::optional<Point>& point : {lines.point, lines.range})
    if (point) ys.add(point->low), ys.add(point->high);
  if (lines.mark_x && !xs.empty()) xs.add(*lines.mark_x);
  if (lines.limit) ys.add(lines.limit->at);
  if (xs.empty()) return show_nothing("no point of this range has an answer");
  QChart* chart = fresh();
  figures_ = figures_of(lines);
  keep_zoom_of(lines.x_title, lines.y_title);
  const NiceRange y = nice_range(std::min(0.0, ys.low), ys.high);
  make_axes(lines.x_title, lines.y_title, xs.low, xs.high, lines.log_x && xs.low > 0.0 && xs.high > xs.low, y);
  for (std::size_t i = 0; i < lines.areas.size(); ++i) add_area(lines.areas[i], i);
  add_lines(lines.lines);
  if (lines.mark_x) {
    auto* mark = new QLineSeries;
    mark->setPen(QPen(theme_.faint, 1.0, Qt::DashLine));
    mark->append(*lines.mark_x, y.low);
    mark->append(*lines.mark_x, y.high);
    attach(mark);
    entries_.push_back({"now", theme_.faint, LegendEntry::Mark::line, Qt::DashLine});
  }
  if (lines.point) add_point(*lines.point, lines.range);
  if (lines.limit) add_limit(lines, xs.low, xs.high);
  show_legend(chart->series().size() > 1);
  style_axes();
  tell(QString("%1: %2 over %3")
           .arg(title_, QString::fromStdString(lines.y_title), QString::fromStdString(lines.x_title)));
}

void Chart::add_lines(const std::vector<Line>& lines) {
  std::size_t number = 0;
  for (const Line& line : lines) {
    auto* series = new QLineSeries;
    const QColor colour = theme_.series[number % theme_.series.size()];
    const Qt::PenStyle style = line.dashed ? Qt::DotLine : kDashes[number % kDashes.size()];
    series->setPen(QPen(colour, 2.0, style));
    QList<QPointF> points;
    for (std::size_t i = 0; i < line.x.size(); ++i)
      if (std::isfinite(line.y[i])) points.append({line.x[i], line.y[i]});
    series->replace(points);
    attach(series);
    entries_.push_back({QString::fromStdString(line.name), colour, LegendEntry::Mark::line, style});
    ++number;
  }
}

void Chart::set_theme(const Theme& theme) {
  theme_ = theme;
  map_->set_theme(theme);
  const auto again = again_;  // drawing sets it anew
  if (again) again();
}

Figures Chart::figures_in_view() const { return zoom_ ? figures_.within(*zoom_) : figures_; }

bool Chart::save(const QString& path, QString& error) const {
  QWidget* shown = static_cast<QStackedLayout*>(layout())->currentWidget();
  if (path.endsWith(".svg", Qt::CaseInsensitive)) {
    QSvgGenerator generator;
    generator.setFileName(path);
    generator.setSize(shown->size());
    generator.setViewBox(shown->rect());
    generator.setTitle(title_);
    QPainter painter;
    if (!painter.begin(&generator)) {
      error = "cannot write " + path;
      return false;
    }
    shown->render(&painter);
    return true;
  }
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly)) {
    error = file.errorString();
    return false;
  }
  const auto write = [&file](const std::string& text) { return file.write(QByteArray::fromStdString(text)) >= 0; };
  const bool written = path.endsWith(".csv", Qt::CaseInsensitive)    ? write(csv_of(figures_in_view()))
                       : path.endsWith(".json", Qt::CaseInsensitive) ? write(json_of(figures_in_view()))
                                                                     : shown->grab().save(&file, "PNG");
  if (!written || !file.commit()) {
    error = file.errorString();
    return false;
  }
  return true;
}

void Chart::contextMenuEvent(QContextMenuEvent* event) { emit menu_wanted(event->globalPos()); }

}  // namespace headrace::gui
