#include "gui/widgets/lanes_view.hpp"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "gui/widgets/chart.hpp"
#include "gui/widgets/chart_ghosts.hpp"
#include "gui/widgets/letters.hpp"
#include "gui/widgets/qt_text.hpp"
#include "gui/widgets/state_colours.hpp"
#include "reports/humane.hpp"

namespace headrace::gui {
namespace {

constexpr double kLane_px = 18.0;
constexpr double kGpuGap_px = 6.0;  ///< above each GPU

/// A state of a GPU by what recordings call it.
std::optional<models::GpuState> state_named(const std::string& look) {
  using enum models::GpuState;
  constexpr std::array<std::pair<std::string_view, models::GpuState>, 7> kNames = {
      {{"compute", compute},
       {"copy to the device", h2d},
       {"collective", collective},
       {"overhead", overhead},
       {"start up", start_up},
       {"wait for the own batch", ingest_wait_own},
       {"wait for a peer's batch", ingest_wait_peer}}};
  const auto found = std::find_if(kNames.begin(), kNames.end(), [&](const auto& name) { return name.first == look; });
  return found == kNames.end() ? std::nullopt : std::optional(found->second);
}

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
  Q_EMIT times_changed();
}

void LanesView::look_at(double begin_s, double end_s) {
  begin_s_ = begin_s;
  end_s_ = std::max(end_s, begin_s + 1e-9);
  setAccessibleDescription(q("from " + reports::humane(begin_s_, "s", 3) + " to " + reports::humane(end_s_, "s", 3)));
  update();
  Q_EMIT times_changed();
}

void LanesView::set_theme(const Theme& theme) {
  theme_ = theme;
  update();
}

QSize LanesView::sizeHint() const {
  double height = 6.0;
  for (const Lane& lane : lanes_.lanes) height += by_letters(font(), kLane_px) + (lane.gpu ? kGpuGap_px : 0.0);
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
    if (i < lane) top += by_letters(font(), kLane_px);
  }
  const double left = names_px();
  return {left, top, std::max(20.0, width() - left - 6.0), by_letters(font(), kLane_px) - 2.0};
}

QRectF LanesView::bar_place(const LaneBar& bar, const QRectF& lane) const {
  const double scale = lane.width() / (end_s_ - begin_s_);
  const double from = std::clamp((bar.begin_s - begin_s_) * scale, 0.0, lane.width());
  const double to = std::clamp((bar.end_s - begin_s_) * scale, 0.0, lane.width());
  return {lane.left() + from, lane.top(), to - from, lane.height()};
}

QColor LanesView::colour_of_look(std::size_t look) const {
  const std::string& name = lanes_.looks[look];
  if (const auto state = state_named(name)) return colour_of(*state, theme_);
  const auto stage = std::find(models::kStageNames.begin(), models::kStageNames.end(), name);
  return stage == models::kStageNames.end()
             ? theme_.rule
             : colour_of(static_cast<models::Stage>(stage - models::kStageNames.begin()), theme_);
}

std::vector<LegendEntry> LanesView::legend() const {
  std::vector<bool> seen(lanes_.looks.size(), false);
  for (const Lane& lane : lanes_.lanes)
    for (const LaneBar& bar : lane.bars)
      if (bar.end_s > begin_s_ && bar.begin_s < end_s_) seen[bar.look] = true;
  std::vector<LegendEntry> entries;
  for (std::size_t look = 0; look < seen.size(); ++look)
    if (seen[look]) entries.push_back({q(lanes_.looks[look]), colour_of_look(look), LegendEntry::Mark::area});
  if (!entries.empty()) entries.push_back({"no batch", theme_.sheet, LegendEntry::Mark::area});
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
    const QColor colour = colour_of_look(bar.look);
    painter.fillRect(at, colour);
    constexpr double kEdged_px = 6.0;
    if (at.width() < kEdged_px) continue;
    painter.setPen(QPen(colour.darker(), 1.0));  // of no other meaning, and not under the next bar
    painter.drawLine(at.topLeft(), at.bottomLeft());
    const QString words = q(bar.text).section(", ", 0, 0);
    if (fontMetrics().horizontalAdvance(words) + 6 > at.width()) continue;
    painter.setPen(contrast(colour, QColor("#000000")) > contrast(colour, QColor("#ffffff")) ? QColor("#000000")
                                                                                             : QColor("#ffffff"));
    painter.drawText(at, Qt::AlignCenter, words);
  }
}

std::vector<double> LanesView::round_times_s() const {
  constexpr double kWantedTimes = 5.0;
  const double step_s = nice_step(end_s_ - begin_s_, kWantedTimes);
  std::vector<double> times_s;
  for (double at_s = std::ceil(begin_s_ / step_s) * step_s; at_s <= end_s_; at_s += step_s) times_s.push_back(at_s);
  return times_s;
}

double LanesView::x_of(double time_s) const {
  const QRectF lane = lane_place(0);
  return lane.left() + (time_s - begin_s_) / (end_s_ - begin_s_) * lane.width();
}

void LanesView::paint_times(QPainter& painter) const {
  painter.setPen(theme_.rule);
  for (const double at_s : round_times_s()) painter.drawLine(QPointF(x_of(at_s), 0.0), QPointF(x_of(at_s), height()));
}

void LanesView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  Q_EMIT times_changed();
}

void LanesView::paintEvent(QPaintEvent* event) {
  QPainter painter(this);
  painter.fillRect(rect(), theme_.ground);
  if (lanes_.lanes.empty()) return;
  for (std::size_t lane = 0; lane < lanes_.lanes.size(); ++lane)
    if (lane_place(lane).adjusted(-1e4, 0, 1e4, 0).intersects(QRectF(event->rect()))) paint_lane(painter, lane);
  paint_times(painter);
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

LanesAxis::LanesAxis(const LanesView& lanes, QWidget* parent) : QWidget(parent), lanes_(lanes) {
  setAccessibleName("Times of the lanes");
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  connect(&lanes, &LanesView::times_changed, this, [this] {
    setAccessibleDescription(title());
    update();
  });
}

namespace {

/// The unit in which the times that are shown differ in round numbers: seconds where they are seconds long, however
/// late they are in the epoch.
reports::Scale scale_of(const LanesView& lanes) {
  const double length_s = lanes.end_s() - lanes.begin_s();
  return reports::humane_scale(lanes.end_s() < 1.0 ? lanes.end_s() : std::max(1.0, length_s), "s");
}

}  // namespace

QSize LanesAxis::sizeHint() const { return {240, 2 * fontMetrics().height() + 6}; }

QString LanesAxis::title() const { return q("time since the start of the recording, " + scale_of(lanes_).unit); }

std::vector<LanesAxis::Label> LanesAxis::labels() const {
  std::vector<Label> labels;
  if (lanes_.lanes().lanes.empty()) return labels;
  constexpr int kDigits = 7;
  const double factor = scale_of(lanes_).factor;
  const double left = lanes_.mapToGlobal(QPointF(0.0, 0.0)).x() - mapToGlobal(QPointF(0.0, 0.0)).x();
  for (const double at_s : lanes_.round_times_s()) {
    const QString text = number_said(at_s * factor, kDigits);
    const double wide = fontMetrics().horizontalAdvance(text) + 2.0;
    const double begin = std::clamp(left + lanes_.x_of(at_s) - 0.5 * wide, 0.0, std::max(0.0, width() - wide));
    labels.push_back({text, QRectF(begin, 3.0, wide, fontMetrics().height())});
  }
  return labels;
}

void LanesAxis::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  const Theme& theme = lanes_.theme();
  painter.fillRect(rect(), theme.ground);
  painter.setPen(theme.ink);
  const std::vector<Label> all = labels();
  for (const Label& label : all) painter.drawText(label.place, Qt::AlignCenter, label.text);
  if (!all.empty())
    painter.drawText(QRectF(0.0, fontMetrics().height() + 3.0, width(), fontMetrics().height()), Qt::AlignCenter,
                     title());
}

}  // namespace headrace::gui
