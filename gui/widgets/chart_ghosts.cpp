#include "gui/widgets/chart_ghosts.hpp"

#include <QBarCategoryAxis>
#include <QChart>
#include <algorithm>

#include "gui/widgets/chart.hpp"
#include "gui/widgets/qt_text.hpp"
#include "reports/humane.hpp"

namespace headrace::gui {

const Share* share_named(const std::vector<Share>& shares, const std::string& name) {
  const auto found = std::find_if(shares.begin(), shares.end(), [&](const Share& share) { return share.name == name; });
  return found == shares.end() ? nullptr : &*found;
}

QString number_said(double value, int digits) {
  QString text = q(reports::humane_number(value, digits));
  if (!text.contains('.') || text.contains('e')) return text;
  while (text.endsWith('0')) text.chop(1);
  if (text.endsWith('.')) text.chop(1);
  return text;
}

QString said_with_unit(const std::string& axis_title, double value) {
  const std::size_t comma = axis_title.rfind(", ");
  const std::string unit = comma == std::string::npos ? "" : " " + axis_title.substr(comma + 2);
  return q(axis_title.substr(0, comma) + " ") + number_said(value) + q(unit);
}

/// Their names in the legend: with marks at bars or without.
void Chart::add_ghosts(const std::vector<Ghost>& ghosts) {
  for (std::size_t run = 0; run < ghosts.size(); ++run)
    entries_.push_back({q(ghosts[run].name), theme_.ink, LegendEntry::Mark::line, ghost_style(run)});
  show_legend(!ghosts.empty());
}

std::vector<QRectF> Chart::ghost_places() const {
  constexpr double kBarShare = 0.35;  // half of a bar, of its row
  std::vector<QRectF> places;
  for (const GhostMark& mark : ghosts_)
    places.push_back(QRectF(position_of(mark.from, mark.row + kBarShare), position_of(mark.to, mark.row - kBarShare)));
  return places;
}

void Chart::paint_ghosts(QPainter& painter) const {
  constexpr double kHalo_px = 3.5;  // so that a mark is seen on a bar of any colour
  const std::vector<QRectF> places = ghost_places();
  painter.setBrush(Qt::NoBrush);
  for (const QPen& pen : {QPen(theme_.ground, kHalo_px), QPen(theme_.ink, kGhost_px)})
    for (std::size_t i = 0; i < places.size(); ++i) {
      QPen drawn = pen;
      if (pen.color() == theme_.ink) drawn.setStyle(ghost_style(ghosts_[i].run));
      painter.setPen(drawn);
      if (ghosts_[i].from == ghosts_[i].to)
        painter.drawLine(places[i].topLeft(), places[i].bottomLeft());
      else
        painter.drawRect(places[i]);
    }
}

}  // namespace headrace::gui
