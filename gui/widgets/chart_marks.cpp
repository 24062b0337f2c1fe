// What stands on the axes of a chart beside its lines: areas, a point with its intervals, points to choose, and the
// limit that can be dragged.
#include <QAreaSeries>
#include <QChart>
#include <QChartView>
#include <QKeyEvent>
#include <QLegend>
#include <QLegendMarker>
#include <QLineSeries>
#include <QLogValueAxis>
#include <QMouseEvent>
#include <QScatterSeries>
#include <QStackedLayout>
#include <QValueAxis>
#include <algorithm>
#include <cmath>
#include <limits>

#include "gui/widgets/chart.hpp"
#include "gui/widgets/chart_text.hpp"

namespace headrace::gui {

QAbstractAxis* Chart::make_axes(const std::string& x_title, const std::string& y_title, double low, double high,
                                bool log_x, const NiceRange& y) {
  QAbstractAxis* x_axis = nullptr;
  if (log_x) {
    auto* axis = new QLogValueAxis;
    axis->setBase(10.0);
    axis->setRange(low, high);
    axis->setLabelFormat("%g");
    x_axis = axis;
  } else {
    const NiceRange x = nice_range(low, high);
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
  x_axis->setTitleText(QString::fromStdString(x_title));
  y_axis->setTitleText(QString::fromStdString(y_title));
  view_->chart()->addAxis(x_axis, Qt::AlignBottom);
  view_->chart()->addAxis(y_axis, Qt::AlignLeft);
  return x_axis;
}

void Chart::attach(QXYSeries* series) {
  QChart* chart = view_->chart();
  chart->addSeries(series);
  for (QAbstractAxis* axis : chart->axes()) series->attachAxis(axis);
}

void Chart::hide_from_legend(QXYSeries* series) {
  for (QLegendMarker* marker : view_->chart()->legend()->markers(series)) marker->setVisible(false);
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
  filled->setName(QString::fromStdString(area.name));
  QColor colour = theme_.series[number % theme_.series.size()];
  filled->setPen(QPen(colour, 1.0, Qt::DotLine));
  colour.setAlphaF(0.22F);
  filled->setBrush(colour);
  QChart* chart = view_->chart();
  chart->addSeries(filled);
  for (QAbstractAxis* axis : chart->axes()) filled->attachAxis(axis);
}

void Chart::add_point(const Point& point, const std::optional<Point>& range) {
  const auto bar = [&](const Point& of, const QPen& pen, const char* name) {
    auto* interval = new QLineSeries;
    interval->setName(name);
    interval->setPen(pen);
    interval->append(of.x, of.low);
    interval->append(of.x, of.high);
    attach(interval);
    return interval;
  };
  if (range) {
    QColor wide = theme_.series[1];
    wide.setAlphaF(0.6F);
    bar(*range, QPen(wide, 8.0, Qt::SolidLine, Qt::FlatCap), "inputs there");
  }
  hide_from_legend(bar(point, QPen(theme_.ink, 2.0), "95 %"));
  auto* dot = new QScatterSeries;
  dot->setName("simulated");
  dot->setColor(theme_.ink);
  dot->setBorderColor(theme_.ground);
  dot->setMarkerSize(9.0);
  dot->append(point.x, point.y);
  attach(dot);
}

void Chart::add_limit(const LineChart& lines, double low, double high) {
  limit_ = new QLineSeries;
  limit_->setName(QString::fromStdString(lines.limit->name));
  limit_->setPen(QPen(theme_.bad, 2.5, Qt::DashDotDotLine));
  limit_->append(low, lines.limit->at);
  limit_->append(high, lines.limit->at);
  attach(limit_);
}

void Chart::show_scatter(const ScatterChart& scatter) {
  again_ = [this, scatter] { show_scatter(scatter); };
  double low_x = std::numeric_limits<double>::infinity();
  double low_y = low_x;
  double high_x = -low_x;
  double high_y = -low_x;
  csv_ = "group," + csv_cell(scatter.x_title) + "," + csv_cell(scatter.y_title) + "\r\n";
  for (const ScatterGroup& group : scatter.groups)
    for (std::size_t i = 0; i < group.x.size(); ++i) {
      low_x = std::min(low_x, group.x[i]), high_x = std::max(high_x, group.x[i]);
      low_y = std::min(low_y, group.y[i]), high_y = std::max(high_y, group.y[i]);
      csv_ += csv_cell(group.name) + "," + text_of(group.x[i]) + "," + text_of(group.y[i]) + "\r\n";
    }
  if (low_x > high_x) return show_nothing("nothing to show");
  QChart* chart = fresh();
  if (scatter.diagonal) {
    low_x = low_y = std::min({0.0, low_x, low_y});
    high_x = high_y = std::max(high_x, high_y);
  }
  constexpr double kAlike = 1e-3;  // points that differ by less look better side by side than a mile apart
  if (high_x - low_x < kAlike * std::abs(high_x)) low_x *= 0.9, high_x *= 1.1;
  if (high_y - low_y < kAlike * std::abs(high_y)) low_y *= 0.9, high_y *= 1.1;
  make_axes(scatter.x_title, scatter.y_title, low_x, high_x, false, nice_range(low_y, high_y));
  if (scatter.diagonal)
    for (const double beside : {0.0, -scatter.margin, scatter.margin}) {
      auto* equals = new QLineSeries;
      equals->setName("equal");
      equals->setPen(QPen(theme_.faint, 1.0, beside == 0.0 ? Qt::SolidLine : Qt::DotLine));
      equals->append(low_x, low_x + beside);
      equals->append(high_x, high_x + beside);
      attach(equals);
      hide_from_legend(equals);
    }
  std::size_t number = 0;
  for (const ScatterGroup& group : scatter.groups) {
    const QColor colour = theme_.series[number % theme_.series.size()];
    if (group.line) {
      auto* joined = new QLineSeries;
      joined->setPen(QPen(colour, 1.5, Qt::DashLine));
      for (std::size_t i = 0; i < group.x.size(); ++i) joined->append(group.x[i], group.y[i]);
      attach(joined);
      hide_from_legend(joined);
    }
    constexpr QScatterSeries::MarkerShape shapes[] = {
        QScatterSeries::MarkerShapeStar, QScatterSeries::MarkerShapeCircle, QScatterSeries::MarkerShapeRectangle,
        QScatterSeries::MarkerShapeTriangle};
    auto* dots = new QScatterSeries;
    dots->setName(QString::fromStdString(group.name));
    dots->setColor(colour);
    dots->setBorderColor(theme_.ink);
    dots->setMarkerShape(shapes[number % std::size(shapes)]);
    dots->setMarkerSize(number == 0 ? 16.0 : 11.0);
    for (std::size_t i = 0; i < group.x.size(); ++i) dots->append(group.x[i], group.y[i]);
    attach(dots);
    connect(dots, &QScatterSeries::clicked, this, [this, group](const QPointF& at) {
      for (std::size_t i = 0; i < group.x.size(); ++i)
        if (group.x[i] == at.x() && group.y[i] == at.y()) {
          const int id = group.ids[i];
          // The chart may go away with what the choice does.
          QMetaObject::invokeMethod(
              this, [this, id] { emit point_chosen(id); }, Qt::QueuedConnection);
          return;
        }
    });
    ++number;
  }
  chart->legend()->setVisible(scatter.groups.size() > 1);
  style_axes();
  tell(QString("%1: %2 over %3")
           .arg(title_, QString::fromStdString(scatter.y_title), QString::fromStdString(scatter.x_title)));
}

void Chart::show_map(const HeatMap& map) {
  again_ = [this, map] { show_map(map); };
  csv_ = csv_cell(map.x_title) + "," + csv_cell(map.y_title) + "," + csv_cell(map.value_title) + "\r\n";
  for (std::size_t r = 0; r < map.values.size(); ++r)
    for (std::size_t c = 0; c < map.values[r].size(); ++c)
      csv_ += csv_cell(map.x[c]) + "," + csv_cell(map.y[r]) + "," + text_of(map.values[r][c]) + "\r\n";
  map_->show(title_, map);
  map_->set_theme(theme_);
  tell(QString("%1: %2 over %3 and %4")
           .arg(title_, QString::fromStdString(map.value_title), QString::fromStdString(map.x_title),
                QString::fromStdString(map.y_title)));
  static_cast<QStackedLayout*>(layout())->setCurrentWidget(map_);
}

QPointF Chart::position_of(double x, double y) const {
  const QList<QAbstractSeries*> all = view_->chart()->series();
  if (all.isEmpty()) return {};
  return view_->mapFromScene(view_->chart()->mapToScene(view_->chart()->mapToPosition({x, y}, all.first())));
}

QWidget* Chart::surface() const { return view_->viewport(); }

void Chart::drag_limit(double at) {
  if (limit_ == nullptr) return;
  for (QAbstractAxis* axis : limit_->attachedAxes()) {
    const auto* value = qobject_cast<QValueAxis*>(axis);
    if (value != nullptr && axis->orientation() == Qt::Vertical) at = std::clamp(at, value->min(), value->max());
  }
  for (int i = 0; i < limit_->count(); ++i) limit_->replace(i, limit_->at(i).x(), at);
}

/// True when the event was a part of dragging the limit.
bool Chart::drag_event(QEvent* event) {
  const auto* mouse = dynamic_cast<QMouseEvent*>(event);
  if (mouse == nullptr || limit_ == nullptr) return false;
  constexpr double kReach_px = 7.0;
  const QPointF scene = view_->mapToScene(mouse->position().toPoint());
  const QPointF at = view_->chart()->mapFromScene(scene);
  const double line_y = view_->chart()->mapToPosition(limit_->at(0), limit_).y();
  const bool near = std::abs(at.y() - line_y) <= kReach_px && view_->chart()->plotArea().contains(at);
  if (event->type() == QEvent::MouseButtonPress && mouse->button() == Qt::LeftButton && near) {
    dragging_ = true;
    return true;
  }
  if (event->type() == QEvent::MouseMove) {
    view_->viewport()->setCursor(dragging_ || near ? Qt::SizeVerCursor : Qt::ArrowCursor);
    if (!dragging_) return false;
    drag_limit(view_->chart()->mapToValue(at, limit_).y());
    return true;
  }
  if (event->type() == QEvent::MouseButtonRelease && dragging_) {
    dragging_ = false;
    emit limit_moved(limit_->at(0).y());
    return true;
  }
  return false;
}

bool Chart::eventFilter(QObject* watched, QEvent* event) {
  if (watched == view_->viewport() && drag_event(event)) return true;
  if (event->type() == QEvent::KeyPress && limit_ != nullptr && watched == view_) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Plus || key == Qt::Key_Minus) {
      constexpr double kStep = 1.1;
      drag_limit(limit_->at(0).y() * (key == Qt::Key_Plus ? kStep : 1.0 / kStep));
      emit limit_moved(limit_->at(0).y());
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace headrace::gui
