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

  void show_entries(const std::vector<LegendEntry>& entries, const Theme& theme);
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override { return {200, heightForWidth(200)}; }
  QSize minimumSizeHint() const override { return {0, 0}; }
  /// Where each entry stands in a legend of that width: for painting, and for tests.
  std::vector<QRect> places(int width) const;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::vector<LegendEntry> entries_;
  Theme theme_ = Theme::of(false);
};

}  // namespace headrace::gui
