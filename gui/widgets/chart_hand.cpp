// What mouse and keys do in a chart: drag the limit, zoom into a part, go back to the whole.
#include <QAbstractAxis>
#include <QChart>
#include <QChartView>
#include <QKeyEvent>
#include <QLineSeries>
#include <QLogValueAxis>
#include <QMouseEvent>
#include <QRubberBand>
#include <QStackedLayout>
#include <QValueAxis>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "gui/widgets/chart.hpp"

namespace headrace::gui {
namespace {

constexpr double kZoomStep = 1.25;
constexpr double kPanStep = 0.1;
constexpr int kDrag_px = 8;

/// Ends of an axis of numbers.
std::optional<std::pair<double, double>> ends_of(const QAbstractAxis* axis) {
  if (const auto* value = qobject_cast<const QValueAxis*>(axis)) return std::pair(value->min(), value->max());
  if (const auto* log = qobject_cast<const QLogValueAxis*>(axis)) return std::pair(log->min(), log->max());
  return std::nullopt;
}

/// A range `factor` times as long around its middle, moved by a share of its length.
std::pair<double, double> changed(std::pair<double, double> range, double factor, double move, bool log) {
  if (log) range = {std::log(range.first), std::log(range.second)};
  const double middle = 0.5 * (range.first + range.second);
  const double half = 0.5 * (range.second - range.first);
  range = {middle - factor * half + 2.0 * move * half, middle + factor * half + 2.0 * move * half};
  return log ? std::pair(std::exp(range.first), std::exp(range.second)) : range;
}

}  // namespace

QPointF Chart::position_of(double x, double y) const {
  const QList<QAbstractSeries*> all = view_->chart()->series();
  if (all.isEmpty()) return {};
  return view_->mapFromScene(view_->chart()->mapToScene(view_->chart()->mapToPosition({x, y}, all.first())));
}

QWidget* Chart::surface() const { return view_->viewport(); }

QPointF Chart::value_at(const QPoint& in_view) const {
  const QList<QAbstractSeries*> all = view_->chart()->series();
  if (all.isEmpty()) return {};
  return view_->chart()->mapToValue(view_->chart()->mapFromScene(view_->mapToScene(in_view)), all.first());
}

std::optional<View> Chart::in_view() const {
  if (static_cast<QStackedLayout*>(layout())->currentWidget() != plot_) return std::nullopt;
  const QList<QAbstractAxis*> across = view_->chart()->axes(Qt::Horizontal);
  const QList<QAbstractAxis*> up = view_->chart()->axes(Qt::Vertical);
  if (across.isEmpty() || up.isEmpty()) return std::nullopt;
  const auto x = ends_of(across.first());
  const auto y = ends_of(up.first());
  if (!x || !y) return std::nullopt;
  return View{x->first, x->second, y->first, y->second};
}

std::optional<View> Chart::changed_view(double factor, double right, double up) const {
  const std::optional<View> now = in_view();
  if (!now) return std::nullopt;
  const auto x = changed({now->x_low, now->x_high}, factor, right, log_x_);
  const auto y = changed({now->y_low, now->y_high}, factor, up, false);
  return View{x.first, x.second, y.first, y.second};
}

void Chart::set_zoom(const std::optional<View>& view) {
  zoom_ = view;
  const auto again = again_;  // drawing sets it anew
  if (again) again(*this);
}

void Chart::want_zoom(const std::optional<View>& view) {
  if (view && !(view->x_high > view->x_low && view->y_high > view->y_low)) return;
  if (view != zoom_) Q_EMIT zoom_wanted(zoom_, view);
}

void Chart::drag_limit(double at) {
  if (limit_ == nullptr) return;
  for (QAbstractAxis* axis : limit_->attachedAxes()) {
    const auto* value = qobject_cast<QValueAxis*>(axis);
    if (value != nullptr && axis->orientation() == Qt::Vertical) at = std::clamp(at, value->min(), value->max());
  }
  for (int i = 0; i < limit_->count(); ++i) limit_->replace(i, limit_->at(i).x(), at);
}

/// True when the event was a part of dragging the limit.
bool Chart::drag_event(QMouseEvent* event) {
  if (limit_ == nullptr) return false;
  constexpr double kReach_px = 7.0;
  const QPointF at = view_->chart()->mapFromScene(view_->mapToScene(event->position().toPoint()));
  const double line_y = view_->chart()->mapToPosition(limit_->at(0), limit_).y();
  const bool near = std::abs(at.y() - line_y) <= kReach_px && view_->chart()->plotArea().contains(at);
  if (event->type() == QEvent::MouseButtonPress && event->button() == Qt::LeftButton && near) {
    dragging_ = true;
    return true;
  }
  if (event->type() == QEvent::MouseMove && !pressed_) {
    view_->viewport()->setCursor(dragging_ || near ? Qt::SizeVerCursor : Qt::ArrowCursor);
    if (!dragging_) return false;
    drag_limit(view_->chart()->mapToValue(at, limit_).y());
    return true;
  }
  if (event->type() == QEvent::MouseButtonRelease && dragging_) {
    dragging_ = false;
    Q_EMIT limit_moved(limit_->at(0).y());
    return true;
  }
  return false;
}

/// A rectangle that is drawn with the left button becomes the view; a click stays one. True: not to be passed on.
bool Chart::band_event(QMouseEvent* event) {
  const QPoint at = event->position().toPoint();
  if (event->type() == QEvent::MouseButtonPress && event->button() == Qt::LeftButton) {
    was_drag_ = false;
    pressed_ = in_view() && view_->chart()->plotArea().contains(view_->chart()->mapFromScene(view_->mapToScene(at)));
    band_from_ = at;
    return false;
  }
  if (!pressed_) return false;
  if (event->type() == QEvent::MouseMove) {
    if ((at - band_from_).manhattanLength() < kDrag_px) return false;
    band_->setGeometry(QRect(band_from_, at).normalized());
    band_->show();
    return true;
  }
  if (event->type() != QEvent::MouseButtonRelease) return false;
  pressed_ = false;
  if (!band_->isVisible()) return false;
  band_->hide();
  was_drag_ = true;  // the view gets the release, too: a point that was pressed lets go, and is not chosen
  const QPointF from = value_at(band_from_);
  const QPointF to = value_at(at);
  const View view{std::min(from.x(), to.x()), std::max(from.x(), to.x()), std::min(from.y(), to.y()),
                  std::max(from.y(), to.y())};
  if (std::abs(at.x() - band_from_.x()) >= kDrag_px && std::abs(at.y() - band_from_.y()) >= kDrag_px)
    QMetaObject::invokeMethod(
        this, [this, view] { want_zoom(view); }, Qt::QueuedConnection);
  return false;
}

bool Chart::key_event(int key, bool shift) {
  if ((shift || !zoom_) && read_key(key)) return true;
  if (limit_ != nullptr && (key == Qt::Key_Plus || key == Qt::Key_Minus)) {
    constexpr double kStep = 1.1;
    drag_limit(limit_->at(0).y() * (key == Qt::Key_Plus ? kStep : 1.0 / kStep));
    Q_EMIT limit_moved(limit_->at(0).y());
    return true;
  }
  switch (key) {
    case Qt::Key_PageUp:
      want_zoom(changed_view(1.0 / kZoomStep, 0.0, 0.0));
      return true;
    case Qt::Key_PageDown:
      want_zoom(changed_view(kZoomStep, 0.0, 0.0));
      return true;
    case Qt::Key_Home:
      want_zoom(std::nullopt);
      return true;
    case Qt::Key_Left:
    case Qt::Key_Right:
      if (zoom_) want_zoom(changed_view(1.0, key == Qt::Key_Right ? kPanStep : -kPanStep, 0.0));
      return zoom_.has_value();
    case Qt::Key_Up:
    case Qt::Key_Down:
      if (zoom_) want_zoom(changed_view(1.0, 0.0, key == Qt::Key_Up ? kPanStep : -kPanStep));
      return zoom_.has_value();
    case Qt::Key_T:
      Q_EMIT figures_wanted();
      return true;
    default:
      return false;
  }
}

bool Chart::eventFilter(QObject* watched, QEvent* event) {
  if (watched == view_->viewport() || event->type() == QEvent::FocusOut) hover_event(*event);
  if (watched == view_->viewport()) {
    if (event->type() == QEvent::Resize) place_plot();
    if (auto* mouse = dynamic_cast<QMouseEvent*>(event)) {
      if (event->type() == QEvent::MouseButtonDblClick && zoom_) {
        QMetaObject::invokeMethod(
            this, [this] { want_zoom(std::nullopt); }, Qt::QueuedConnection);
        return true;
      }
      if (drag_event(mouse) || band_event(mouse)) return true;
    }
    if (event->type() == QEvent::Wheel) {
      const auto* wheel = static_cast<QWheelEvent*>(event);
      if (!wheel->modifiers().testFlag(Qt::ControlModifier)) {
        event->ignore();  // the page below scrolls
        return true;
      }
      want_zoom(changed_view(wheel->angleDelta().y() > 0 ? 1.0 / kZoomStep : kZoomStep, 0.0, 0.0));
      return true;
    }
  }
  if (event->type() == QEvent::KeyPress && (watched == view_ || watched == map_)) {
    const auto* pressed = static_cast<QKeyEvent*>(event);
    const int key = pressed->key();
    const bool shift = pressed->modifiers().testFlag(Qt::ShiftModifier);
    if ((watched == view_ || key == Qt::Key_T) && key_event(key, shift)) return true;
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace headrace::gui
