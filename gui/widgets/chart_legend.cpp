#include "gui/widgets/chart_legend.hpp"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>

namespace headrace::gui {
namespace {

constexpr int kMark_px = 26;
constexpr int kGap_px = 14;
constexpr int kEdge_px = 6;

void paint_star(QPainter& painter, const QPointF& centre, double radius) {
  constexpr double kAcross[] = {0.0, 0.24, 0.95, 0.38, 0.59, 0.0, -0.59, -0.38, -0.95, -0.24};
  constexpr double kDown[] = {-1.0, -0.32, -0.31, 0.12, 0.81, 0.4, 0.81, 0.12, -0.31, -0.32};
  QPolygonF star;
  for (std::size_t i = 0; i < std::size(kAcross); ++i)
    star.append(centre + QPointF(radius * kAcross[i], radius * kDown[i]));
  painter.drawPolygon(star);
}

void paint_mark(QPainter& painter, const LegendEntry& entry, const QRectF& at, const Theme& theme) {
  const QPointF centre = at.center();
  const double radius = 0.36 * at.height();
  constexpr double kSeen = 1.2;  // contrast; below it an area needs an edge
  painter.setPen(QPen(theme.ink, 1.0));
  painter.setBrush(entry.colour);
  switch (entry.mark) {
    case LegendEntry::Mark::line:
      painter.setPen(QPen(entry.colour, 2.0, entry.style));
      painter.drawLine(QPointF(at.left(), centre.y()), QPointF(at.right(), centre.y()));
      return;
    case LegendEntry::Mark::area:
      if (contrast(entry.colour, theme.ground) > kSeen) painter.setPen(Qt::NoPen);
      painter.drawRect(QRectF(at.left(), centre.y() - radius, at.width(), 2.0 * radius));
      return;
    case LegendEntry::Mark::star:
      return paint_star(painter, centre, 1.3 * radius);
    case LegendEntry::Mark::circle:
      return painter.drawEllipse(centre, radius, radius);
    case LegendEntry::Mark::square:
      return painter.drawRect(QRectF(centre.x() - radius, centre.y() - radius, 2.0 * radius, 2.0 * radius));
    case LegendEntry::Mark::triangle:
      painter.drawPolygon(QPolygonF(
          {centre + QPointF(0.0, -radius), centre + QPointF(radius, radius), centre + QPointF(-radius, radius)}));
      return;
  }
}

}  // namespace

ChartLegend::ChartLegend(QWidget* parent) : QWidget(parent) {
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  QFont small = font();
  small.setPointSizeF(small.pointSizeF() * 0.9);
  setFont(small);
}

void ChartLegend::show_entries(const std::vector<LegendEntry>& entries, const Theme& theme, bool keep_room) {
  entries_ = entries;
  theme_ = theme;
  if (!keep_room || entries.size() >= room_.size()) room_ = entries;
  setVisible(!room_.empty());
  QStringList names;
  for (const LegendEntry& entry : entries) names.append(entry.name);
  setAccessibleName("Legend: " + names.join(", "));
  setToolTip(names.join('\n'));
  updateGeometry();
  update();
}

std::vector<QRect> ChartLegend::places_of(const std::vector<LegendEntry>& entries, int width) const {
  const QFontMetrics metrics(font());
  const int line = metrics.height() + 3;
  const int room = std::max(40, width - 2 * kEdge_px);
  std::vector<QRect> all;
  std::vector<std::size_t> first_of_line{0};
  int x = 0;
  int y = 2;
  for (const LegendEntry& entry : entries) {
    const int wide = std::min(room, kMark_px + 4 + metrics.horizontalAdvance(entry.name) + 2);
    if (x > 0 && x + wide > room) {
      first_of_line.push_back(all.size());
      x = 0;
      y += line;
    }
    all.emplace_back(kEdge_px + x, y, wide, line);
    x += wide + kGap_px;
  }
  first_of_line.push_back(all.size());
  for (std::size_t l = 0; l + 1 < first_of_line.size() && !all.empty(); ++l) {  // each line in the middle
    const int free = room - (all[first_of_line[l + 1] - 1].right() + 1 - kEdge_px);
    for (std::size_t i = first_of_line[l]; i < first_of_line[l + 1]; ++i) all[i].translate(std::max(0, free / 2), 0);
  }
  return all;
}

int ChartLegend::heightForWidth(int width) const {
  const std::vector<QRect> all = places_of(room_, width);
  return all.empty() ? 0 : all.back().bottom() + 4;
}

void ChartLegend::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), theme_.ground);
  const std::vector<QRect> all = places(width());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const QRect& at = all[i];
    paint_mark(painter, entries_[i], QRectF(at.left(), at.top(), kMark_px, at.height()), theme_);
    painter.setPen(theme_.ink);
    const QRect words = at.adjusted(kMark_px + 4, 0, 0, 0);
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(font()).elidedText(entries_[i].name, Qt::ElideMiddle, words.width()));
  }
}

}  // namespace headrace::gui
