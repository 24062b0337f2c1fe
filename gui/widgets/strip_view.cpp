#include "gui/widgets/strip_view.hpp"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "gui/widgets/heat_view.hpp"
#include "gui/widgets/qt_text.hpp"

namespace headrace::gui {
namespace {

constexpr double kStripEdge_px = 3.0;

}  // namespace

StripView::StripView(const QString& name, QWidget* parent) : QWidget(parent) {
  setAccessibleName(name);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void StripView::show_pieces(const std::vector<StripPiece>& pieces) {
  pieces_ = pieces;
  begins_.assign(1, 0.0);
  double whole = 0.0;
  for (const StripPiece& piece : pieces_) whole += piece.width;
  for (const StripPiece& piece : pieces_) begins_.push_back(begins_.back() + piece.width / std::max(whole, 1e-12));
  look_at(0, count_);
}

void StripView::look_at(std::size_t first, std::size_t count) {
  count_ = std::max<std::size_t>(1, std::min(count, std::max<std::size_t>(1, pieces_.size())));
  first_ = pieces_.size() > count_ ? std::min(first, pieces_.size() - count_) : 0;
  if (first_ < pieces_.size()) setAccessibleDescription(q(pieces_[first_].text));
  update();
}

void StripView::set_theme(const Theme& theme) {
  theme_ = theme;
  update();
}

QRectF StripView::place(std::size_t piece) const {
  if (piece + 1 >= begins_.size()) return {};
  const double wide = width() - 2.0 * kStripEdge_px;
  return {kStripEdge_px + begins_[piece] * wide, kStripEdge_px, (begins_[piece + 1] - begins_[piece]) * wide,
          height() - 2.0 * kStripEdge_px};
}

void StripView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), theme_.ground);
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const QRectF at = place(i);
    const auto [ground, ink] = HeatView::colours(pieces_[i].level, theme_);
    painter.fillRect(QRectF(QPointF(std::floor(at.left()), at.top()), QPointF(std::ceil(at.right()), at.bottom())),
                     ground);  // whole pixels: what rounding leaves between two is no piece
    const QString label = q(pieces_[i].label);
    if (label.isEmpty() || QFontMetrics(font()).horizontalAdvance(label) + 6 > at.width()) continue;
    painter.setPen(ink);
    painter.drawText(at, Qt::AlignCenter, label);
  }
  if (pieces_.empty()) return;
  const QRectF from = place(first_);
  const QRectF to = place(std::min(first_ + count_, pieces_.size()) - 1);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme_.bad, 3.0));
  painter.drawRect(QRectF(from.topLeft(), to.bottomRight()).adjusted(0.0, -1.0, 0.0, 1.0));
  if (!hasFocus()) return;
  painter.setPen(QPen(theme_.ink, 1.0, Qt::DotLine));
  painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

std::size_t StripView::piece_at(double x) const {
  const double share = (x - kStripEdge_px) / std::max(1.0, width() - 2.0 * kStripEdge_px);
  const auto after = std::upper_bound(begins_.begin(), begins_.end(), share);
  const auto place = std::max<std::ptrdiff_t>(1, after - begins_.begin()) - 1;
  return std::min(static_cast<std::size_t>(place), pieces_.empty() ? 0 : pieces_.size() - 1);
}

void StripView::want(std::ptrdiff_t first) {
  if (pieces_.empty()) return;
  const auto most = static_cast<std::ptrdiff_t>(pieces_.size() - std::min(count_, pieces_.size()));
  const auto wanted = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(first, 0, most));
  if (wanted == first_) return;
  look_at(wanted, count_);
  Q_EMIT looked_at(static_cast<int>(first_));
}

void StripView::move_to(double x) {
  want(static_cast<std::ptrdiff_t>(piece_at(x)) - static_cast<std::ptrdiff_t>(count_ / 2));
}

void StripView::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) move_to(event->position().x());
}

void StripView::mouseMoveEvent(QMouseEvent* event) {
  if ((event->buttons() & Qt::LeftButton) != 0) move_to(event->position().x());
}

void StripView::keyPressEvent(QKeyEvent* event) {
  const auto now = static_cast<std::ptrdiff_t>(first_);
  const auto page = static_cast<std::ptrdiff_t>(std::max<std::size_t>(1, count_));
  switch (event->key()) {
    case Qt::Key_Left:
      return want(now - 1);
    case Qt::Key_Right:
      return want(now + 1);
    case Qt::Key_PageUp:
      return want(now - page);
    case Qt::Key_PageDown:
      return want(now + page);
    case Qt::Key_Home:
      return want(0);
    case Qt::Key_End:
      return want(static_cast<std::ptrdiff_t>(pieces_.size()));
    default:
      return QWidget::keyPressEvent(event);
  }
}

bool StripView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip && !pieces_.empty()) {
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), q(pieces_[piece_at(help->pos().x())].text), this);
    return true;
  }
  return QWidget::event(event);
}

}  // namespace headrace::gui
