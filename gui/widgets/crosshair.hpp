// Lines through one point of a chart and its values beside it, drawn over a picture of the chart: the chart itself is
// not drawn again while the mouse moves.
#pragma once

#include <QPixmap>
#include <QStringList>
#include <QWidget>

#include "gui/widgets/theme.hpp"

namespace headrace::gui {

class Crosshair : public QWidget {
  Q_OBJECT

 public:
  /// Covers the widget that the chart is drawn in.
  explicit Crosshair(QWidget* chart);

  /// The first line names the series, the others say its values.
  void show_at(const QPointF& point, const QRectF& plot, const QStringList& lines, const Theme& theme);
  /// The chart is seen again; its picture is taken anew the next time.
  void take_away();
  const QStringList& lines() const { return lines_; }
  QPointF point() const { return point_; }
  /// Where the values stand: beside the point, inside of the chart.
  QRect label_place() const;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QPixmap chart_;
  QPointF point_;
  QRectF plot_;
  QStringList lines_;
  Theme theme_ = Theme::of(false);
};

}  // namespace headrace::gui
