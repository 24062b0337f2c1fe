// The axes of a chart and what stands on them beside its lines: areas, a point with its intervals, points to choose,
// and the limit that can be dragged.
#include <QAreaSeries>
#include <QCategoryAxis>
#include <QChart>
#include <QChartView>
#include <QLineSeries>
#include <QLogValueAxis>
#include <QScatterSeries>
#include <QStackedLayout>
#include <QValueAxis>
#include <algorithm>
#include <cmath>
#include <limits>

#include "gui/widgets/chart.hpp"
#include "gui/widgets/chart_ghosts.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::gui {
namespace {

constexpr const char* kTickFormat = "%.6g";  // Qt groups thousands only where digits are given
constexpr int kExactEnds = 0;                ///< ticks of a range that is not round: they stand at round values in it

/// Names in the place of whole numbers, as many as stand beside each other in a small window.
QCategoryAxis* axis_of(const std::vector<std::string>& names) {
  constexpr std::size_t kMostNames = 5;
  const std::size_t apart = (names.size() + kMostNames - 1) / kMostNames;
  auto* axis = new QCategoryAxis;
  axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
  for (std::size_t i = 0; i < names.size(); i += apart)
    axis->append(QString::fromStdString(names[i]), static_cast<double>(i));
  return axis;
}

}  // namespace

/// The view of one drawing stays with the next as long as the axes mean the same.
void Chart::keep_zoom_of(const std::string& x_title, const std::string& y_title) {
  std::pair<std::string, std::string> axes{x_title, y_title};
  if (axes != zoomed_axes_) zoom_.reset();
  zoomed_axes_ = std::move(axes);
}

void Chart::fit_value_axis(QValueAxis* axis, const NiceRange& range, bool exact) const {
  axis->setLabelFormat(kTickFormat);
  axis->setRange(range.low, range.high);
  if (!exact) {
    axis->setTickType(QValueAxis::TicksFixed);
    axis->setTickCount(range.ticks);
    return;
  }
  constexpr double kWantedTicks = 5.0;
  axis->setTickType(QValueAxis::TicksDynamic);
  axis->setTickAnchor(0.0);
  axis->setTickInterval(nice_step(range.high - range.low, kWantedTicks));
}

/// The present ends where they hold what is wanted, or that and more: what a drag moves over stays in view.
NiceRange Chart::kept_ends(const QAbstractAxis* axis, double low, double high) const {
  const auto* present = qobject_cast<const QValueAxis*>(axis);
  if (!held_ || present == nullptr) return {low, high, 2};
  return {std::min(low, present->min()), std::max(high, present->max()), 2};
}

/// Makes the axes of a new frame, and fits those of one that stays. Returns what the one on the left holds.
NiceRange Chart::make_axes(const std::string& x_title, const std::string& y_title, double low, double high, bool log_x,
                           const NiceRange& y, const std::vector<std::string>& x_names) {
  log_x_ = log_x;
  if (zoom_) low = zoom_->x_low, high = zoom_->x_high;
  QChart* chart = view_->chart();
  const bool fresh = chart->axes().isEmpty();
  if (fresh) {
    QAbstractAxis* across = !x_names.empty() ? static_cast<QAbstractAxis*>(axis_of(x_names))
                            : log_x          ? static_cast<QAbstractAxis*>(new QLogValueAxis)
                                             : static_cast<QAbstractAxis*>(new QValueAxis);
    auto* up = new QValueAxis;
    across->setTitleText(QString::fromStdString(x_title));
    up->setTitleText(QString::fromStdString(y_title));
    left_title_ = up->titleText();
    constexpr int kHalfName_px = 40;  // of the last one, which stands below the end of the axis
    if (!x_names.empty()) chart->setMargins({4, 2, kHalfName_px, 2});
    chart->addAxis(across, Qt::AlignBottom);
    chart->addAxis(up, Qt::AlignLeft);
  }
  QAbstractAxis* across = chart->axes(Qt::Horizontal).first();
  auto* up = qobject_cast<QValueAxis*>(chart->axes(Qt::Vertical).first());
  if (auto* axis = qobject_cast<QLogValueAxis*>(across)) {
    constexpr double kFewDecades = 300.0;  // of which powers of ten would label one or two values only
    axis->setBase(high / low < kFewDecades ? 2.0 : 10.0);
    axis->setRange(low, high);
    axis->setLabelFormat(kTickFormat);
    axis->setMinorTickCount(high / low < kFewDecades ? 0 : -1);
  } else {
    if (!(high > low)) {  // one point: some room to both sides
      const NiceRange nice = nice_range(low, high);
      low = nice.low, high = nice.high;
    }
    const NiceRange x = zoom_ || fresh ? NiceRange{low, high, 2} : kept_ends(across, low, high);
    if (x_names.empty())
      fit_value_axis(qobject_cast<QValueAxis*>(across), x, true);
    else
      across->setRange(x.low, x.high);
  }
  const bool exact = zoom_ || y.ticks == kExactEnds;
  const NiceRange held = zoom_   ? NiceRange{zoom_->y_low, zoom_->y_high, 2}
                         : fresh ? y
                         : exact ? kept_ends(up, y.low, y.high)
                                 : kept_range(up, y);
  fit_value_axis(up, held, exact);
  return held;
}

void Chart::attach(QXYSeries* series) {
  QChart* chart = view_->chart();
  chart->addSeries(series);
  for (QAbstractAxis* axis : chart->axes()) series->attachAxis(axis);
}

void Chart::add_area(const Area& area, std::size_t number) {
  if (area.x.size() < 2) return;
  auto* lower = new QLineSeries;
  auto* upper = new QLineSeries;
  for (std::size_t i = 0; i < area.x.size(); ++i) {
    lower->append(area.x[i], area.low[i]);
    upper->append(area.x[i], area.high[i]);
  }
  auto* filled = new QAreaSeries(upper, lower);
  lower->setParent(filled);
  upper->setParent(filled);
  QColor colour = theme_.series[number % theme_.series.size()];
  filled->setPen(QPen(colour, 1.0, Qt::DotLine));
  colour.setAlphaF(0.22F);
  filled->setBrush(colour);
  entries_.push_back({QString::fromStdString(area.name), colour, LegendEntry::Mark::area});
  QChart* chart = view_->chart();
  chart->addSeries(filled);
  for (QAbstractAxis* axis : chart->axes()) filled->attachAxis(axis);
}

void Chart::add_point(const Point& point, const std::optional<Point>& range) {
  const auto bar = [&](const Point& of, const QPen& pen) {
    auto* interval = new QLineSeries;
    interval->setPen(pen);
    interval->append(of.x, of.low);
    interval->append(of.x, of.high);
    attach(interval);
  };
  if (range) {
    QColor wide = theme_.series[1];
    wide.setAlphaF(0.6F);
    bar(*range, QPen(wide, 8.0, Qt::SolidLine, Qt::FlatCap));
    entries_.push_back({"simulated over the inputs, p10 to p90", wide, LegendEntry::Mark::area});
  }
  bar(point, QPen(theme_.ink, 2.0));
  auto* dot = new QScatterSeries;
  dot->setColor(theme_.ink);
  dot->setBorderColor(theme_.ground);
  dot->setMarkerSize(9.0);
  dot->append(point.x, point.y);
  attach(dot);
  entries_.push_back({"simulated, 95 %", theme_.ink, LegendEntry::Mark::circle});
}

void Chart::add_limit(const LineChart& lines, double low, double high) {
  limit_ = new QLineSeries;
  limit_->setPen(QPen(theme_.bad, 2.5, Qt::DashDotDotLine));
  limit_->append(low, lines.limit->at);
  limit_->append(high, lines.limit->at);
  attach(limit_);
  entries_.push_back(
      {QString::fromStdString(lines.limit->name), theme_.bad, LegendEntry::Mark::line, Qt::DashDotDotLine});
}

void Chart::show_scatter(const ScatterChart& scatter) {
  again_ = [scatter](Chart& chart) { chart.show_scatter(scatter); };
  double low_x = std::numeric_limits<double>::infinity();
  double low_y = low_x;
  double high_x = -low_x;
  double high_y = -low_x;
  Figures figures;
  figures.header = {"group", scatter.x_title, scatter.y_title};
  for (const ScatterGroup& group : scatter.groups)
    for (std::size_t i = 0; i < group.x.size(); ++i) {
      low_x = std::min(low_x, group.x[i]), high_x = std::max(high_x, group.x[i]);
      low_y = std::min(low_y, group.y[i]), high_y = std::max(high_y, group.y[i]);
      figures.rows.push_back({{group.name, scenarios::print_number(group.x[i]), scenarios::print_number(group.y[i])},
                              std::pair(group.x[i], group.y[i])});
    }
  if (low_x > high_x) return show_nothing("nothing to show");
  keep_zoom_of(scatter.x_title, scatter.y_title);
  begin("points|" + scatter.x_title + "|" + scatter.y_title + (zoom_ ? "|zoomed" : "|"));
  figures_ = std::move(figures);
  if (scatter.diagonal) {
    low_x = low_y = std::min({0.0, low_x, low_y});
    high_x = high_y = std::max(high_x, high_y);
  }
  constexpr double kAlike = 1e-3;  // points that differ by less look better side by side than a mile apart
  if (high_x - low_x < kAlike * std::abs(high_x)) low_x *= 0.9, high_x *= 1.1;
  if (high_y - low_y < kAlike * std::abs(high_y)) low_y *= 0.9, high_y *= 1.1;
  if (!(high_y > low_y)) {
    const NiceRange nice = nice_range(low_y, high_y);
    low_y = nice.low, high_y = nice.high;
  }
  constexpr double kRoom = 0.06;  // of the span, so that no point lies on the frame
  const auto widen = [](double& low, double& high) {
    const double room = kRoom * (high - low);
    low = low >= 0.0 ? std::max(0.0, low - room) : low - room;
    high += room;
  };
  widen(low_x, high_x);
  widen(low_y, high_y);
  make_axes(scatter.x_title, scatter.y_title, low_x, high_x, false, {low_y, high_y, kExactEnds});
  if (scatter.diagonal) add_equals(scatter, low_x, high_x);
  for (std::size_t i = 0; i < scatter.groups.size(); ++i) add_group(scatter.groups[i], i);
  for (Reading& reading : readings_)
    reading.lines += {said_with_unit(scatter.x_title, reading.x), said_with_unit(scatter.y_title, reading.y)};
  show_legend(scatter.groups.size() > 1 || scatter.diagonal);
  style_axes();
  tell(QString("%1: %2 over %3")
           .arg(title_, QString::fromStdString(scatter.y_title), QString::fromStdString(scatter.x_title)));
}

void Chart::add_equals(const ScatterChart& scatter, double low, double high) {
  for (const double beside : {0.0, -scatter.margin, scatter.margin}) {
    auto* equals = new QLineSeries;
    equals->setPen(QPen(theme_.faint, 1.0, beside == 0.0 ? Qt::SolidLine : Qt::DotLine));
    equals->append(low, low + beside);
    equals->append(high, high + beside);
    attach(equals);
  }
  entries_.push_back({"equal", theme_.faint, LegendEntry::Mark::line, Qt::SolidLine});
  if (scatter.margin > 0.0)
    entries_.push_back(
        {QString("within %1 points").arg(scatter.margin), theme_.faint, LegendEntry::Mark::line, Qt::DotLine});
}

void Chart::add_group(const ScatterGroup& group, std::size_t number) {
  const QColor colour = theme_.series[number % theme_.series.size()];
  if (group.line) {
    auto* joined = new QLineSeries;
    joined->setPen(QPen(colour, 1.5, Qt::DashLine));
    for (std::size_t i = 0; i < group.x.size(); ++i) joined->append(group.x[i], group.y[i]);
    attach(joined);
  }
  constexpr QScatterSeries::MarkerShape shapes[] = {QScatterSeries::MarkerShapeStar, QScatterSeries::MarkerShapeCircle,
                                                    QScatterSeries::MarkerShapeRectangle,
                                                    QScatterSeries::MarkerShapeTriangle};
  constexpr LegendEntry::Mark marks[] = {LegendEntry::Mark::star, LegendEntry::Mark::circle, LegendEntry::Mark::square,
                                         LegendEntry::Mark::triangle};
  auto* dots = new QScatterSeries;
  dots->setColor(colour);
  dots->setBorderColor(theme_.ink);
  dots->setMarkerShape(shapes[number % std::size(shapes)]);
  dots->setMarkerSize(number == 0 ? 16.0 : 11.0);
  for (std::size_t i = 0; i < group.x.size(); ++i) {
    dots->append(group.x[i], group.y[i]);
    const bool named = i < group.names.size();
    add_reading(group.x[i], group.y[i], number, {QString::fromStdString(named ? group.names[i] : group.name)});
  }
  attach(dots);
  entries_.push_back({QString::fromStdString(group.name), colour, marks[number % std::size(marks)]});
  connect(dots, &QScatterSeries::clicked, this, [this, group](const QPointF& at) {
    if (was_drag_) return;
    for (std::size_t i = 0; i < group.x.size(); ++i)
      if (group.x[i] == at.x() && group.y[i] == at.y()) {
        const int id = group.ids[i];
        // The chart may go away with what the choice does.
        QMetaObject::invokeMethod(
            this, [this, id] { Q_EMIT point_chosen(id); }, Qt::QueuedConnection);
        return;
      }
  });
}

void Chart::show_map(const HeatMap& map) {
  again_ = [map](Chart& chart) { chart.show_map(map); };
  figures_ = {};
  frame_.clear();
  pending_ = false;
  zoom_.reset();
  figures_.header = {map.x_title, map.y_title, map.value_title};
  for (std::size_t r = 0; r < map.values.size(); ++r)
    for (std::size_t c = 0; c < map.values[r].size(); ++c)
      figures_.rows.push_back({{map.x[c], map.y[r], scenarios::print_number(map.values[r][c])}, std::nullopt});
  map_->show(title_, map);
  map_->set_theme(theme_);
  tell(QString("%1: %2 over %3 and %4")
           .arg(title_, QString::fromStdString(map.value_title), QString::fromStdString(map.x_title),
                QString::fromStdString(map.y_title)));
  static_cast<QStackedLayout*>(layout())->setCurrentWidget(map_);
}

}  // namespace headrace::gui
