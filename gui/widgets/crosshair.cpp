#include "gui/widgets/crosshair.hpp"

#include <QPainter>
#include <algorithm>

namespace headrace::gui {
namespace {

constexpr int kLabelEdge_px = 6;
constexpr int kLabelGap_px = 12;  ///< between the point and its values

QFont bold_of(QFont font) {
  font.setBold(true);
  return font;
}

/// Beside the point, on the side that has room.
int beside(double point, int length, int whole) {
  const int after = static_cast<int>(point) + kLabelGap_px;
  if (after + length <= whole) return after;
  return std::clamp(static_cast<int>(point) - kLabelGap_px - length, 0, std::max(0, whole - length));
}

}  // namespace

Crosshair::Crosshair(QWidget* chart) : QWidget(chart) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setAttribute(Qt::WA_OpaquePaintEvent);  // Qt draws nothing below it
  setFocusPolicy(Qt::NoFocus);
  hide();
}

void Crosshair::show_at(const QPointF& point, const QRectF& plot, const QStringList& lines, const Theme& theme) {
  if (!isVisible()) {
    chart_ = parentWidget()->grab();
    setGeometry(parentWidget()->rect());
  }
  point_ = point;
  plot_ = plot;
  lines_ = lines;
  theme_ = theme;
  show();
  raise();
  update();
}

void Crosshair::take_away() {
  if (lines_.isEmpty()) return;
  hide();
  lines_.clear();
  chart_ = {};
}

QRect Crosshair::label_place() const {
  if (lines_.isEmpty()) return {};
  int wide = QFontMetrics(bold_of(font())).horizontalAdvance(lines_.front());
  for (const QString& line : lines_) wide = std::max(wide, fontMetrics().horizontalAdvance(line));
  wide = std::min(wide + 2 * kLabelEdge_px + 2, width());
  const int high = fontMetrics().height() * static_cast<int>(lines_.size()) + 2 * kLabelEdge_px;
  return {beside(point_.x(), wide, width()), beside(point_.y(), high, height()), wide, high};
}

void Crosshair::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.drawPixmap(0, 0, chart_);
  if (lines_.isEmpty()) return;
  painter.setPen(QPen(theme_.faint, 1.0));
  painter.drawLine(QPointF(point_.x(), plot_.top()), QPointF(point_.x(), plot_.bottom()));
  painter.drawLine(QPointF(plot_.left(), point_.y()), QPointF(plot_.right(), point_.y()));
  painter.setRenderHint(QPainter::Antialiasing);
  constexpr double kRing_px = 4.0;
  painter.setPen(QPen(theme_.ink, 1.5));
  painter.setBrush(theme_.ground);
  painter.drawEllipse(point_, kRing_px, kRing_px);
  const QRect label = label_place();
  painter.setPen(QPen(theme_.faint, 1.0));
  painter.setBrush(theme_.sheet);
  painter.drawRect(QRectF(label).adjusted(0.5, 0.5, -0.5, -0.5));
  painter.setPen(theme_.ink);
  QRect line(label.left() + kLabelEdge_px, label.top() + kLabelEdge_px, label.width() - 2 * kLabelEdge_px,
             fontMetrics().height());
  for (qsizetype i = 0; i < lines_.size(); ++i, line.translate(0, line.height())) {
    const QFont letters = i == 0 ? bold_of(font()) : font();
    painter.setFont(letters);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(letters).elidedText(lines_[i], Qt::ElideRight, line.width()));
  }
}

}  // namespace headrace::gui
