#include "gui/widgets/chart.hpp"

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
#include <QLegendMarker>
#include <QLineSeries>
#include <QLogValueAxis>
#include <QPainter>
#include <QRegularExpression>
#include <QSaveFile>
#include <QScatterSeries>
#include <QStackedLayout>
#include <QSvgGenerator>
#include <QValueAxis>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "scenarios/units.hpp"

namespace headrace::gui {
namespace {

QString text_of(double value) { return QString::fromStdString(scenarios::print_number(value)); }

QString cell(const std::string& text) {
  QString quoted = QString::fromStdString(text);
  if (!quoted.contains(QRegularExpression("[\",\r\n]"))) return quoted;
  return '"' + quoted.replace('"', "\"\"") + '"';
}

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

}  // namespace

NiceRange nice_range(double low, double high) {
  if (!(high > low)) {
    const double room = low == 0.0 ? 1.0 : 0.1 * std::abs(low);
    low -= low > 0.0 ? std::min(room, low) : room;
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
  view_ = new QChartView(this);
  view_->setRenderHint(QPainter::Antialiasing);
  view_->setFrameShape(QFrame::NoFrame);
  view_->setAccessibleName(title);
  view_->setFocusPolicy(Qt::TabFocus);
  nothing_ = new QLabel(this);
  nothing_->setAlignment(Qt::AlignCenter);
  nothing_->setWordWrap(true);
  auto* layout = new QStackedLayout(this);
  layout->addWidget(view_);
  layout->addWidget(nothing_);
  setAccessibleName(title);
  setMinimumSize(260, 170);
}

/// A chart without content, in the view; the old one goes away.
QChart* Chart::fresh() {
  auto* chart = new QChart;
  chart->setTitle(title_);
  chart->setAnimationOptions(QChart::NoAnimation);
  chart->setBackgroundBrush(theme_.ground);
  chart->setBackgroundRoundness(0);
  chart->setMargins({4, 2, 8, 2});
  chart->setTitleBrush(theme_.ink);
  QFont bold = font();
  bold.setBold(true);
  chart->setTitleFont(bold);
  chart->legend()->setLabelColor(theme_.ink);
  chart->legend()->setAlignment(Qt::AlignBottom);
  QChart* old = view_->chart();
  view_->setChart(chart);
  delete old;
  view_->setBackgroundBrush(theme_.ground);
  static_cast<QStackedLayout*>(layout())->setCurrentWidget(view_);
  return chart;
}

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
  setAccessibleDescription(summary);
}

void Chart::show_nothing(const QString& why) {
  again_ = [this, why] { show_nothing(why); };
  csv_.clear();
  nothing_->setText("<b>" + title_.toHtmlEscaped() + "</b><br>" + why.toHtmlEscaped());
  tell(why);
  static_cast<QStackedLayout*>(layout())->setCurrentWidget(nothing_);
}

void Chart::show_lines(const LineChart& lines) {
  again_ = [this, lines] { show_lines(lines); };
  QChart* chart = fresh();
  Extent xs;
  Extent ys;
  csv_ = cell(lines.x_title) + "," + cell(lines.y_title) + ",series\r\n";
  for (const Line& line : lines.lines)
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      xs.add(line.x[i]);
      ys.add(line.y[i]);
      csv_ += text_of(line.x[i]) + "," + text_of(line.y[i]) + "," + cell(line.name) + "\r\n";
    }
  if (lines.point) {
    ys.add(lines.point->low);
    ys.add(lines.point->high);
    csv_ += text_of(lines.point->x) + "," + text_of(lines.point->y) + ",simulated\r\n";
  }
  if (xs.empty()) return show_nothing("no point of this range has an answer");
  const NiceRange y = nice_range(std::min(0.0, ys.low), ys.high);
  const bool log_x = lines.log_x && xs.low > 0.0 && xs.high > xs.low;
  QAbstractAxis* x_axis = nullptr;
  if (log_x) {
    auto* axis = new QLogValueAxis;
    axis->setBase(10.0);
    axis->setRange(xs.low, xs.high);
    axis->setLabelFormat("%g");
    x_axis = axis;
  } else {
    const NiceRange x = nice_range(xs.low, xs.high);
    auto* axis = new QValueAxis;
    axis->setRange(x.low, x.high);
    axis->setTickCount(x.ticks);
    axis->setLabelFormat("%g");
    x_axis = axis;
  }
  auto* y_axis = new QValueAxis;
  y_axis->setRange(y.low, y.high);
  y_axis->setTickCount(y.ticks);
  y_axis->setLabelFormat("%g");
  x_axis->setTitleText(QString::fromStdString(lines.x_title));
  y_axis->setTitleText(QString::fromStdString(lines.y_title));
  chart->addAxis(x_axis, Qt::AlignBottom);
  chart->addAxis(y_axis, Qt::AlignLeft);
  const auto add = [&](QXYSeries* series) {
    chart->addSeries(series);
    series->attachAxis(x_axis);
    series->attachAxis(y_axis);
  };
  std::size_t number = 0;
  for (const Line& line : lines.lines) {
    auto* series = new QLineSeries;
    series->setName(QString::fromStdString(line.name));
    QPen pen(theme_.series[number % theme_.series.size()], 2.0);
    pen.setStyle(line.dashed ? Qt::DotLine : kDashes[number % kDashes.size()]);
    series->setPen(pen);
    for (std::size_t i = 0; i < line.x.size(); ++i) series->append(line.x[i], line.y[i]);
    add(series);
    ++number;
  }
  if (lines.mark_x) {
    auto* mark = new QLineSeries;
    mark->setName("now");
    mark->setPen(QPen(theme_.faint, 1.0, Qt::DashLine));
    mark->append(*lines.mark_x, y.low);
    mark->append(*lines.mark_x, y.high);
    add(mark);
  }
  if (lines.point) {
    auto* interval = new QLineSeries;
    interval->setPen(QPen(theme_.ink, 2.0));
    interval->append(lines.point->x, lines.point->low);
    interval->append(lines.point->x, lines.point->high);
    add(interval);
    auto* dot = new QScatterSeries;
    dot->setName("simulated, 95 %");
    dot->setColor(theme_.ink);
    dot->setBorderColor(theme_.ground);
    dot->setMarkerSize(9.0);
    dot->append(lines.point->x, lines.point->y);
    add(dot);
    const auto markers = chart->legend()->markers(interval);
    if (!markers.isEmpty()) markers.first()->setVisible(false);
  }
  style_axes();
  tell(QString("%1: %2 over %3")
           .arg(title_, QString::fromStdString(lines.y_title), QString::fromStdString(lines.x_title)));
}

void Chart::show_bars(const std::vector<Share>& shares, const QString& unit, bool whole) {
  again_ = [this, shares, unit, whole] { show_bars(shares, unit, whole); };
  if (shares.empty()) return show_nothing("nothing to show");
  constexpr std::size_t kMost = 7;
  const std::size_t count = std::min(kMost, shares.size());
  QChart* chart = fresh();
  chart->legend()->hide();
  const double factor = unit == "%" ? 100.0 : 1.0;
  auto* bars = new QHorizontalBarSeries;
  auto* values = new QBarSet(title_);
  values->setColor(theme_.series[0]);
  values->setBorderColor(theme_.series[0]);
  QStringList names;
  double most = 0.0;
  csv_ = "name," + unit + "\r\n";
  QString summary = title_ + ": ";
  for (std::size_t i = count; i-- > 0;) {  // a horizontal bar chart counts from below
    values->append(shares[i].value * factor);
    names.append(QString::fromStdString(shares[i].name + "  " + shares[i].text));
    most = std::max(most, shares[i].value * factor);
  }
  for (const Share& share : shares) {
    csv_ += cell(share.name) + "," + text_of(share.value * factor) + "\r\n";
    summary += QString::fromStdString(share.name + " " + share.text + ", ");
  }
  bars->append(values);
  chart->addSeries(bars);
  auto* y_axis = new QBarCategoryAxis;
  y_axis->append(names);
  chart->addAxis(y_axis, Qt::AlignLeft);
  bars->attachAxis(y_axis);
  const NiceRange range = whole && most <= 100.0 ? NiceRange{0.0, 100.0, 6} : nice_range(0.0, most);
  auto* x_axis = new QValueAxis;
  x_axis->setRange(range.low, range.high);
  x_axis->setTickCount(range.ticks);
  x_axis->setLabelFormat("%g");
  x_axis->setTitleText(unit);
  chart->addAxis(x_axis, Qt::AlignBottom);
  bars->attachAxis(x_axis);
  style_axes();
  tell(summary);
}

void Chart::show_stack(const std::vector<Share>& shares) {
  again_ = [this, shares] { show_stack(shares); };
  if (shares.empty()) return show_nothing("nothing to show");
  QChart* chart = fresh();
  chart->legend()->setAlignment(Qt::AlignRight);  // one name per line, whole
  auto* bars = new QHorizontalStackedBarSeries;
  csv_ = "state,share of GPU time %\r\n";
  QString summary = title_ + ": ";
  std::size_t number = 0;
  for (const Share& share : shares) {
    csv_ += cell(share.name) + "," + text_of(100.0 * share.value) + "\r\n";
    const QString label = QString::fromStdString(share.name + " " + share.text);
    summary += label + ", ";
    const std::size_t colour = number++;
    if (!(share.value > 0.0)) continue;
    auto* part = new QBarSet(label);
    part->setColor(theme_.series[colour % theme_.series.size()]);
    part->setBorderColor(theme_.ground);
    part->append(100.0 * share.value);
    bars->append(part);
  }
  chart->addSeries(bars);
  auto* y_axis = new QBarCategoryAxis;
  y_axis->append("GPU time");
  y_axis->setLabelsVisible(false);
  chart->addAxis(y_axis, Qt::AlignLeft);
  bars->attachAxis(y_axis);
  auto* x_axis = new QValueAxis;
  x_axis->setRange(0.0, 100.0);
  x_axis->setTickCount(6);
  x_axis->setLabelFormat("%g");
  x_axis->setTitleText("% of GPU time");
  chart->addAxis(x_axis, Qt::AlignBottom);
  bars->attachAxis(x_axis);
  style_axes();
  tell(summary);
}

void Chart::set_theme(const Theme& theme) {
  theme_ = theme;
  const auto again = again_;  // drawing sets it anew
  if (again) again();
}

bool Chart::save(const QString& path, QString& error) const {
  if (path.endsWith(".svg", Qt::CaseInsensitive)) {
    QSvgGenerator generator;
    generator.setFileName(path);
    generator.setSize(view_->size());
    generator.setViewBox(view_->rect());
    generator.setTitle(title_);
    QPainter painter;
    if (!painter.begin(&generator)) {
      error = "cannot write " + path;
      return false;
    }
    view_->render(&painter);
    return true;
  }
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly)) {
    error = file.errorString();
    return false;
  }
  const bool written = path.endsWith(".csv", Qt::CaseInsensitive)
                           ? file.write(csv_.toUtf8()) >= 0
                           : const_cast<QChartView*>(view_)->grab().save(&file, "PNG");
  if (!written || !file.commit()) {
    error = file.errorString();
    return false;
  }
  return true;
}

void Chart::contextMenuEvent(QContextMenuEvent* event) { emit menu_wanted(event->globalPos()); }

}  // namespace headrace::gui
