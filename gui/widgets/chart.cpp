#include "gui/widgets/chart.hpp"

#include <QAreaSeries>
#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QChartView>
#include <QContextMenuEvent>
#include <QCoreApplication>
#include <QFile>
#include <QHorizontalBarSeries>
#include <QHorizontalStackedBarSeries>
#include <QLabel>
#include <QLegend>
#include <QLineSeries>
#include <QLocale>
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
#include <utility>

#include "gui/widgets/chart_ghosts.hpp"
#include "gui/widgets/crosshair.hpp"
#include "gui/widgets/letters.hpp"
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

/// Of the nearest whole number.
const std::string& name_at(const std::vector<std::string>& names, double x) {
  return names[std::min(names.size() - 1, static_cast<std::size_t>(std::max(0.0, std::round(x))))];
}

Figures figures_of(const LineChart& lines) {
  Figures figures;
  figures.header = {lines.x_title, lines.y_title, "series"};
  const auto add = [&figures, &lines](double x, double y, const std::string& series) {
    const std::string across = lines.x_names.empty() ? scenarios::print_number(x) : name_at(lines.x_names, x);
    figures.rows.push_back({{across, scenarios::print_number(y), series}, std::pair(x, y)});
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

/// At twice the pixels of a plain screen, or those of a finer one.
QImage image_of(QWidget& widget) {
  const double ratio = std::max(2.0, widget.devicePixelRatioF());
  QImage image((QSizeF(widget.size()) * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(ratio);
  image.fill(Qt::transparent);
  widget.render(&image);
  return image;
}

}  // namespace

double nice_step(double span, double wanted) {
  const double raw = span / wanted;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  const double ratio = raw / power;
  return power * (ratio <= 1.0 ? 1.0 : ratio <= 2.0 ? 2.0 : ratio <= 5.0 ? 5.0 : 10.0);
}

NiceRange nice_range(double low, double high) {
  if (!(high > low)) {
    const double room = low == 0.0 ? 1.0 : 0.1 * std::abs(low);
    low -= low >= 0.0 ? std::min(room, low) : room;
    high += room;
  }
  constexpr double kWantedSteps = 4.0;
  const double step = nice_step(high - low, kWantedSteps);
  NiceRange range;
  range.low = std::floor(low / step + 1e-9) * step;
  range.high = std::ceil(high / step - 1e-9) * step;
  range.ticks = static_cast<int>(std::lround((range.high - range.low) / step)) + 1;
  return range;
}

void Chart::rename(const QString& title) {
  if (title == title_) return;
  title_ = title;
  head_->setText(title);
  place_left_title();
  view_->setAccessibleName(title);
  map_->setAccessibleName(title);
}

Chart::Chart(const QString& title, QWidget* parent) : QWidget(parent), title_(title) {
  setObjectName(title);  // stays, whatever it is renamed to
  plot_ = new QWidget(this);
  view_ = new GhostView([this](QPainter& painter) { paint_ghosts(painter); }, plot_);
  view_->setRenderHint(QPainter::Antialiasing);
  view_->setFrameShape(QFrame::NoFrame);
  view_->setAccessibleName(title);
  view_->setFocusPolicy(Qt::StrongFocus);
  view_->viewport()->installEventFilter(this);
  view_->installEventFilter(this);
  legend_ = new ChartLegend(plot_);
  head_ = new QLabel(title, plot_);
  QFont bold = font();
  bold.setBold(true);
  bold.setPointSizeF(bold.pointSizeF() * 0.92);  // long titles fit into narrow charts
  head_->setFont(bold);
  head_->setAlignment(Qt::AlignCenter);
  head_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  head_->setWordWrap(true);  // as high as its width asks for
  auto* column = new QVBoxLayout(plot_);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(head_);
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
  over_ = new QLabel(view_->viewport());
  over_->setAlignment(Qt::AlignCenter);
  over_->setWordWrap(true);
  over_->setAttribute(Qt::WA_TransparentForMouseEvents);
  over_->hide();
  band_ = new QRubberBand(QRubberBand::Rectangle, view_->viewport());
  view_->viewport()->setMouseTracking(true);
  crosshair_ = new Crosshair(view_->viewport());
  auto* layout = new QStackedLayout(this);
  layout->addWidget(plot_);
  layout->addWidget(map_);
  layout->addWidget(nothing_);
  setAccessibleName(title);
  constexpr QSize kLeast(240, 150);
  setMinimumSize(kLeast.width(), whole_by_letters(font(), kLeast.height()));
}

QChart* Chart::begin(const std::string& frame) {
  limit_ = nullptr;
  dragging_ = pressed_ = false;
  band_->hide();
  entries_.clear();
  ghosts_.clear();
  stop_reading();
  readings_.clear();
  in_rows_ = false;
  over_->hide();
  pending_ = false;
  static_cast<QStackedLayout*>(layout())->setCurrentWidget(plot_);
  if (frame == frame_ && !frame.empty()) {
    view_->chart()->removeAllSeries();
    return view_->chart();
  }
  frame_ = frame;
  order_.clear();
  names_px_ = 0.0;
  left_title_.clear();
  head_->setText(title_);
  auto* chart = new QChart;
  connect(chart, &QChart::plotAreaChanged, this, &Chart::place_left_title, Qt::QueuedConnection);
  chart->setAnimationOptions(QChart::NoAnimation);
  chart->setBackgroundBrush(theme_.ground);
  chart->setBackgroundRoundness(0);
  chart->setMargins({4, 2, 8, 2});
  chart->setLocalizeNumbers(true);  // "300,000"
  chart->setLocale(QLocale(QLocale::English, QLocale::UnitedStates));
  chart->legend()->hide();  // it cuts long names: ChartLegend wraps them
  QChart* old = view_->chart();
  view_->setChart(chart);
  delete old;
  view_->setBackgroundBrush(theme_.ground);
  QPalette palette = head_->palette();
  palette.setColor(QPalette::WindowText, theme_.ink);
  palette.setColor(QPalette::Window, theme_.ground);
  head_->setPalette(palette);
  head_->setAutoFillBackground(true);
  legend_->show_entries({}, theme_);
  return chart;
}

/// Axes of a size that does not depend on the figures that stand at them.
void Chart::place_plot() {
  QChart* chart = view_->chart();
  if (frame_.empty() || chart->axes().isEmpty()) return;
  over_->setGeometry(view_->viewport()->rect());
  if (!(names_px_ > 0.0)) return;  // numbers stay while their axes do: Qt lays them out
  const QFontMetrics metrics(font());
  const double line = metrics.height();
  const QSize whole = view_->viewport()->size();
  const double left = names_px_ + 12.0;
  constexpr double kRight_px = 18.0;    // half of the last number
  const double top = 0.5 * line + 3.0;  // half of the highest number
  const QRectF plot(left, top, std::max(40.0, whole.width() - left - kRight_px),
                    std::max(30.0, whole.height() - 2.5 * line - top - 8.0));
  // Qt gives names at most 0.4 of what is between the margins: names that have room to the left of the plot are whole
  // where a margin outside of the chart is part of that.
  chart->setMargins({-static_cast<int>(left), 2, 8, 2});
  chart->setPlotArea(plot);
}

/// Qt cuts the title of an axis that is shorter. One that went below the title of the chart takes a line of its height,
/// so that it comes back only where there is room for it.
void Chart::place_left_title() {
  if (frame_.empty() || left_title_.isEmpty() || view_->chart()->axes(Qt::Vertical).isEmpty()) return;
  QAbstractAxis* axis = view_->chart()->axes(Qt::Vertical).first();
  QFont letters = font();
  const auto fit = [&] {
    return QFontMetricsF(letters).horizontalAdvance(left_title_) <= view_->chart()->plotArea().height();
  };
  constexpr double kSmaller = 0.8;
  if (!fit()) letters.setPointSizeF(kSmaller * letters.pointSizeF());
  const bool fits = fit();
  if (axis->titleFont() != letters) axis->setTitleFont(letters);
  axis->setTitleText(fits ? left_title_ : QString());
  head_->setText(fits ? title_ : title_ + "\n" + left_title_);
}

NiceRange Chart::kept_range(const QAbstractAxis* axis, const NiceRange& wanted) const {
  const auto* present = qobject_cast<const QValueAxis*>(axis);
  if (!held_ || present == nullptr) return wanted;
  const double rounding = 1e-9 * (present->max() - present->min());
  if (std::abs(wanted.low - present->min()) <= rounding && std::abs(wanted.high - present->max()) <= rounding)
    return wanted;  // the ticks of a range that stays stay, too
  if (wanted.low >= present->min() && wanted.high <= present->max())
    return {present->min(), present->max(), present->tickCount()};
  return nice_range(std::min(wanted.low, present->min()), std::max(wanted.high, present->max()));
}

QRectF Chart::plot_area() const { return frame_.empty() ? QRectF() : view_->chart()->plotArea(); }
const QChart* Chart::frame() const { return view_->chart(); }

void Chart::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (std::exchange(redraw_waits_, true)) return;
  QMetaObject::invokeMethod(  // as many bars as have room now
      this,
      [this] {
        redraw_waits_ = false;
        if (names_px_ > 0.0 && again_ && !pending_) {
          const auto again = again_;
          again(*this);
        }
        place_plot();
      },
      Qt::QueuedConnection);
}

void Chart::show_legend(bool seen) {
  legend_->show_entries(seen ? entries_ : std::vector<LegendEntry>{}, theme_, true);
  place_plot();
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
  map_->setAccessibleDescription(summary);
  setAccessibleDescription(summary);
}

void Chart::show_pending(const QString& why) {
  if (frame_.empty()) return show_nothing(why);
  again_ = [why](Chart& chart) { chart.show_pending(why); };
  figures_ = {};
  begin(frame_);
  pending_ = true;
  for (QAbstractAxis* axis : view_->chart()->axes())
    if (auto* names = qobject_cast<QBarCategoryAxis*>(axis)) {
      QStringList plain;  // the values are gone, the bars keep their places
      for (std::size_t i = order_.size(); i-- > 0;) plain.append(QString::fromStdString(order_[i]).toHtmlEscaped());
      plain.removeDuplicates();
      names->clear();
      names->append(plain.mid(std::max<qsizetype>(0, plain.size() - 7)));
    }
  over_->setText(why);
  QPalette palette = over_->palette();
  palette.setColor(QPalette::WindowText, theme_.faint);
  over_->setPalette(palette);
  over_->show();
  over_->raise();
  tell(title_ + ": " + why);
}

void Chart::show_nothing(const QString& why) {
  again_ = [why](Chart& chart) { chart.show_nothing(why); };
  figures_ = {};
  pending_ = false;
  stop_reading();
  readings_.clear();
  ghosts_.clear();
  entries_.clear();
  frame_.clear();
  zoom_.reset();
  QPalette palette = nothing_->palette();
  palette.setColor(QPalette::Window, theme_.ground);
  nothing_->setPalette(palette);
  nothing_->setText("<b>" + title_.toHtmlEscaped() + "</b><br>" + why.toHtmlEscaped());
  tell(why);
  static_cast<QStackedLayout*>(layout())->setCurrentWidget(nothing_);
}

void Chart::show_lines(const LineChart& lines) {
  again_ = [lines](Chart& chart) { chart.show_lines(lines); };
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
  keep_zoom_of(lines.x_title, lines.y_title);
  constexpr double kWide = 20.0;  // a shorter range has no powers of ten to label
  const bool log_x = lines.log_x && xs.low > 0.0 && xs.high > kWide * xs.low;
  std::string frame =
      "lines|" + lines.x_title + "|" + lines.y_title + (log_x ? "|log" : "|") + (zoom_ ? "|zoomed" : "|");
  for (const std::string& name : lines.x_names) frame += name + "|";
  QChart* chart = begin(frame);
  figures_ = figures_of(lines);
  const NiceRange y = make_axes(lines.x_title, lines.y_title, xs.low, xs.high, log_x,
                                nice_range(std::min(0.0, ys.low), ys.high), lines.x_names);
  for (std::size_t i = 0; i < lines.areas.size(); ++i) add_area(lines.areas[i], i);
  add_lines(lines.lines);
  if (lines.mark_x) {
    auto* mark = new QLineSeries;
    mark->setPen(QPen(theme_.faint, 1.0, Qt::DashLine));
    mark->append(*lines.mark_x, y.low);
    mark->append(*lines.mark_x, y.high);
    attach(mark);
    entries_.push_back({QString::fromStdString(lines.mark_name), theme_.faint, LegendEntry::Mark::line, Qt::DashLine});
  }
  if (lines.point) add_point(*lines.point, lines.range);
  if (lines.limit) add_limit(lines, xs.low, xs.high);
  add_readings(lines);
  show_legend(chart->series().size() > 1);
  style_axes();
  tell(QString("%1: %2 over %3")
           .arg(title_, QString::fromStdString(lines.y_title), QString::fromStdString(lines.x_title)));
}

/// Ghosts lie below the other lines, and come after them in the legend.
void Chart::add_lines(const std::vector<Line>& lines) {
  std::vector<LegendEntry> ghosts;
  for (const Line& line : lines)
    if (line.ghost) {
      const Qt::PenStyle style = ghost_style(ghosts.size());
      add_line(line, QPen(theme_.faint, kGhost_px, style));
      ghosts.push_back({QString::fromStdString(line.name), theme_.faint, LegendEntry::Mark::line, style});
    }
  std::size_t number = 0;
  for (const Line& line : lines) {
    if (line.ghost) continue;
    const QColor colour = theme_.series[number % theme_.series.size()];
    const Qt::PenStyle style = kDashes[number % kDashes.size()];
    add_line(line, QPen(colour, 2.0, style));
    entries_.push_back({QString::fromStdString(line.name), colour, LegendEntry::Mark::line, style});
    ++number;
  }
  entries_.insert(entries_.end(), ghosts.begin(), ghosts.end());
}

void Chart::add_line(const Line& line, const QPen& pen) {
  auto* series = new QLineSeries;
  series->setPen(pen);
  QList<QPointF> points;
  for (std::size_t i = 0; i < line.x.size(); ++i)
    if (std::isfinite(line.y[i])) points.append({line.x[i], line.y[i]});
  series->replace(points);
  attach(series);
}

void Chart::set_theme(const Theme& theme) {
  theme_ = theme;
  map_->set_theme(theme);
  frame_.clear();             // colours belong to the frame
  const auto again = again_;  // drawing sets it anew
  if (again) again(*this);
}

Figures Chart::figures_in_view() const { return zoom_ ? figures_.within(*zoom_) : figures_; }

QImage Chart::slide(const QString& headline, const QString& source) const {
  constexpr QSize kPage(960, 540);
  constexpr double kScale = 2.0;
  constexpr int kEdge_px = 28;
  const Theme light = Theme::of(false);
  QImage page(kPage * kScale, QImage::Format_RGB32);
  page.setDevicePixelRatio(kScale);
  page.fill(light.ground);
  QPainter painter(&page);
  QFont large = font();
  large.setPointSizeF(large.pointSizeF() * 1.9);
  large.setBold(true);
  painter.setPen(light.ink);
  painter.setFont(large);
  const QRect head(kEdge_px, kEdge_px - 8, kPage.width() - 2 * kEdge_px, 2 * QFontMetrics(large).height());
  painter.drawText(head, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, headline);
  const QRect foot(kEdge_px, kPage.height() - kEdge_px, kPage.width() - 2 * kEdge_px, kEdge_px - 4);
  painter.setFont(font());
  painter.setPen(light.faint);
  painter.drawText(foot, Qt::AlignLeft | Qt::AlignVCenter, source);
  Chart drawn(title_);
  drawn.set_theme(light);
  QFont words = font();
  words.setPointSizeF(words.pointSizeF() * 1.25);
  drawn.setFont(words);
  drawn.setAttribute(Qt::WA_DontShowOnScreen);
  drawn.resize(kPage.width() - 2 * kEdge_px, foot.top() - head.bottom() - 12);
  drawn.show();
  if (again_) again_(drawn);
  QCoreApplication::sendPostedEvents(&drawn);
  if (again_) again_(drawn);
  drawn.render(&painter, QPoint(kEdge_px, head.bottom() + 6));
  return page;
}

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
                                                                     : image_of(*shown).save(&file, "PNG");
  if (!written || !file.commit()) {
    error = file.errorString();
    return false;
  }
  return true;
}

void Chart::contextMenuEvent(QContextMenuEvent* event) { Q_EMIT menu_wanted(event->globalPos()); }

}  // namespace headrace::gui
