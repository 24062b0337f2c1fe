// Values of a chart for the mouse over it and for the keyboard: a crosshair at the nearest point or bar, with its name,
// its place and its value.
#include <QChart>
#include <QChartView>
#include <QMouseEvent>
#include <QStackedLayout>
#include <algorithm>
#include <cmath>
#include <limits>

#include "gui/widgets/chart.hpp"
#include "gui/widgets/chart_ghosts.hpp"
#include "gui/widgets/crosshair.hpp"
#include "gui/widgets/qt_text.hpp"

namespace headrace::gui {
namespace {

/// "GPU idle 12.1 to 12.9 %" of the axis "GPU idle, %".
QString said_between(const std::string& axis_title, double low, double high) {
  QString whole = said_with_unit(axis_title, high);
  const QString last = number_said(high);
  return whole.replace(whole.lastIndexOf(last), last.size(), number_said(low) + " to " + last);
}

}  // namespace

void Chart::add_reading(double x, double y, std::size_t series, QStringList lines) {
  if (std::isfinite(x) && std::isfinite(y)) readings_.push_back({x, y, series, std::move(lines)});
}

void Chart::add_readings(const LineChart& chart) {
  std::size_t series = 0;
  for (const Line& line : chart.lines) {
    for (std::size_t i = 0; i < line.x.size(); ++i)
      add_reading(
          line.x[i], line.y[i], series,
          {q(line.name), i < chart.x_names.size() ? q(chart.x_names[i]) : said_with_unit(chart.x_title, line.x[i]),
           said_with_unit(chart.y_title, line.y[i])});
    ++series;
  }
  for (const Area& area : chart.areas) {
    for (std::size_t i = 0; i < area.x.size(); ++i)
      for (const double edge : {area.low[i], area.high[i]})
        add_reading(area.x[i], edge, series,
                    {q(area.name), said_with_unit(chart.x_title, area.x[i]),
                     said_between(chart.y_title, area.low[i], area.high[i])});
    ++series;
  }
  if (!chart.point) return;
  const Point& point = *chart.point;
  add_reading(point.x, point.y, series,
              {"simulated", said_with_unit(chart.x_title, point.x), said_with_unit(chart.y_title, point.y),
               "95 %: " + said_between(chart.y_title, point.low, point.high)});
}

void Chart::read_bars(const std::vector<Share>& shares, const std::vector<double>& ends,
                      const std::vector<Ghost>& ghosts) {
  in_rows_ = true;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    QStringList lines{q(shares[i].name), q(shares[i].text)};
    for (const Ghost& ghost : ghosts)
      if (const Share* kept = share_named(ghost.shares, shares[i].name))
        lines.append(q(ghost.name + ": " + kept->text));
    add_reading(ends[i], static_cast<double>(ends.size() - 1 - i), 0, std::move(lines));
  }
}

QRectF Chart::plot_in_view() const {
  const QChart* chart = view_->chart();
  return view_->mapFromScene(chart->mapRectToScene(plot_area())).boundingRect();
}

QStringList Chart::read_now() const { return reading_ ? readings_[*reading_].lines : QStringList(); }

void Chart::stop_reading() {
  if (reading_) view_->setAccessibleDescription(accessibleDescription());
  reading_.reset();
  crosshair_->take_away();
}

void Chart::read(std::size_t reading) {
  reading_ = reading;
  const Reading& at = readings_[reading];
  crosshair_->show_at(position_of(at.x, at.y), plot_in_view(), at.lines, theme_);
  view_->setAccessibleDescription(at.lines.join(", "));
}

/// The nearest bar by its row; the nearest point, of those that are near along the x axis before others.
void Chart::read_at(const QPointF& in_view) {
  constexpr double kAcross = 3.0;  // a pixel beside a point counts as much as three above it
  constexpr double kRounding_px = 2.0;
  const QRectF plot = plot_in_view().adjusted(-kRounding_px, -kRounding_px, kRounding_px, kRounding_px);
  std::optional<std::size_t> nearest;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < readings_.size(); ++i) {
    const QPointF at = position_of(readings_[i].x, readings_[i].y);
    if (!plot.contains(at)) continue;
    const QPointF off = at - in_view;
    const double distance = in_rows_ ? std::abs(off.y()) : std::hypot(kAcross * off.x(), off.y());
    if (distance < least) least = distance, nearest = i;
  }
  if (!nearest) return stop_reading();
  if (nearest != reading_) read(*nearest);
}

void Chart::hover_event(const QEvent& event) {
  switch (event.type()) {
    case QEvent::MouseMove: {
      const auto& mouse = static_cast<const QMouseEvent&>(event);
      const bool in_plot = !readings_.empty() && plot_in_view().contains(mouse.position());
      if (in_plot && mouse.buttons() == Qt::NoButton && !dragging_) return read_at(mouse.position());
      return stop_reading();
    }
    case QEvent::Leave:
    case QEvent::FocusOut:
    case QEvent::MouseButtonPress:
    case QEvent::Resize:
      return stop_reading();
    default:
      return;
  }
}

/// From bar to bar; along a series, and from series to series at about the same x.
bool Chart::read_key(int key) {
  const bool along = key == Qt::Key_Left || key == Qt::Key_Right;
  if ((!along && key != Qt::Key_Up && key != Qt::Key_Down) || readings_.empty()) return false;
  std::vector<std::size_t> order(readings_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto place = [this](std::size_t i) {
    const Reading& reading = readings_[i];
    return in_rows_ ? std::pair(0.0, -reading.y) : std::pair(static_cast<double>(reading.series), reading.x);
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
  const auto now = reading_ ? std::find(order.begin(), order.end(), *reading_) : order.end();
  if (now == order.end()) {
    read(order.front());
    return true;
  }
  const bool on = key == Qt::Key_Right || key == Qt::Key_Down;
  if (along || in_rows_) {
    if (on ? now + 1 != order.end() : now != order.begin()) read(*(on ? now + 1 : now - 1));
    return true;
  }
  const Reading& from = readings_[*now];
  std::optional<std::size_t> nearest;
  for (const std::size_t i : order) {
    const bool next = readings_[i].series == from.series + (on ? 1 : static_cast<std::size_t>(-1));
    if (next && (!nearest || std::abs(readings_[i].x - from.x) < std::abs(readings_[*nearest].x - from.x))) nearest = i;
  }
  if (nearest) read(*nearest);
  return true;
}

}  // namespace headrace::gui
