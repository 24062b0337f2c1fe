// The names below a chart. They wrap to as many lines as they need: the legend of the chart library cuts them instead.
#pragma once

#include <QColor>
#include <QString>
#include <QWidget>
#include <vector>

#include "gui/widgets/theme.hpp"

namespace headrace::gui {

struct LegendEntry {
  enum class Mark { line, area, star, circle, square, triangle };

  QString name;
  QColor colour;
  Mark mark = Mark::line;
  Qt::PenStyle style = Qt::SolidLine;
};

class ChartLegend : public QWidget {
  Q_OBJECT

 public:
  explicit ChartLegend(QWidget* parent = nullptr);

  /// `keep_room`: with room for as many entries as there were before, so that what stands above does not move.
  void show_entries(const std::vector<LegendEntry>& entries, const Theme& theme, bool keep_room = false);
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override { return {200, heightForWidth(200)}; }
  QSize minimumSizeHint() const override { return {0, 0}; }
  /// Where each entry stands in a legend of that width: for painting, and for tests.
  std::vector<QRect> places(int width) const { return places_of(entries_, width); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::vector<QRect> places_of(const std::vector<LegendEntry>& entries, int width) const;

  std::vector<LegendEntry> entries_;
  std::vector<LegendEntry> room_;  ///< for these there is room
  Theme theme_ = Theme::of(false);
};

}  // namespace headrace::gui
