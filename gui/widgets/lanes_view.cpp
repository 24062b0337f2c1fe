#include "gui/widgets/lanes_view.hpp"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "gui/widgets/chart.hpp"
#include "gui/widgets/qt_text.hpp"
#include "reports/humane.hpp"

namespace headrace::gui {
namespace {

constexpr double kLane_px = 18.0;
constexpr double kGpuGap_px = 6.0;  ///< above each GPU

/// Workers stand behind their GPU.
QString short_lane(const Lane& lane) { return lane.gpu ? q(lane.name) : "    " + q(lane.name).section(", ", -1); }

}  // namespace

LanesView::LanesView(QWidget* parent) : QWidget(parent) {
  setAccessibleName("Batches and steps over time");
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void LanesView::show_lanes(BatchLanes lanes) {
  lanes_ = std::move(lanes);
  updateGeometry();
  update();
}

void LanesView::look_at(double begin_s, double end_s) {
  begin_s_ = begin_s;
  end_s_ = std::max(end_s, begin_s + 1e-9);
  setAccessibleDescription(q("from " + reports::humane(begin_s_, "s", 3) + " to " + reports::humane(end_s_, "s", 3)));
  update();
}

void LanesView::set_theme(const Theme& theme) {
  theme_ = theme;
  update();
}

QSize LanesView::sizeHint() const {
  double height = 2.0 * fontMetrics().height() + 10.0;
  for (const Lane& lane : lanes_.lanes) height += kLane_px + (lane.gpu ? kGpuGap_px : 0.0);
  return {500, static_cast<int>(height)};
}

double LanesView::names_px() const {
  double widest = 40.0;
  for (const Lane& lane : lanes_.lanes)
    widest = std::max<double>(widest, fontMetrics().horizontalAdvance(short_lane(lane)));
  return std::min(widest + 8.0, 0.35 * width());
}

QRectF LanesView::lane_place(std::size_t lane) const {
  double top = 2.0;
  for (std::size_t i = 0; i <= lane && i < lanes_.lanes.size(); ++i) {
    if (lanes_.lanes[i].gpu) top += kGpuGap_px;
    if (i < lane) top += kLane_px;
  }
  const double left = names_px();
  return {left, top, std::max(20.0, width() - left - 6.0), kLane_px - 2.0};
}

QRectF LanesView::bar_place(const LaneBar& bar, const QRectF& lane) const {
  const double scale = lane.width() / (end_s_ - begin_s_);
  const double from = std::clamp((bar.begin_s - begin_s_) * scale, 0.0, lane.width());
  const double to = std::clamp((bar.end_s - begin_s_) * scale, 0.0, lane.width());
  return {lane.left() + from, lane.top(), to - from, lane.height()};
}

QColor LanesView::colour_of(std::size_t look) const {
  const std::string& name = lanes_.looks[look];
  // As on pages, the states of a GPU have a brown and a violet beside the colours of the stages.
  if (look < kWaitLooks) return look == 0 ? theme_.bad : QColor(theme_.dark ? "#bd9468" : "#7b4f2c");
  if (name == "compute") return QColor(theme_.dark ? "#ab8ee6" : "#5b3a8c");
  if (name == "start up") return theme_.rule;
  if (name == "copy to the device" || name == "collective" || name == "overhead") return theme_.faint;
  return theme_.series[(look - kWaitLooks) % (theme_.series.size() - 1)];  // the last one is that of waits
}

std::vector<LegendEntry> LanesView::legend() const {
  std::vector<bool> seen(lanes_.looks.size(), false);
  for (const Lane& lane : lanes_.lanes)
    for (const LaneBar& bar : lane.bars)
      if (bar.end_s > begin_s_ && bar.begin_s < end_s_) seen[bar.look] = true;
  std::vector<LegendEntry> entries;
  for (std::size_t look = 0; look < seen.size(); ++look)
    if (seen[look]) entries.push_back({q(lanes_.looks[look]), colour_of(look), LegendEntry::Mark::area});
  return entries;
}

void LanesView::paint_lane(QPainter& painter, std::size_t lane) const {
  const QRectF place = lane_place(lane);
  const Lane& drawn = lanes_.lanes[lane];
  painter.setPen(theme_.ink);
  painter.drawText(QRectF(2.0, place.top(), place.left() - 6.0, place.height()), Qt::AlignLeft | Qt::AlignVCenter,
                   fontMetrics().elidedText(short_lane(drawn), Qt::ElideLeft, static_cast<int>(place.left()) - 6));
  painter.fillRect(place, theme_.sheet);
  constexpr double kSeen_px = 0.4;
  for (const LaneBar& bar : drawn.bars) {
    if (bar.end_s <= begin_s_) continue;
    if (bar.begin_s >= end_s_) break;
    QRectF at = bar_place(bar, place);
    at.setWidth(std::max(kSeen_px, at.width()));
    const QColor colour = colour_of(bar.look);
    painter.fillRect(at, colour);
    constexpr double kEdged_px = 6.0;
    if (at.width() < kEdged_px) continue;
    painter.setPen(QPen(theme_.ground, 1.0));
    painter.drawLine(at.topRight(), at.bottomRight());
    const QString words = q(bar.text).section(", ", 0, 0);
    if (fontMetrics().horizontalAdvance(words) + 6 > at.width()) continue;
    painter.setPen(contrast(colour, QColor("#000000")) > contrast(colour, QColor("#ffffff")) ? QColor("#000000")
                                                                                             : QColor("#ffffff"));
    painter.drawText(at, Qt::AlignCenter, words);
  }
}

/// Round times below the lanes.
void LanesView::paint_time(QPainter& painter) const {
  const QRectF last = lane_place(lanes_.lanes.size() - 1);
  const reports::Scale scale = reports::humane_scale(end_s_, "s");
  const double step = nice_step(end_s_ - begin_s_, 5.0);
  painter.setPen(theme_.ink);
  const double line = fontMetrics().height();
  for (double at = std::ceil(begin_s_ / step) * step; at <= end_s_; at += step) {
    const double x = last.left() + (at - begin_s_) / (end_s_ - begin_s_) * last.width();
    painter.setPen(theme_.rule);
    painter.drawLine(QPointF(x, 0.0), QPointF(x, last.bottom() + 3.0));
    painter.setPen(theme_.ink);
    const QString text = q(reports::humane_number(at * scale.factor, 5));
    const double wide = fontMetrics().horizontalAdvance(text);
    const double left = std::clamp(x - 0.5 * wide, last.left(), last.right() - wide);
    painter.drawText(QRectF(left, last.bottom() + 4.0, wide + 2.0, line), Qt::AlignLeft, text);
  }
  painter.drawText(QRectF(last.left(), last.bottom() + 4.0 + line, last.width(), line), Qt::AlignCenter,
                   q("time since the start of the recording, " + scale.unit));
}

void LanesView::paintEvent(QPaintEvent* event) {
  QPainter painter(this);
  painter.fillRect(rect(), theme_.ground);
  if (lanes_.lanes.empty()) return;
  for (std::size_t lane = 0; lane < lanes_.lanes.size(); ++lane)
    if (lane_place(lane).adjusted(-1e4, 0, 1e4, 0).intersects(QRectF(event->rect()))) paint_lane(painter, lane);
  paint_time(painter);
}

QString LanesView::text_at(const QPoint& where) const {
  for (std::size_t lane = 0; lane < lanes_.lanes.size(); ++lane) {
    const QRectF place = lane_place(lane);
    if (!place.contains(where)) continue;
    const double at_s = begin_s_ + (where.x() - place.left()) / place.width() * (end_s_ - begin_s_);
    for (const LaneBar& bar : lanes_.lanes[lane].bars)
      if (bar.begin_s <= at_s && at_s < bar.end_s)
        return q(lanes_.lanes[lane].name + ": " + bar.text + ", " + reports::humane(bar.begin_s, "s") + " to " +
                 reports::humane(bar.end_s, "s") + " (" + reports::humane(bar.end_s - bar.begin_s, "s", 3) + ")");
    return q(lanes_.lanes[lane].name + ": nothing under way");
  }
  return {};
}

void LanesView::mouseMoveEvent(QMouseEvent* event) { Q_EMIT hovered(text_at(event->pos())); }

bool LanesView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  QToolTip::showText(help->globalPos(), text_at(help->pos()), this);
  return true;
}

}  // namespace headrace::gui
