// The one place that knows Qt Charts: lines over a number, bars of shares, one stacked bar. Every chart has its figures
// as text, too, and can be saved as PNG, SVG or CSV.
#pragma once

#include <QWidget>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gui/presenter/dashboard.hpp"
#include "gui/widgets/theme.hpp"

class QChartView;
class QChart;
class QLabel;

namespace headrace::gui {

struct Line {
  std::string name;
  std::vector<double> x;
  std::vector<double> y;
  bool dashed = false;
};

/// A value with its interval at one place of the x axis: what the simulation says.
struct Point {
  double x = 0.0;
  double y = 0.0;
  double low = 0.0;
  double high = 0.0;
};

struct LineChart {
  std::string x_title;  ///< with unit
  std::string y_title;
  std::vector<Line> lines;
  std::optional<double> mark_x;  ///< where the scenario stands
  std::optional<Point> point;
  bool log_x = false;
};

class Chart : public QWidget {
  Q_OBJECT

 public:
  explicit Chart(const QString& title, QWidget* parent = nullptr);

  void show_lines(const LineChart& lines);
  /// Bars from the largest down; `whole`: the axis ends at 100 %.
  void show_bars(const std::vector<Share>& shares, const QString& unit, bool whole);
  /// One bar of parts that sum to 1.
  void show_stack(const std::vector<Share>& shares);
  void show_nothing(const QString& why);
  void set_theme(const Theme& theme);

  QString title() const { return title_; }
  /// What is drawn, as CSV (RFC 4180): the table behind the chart.
  QString csv() const { return csv_; }
  bool save(const QString& path, QString& error) const;  ///< by the suffix: png, svg, csv

 signals:
  void menu_wanted(const QPoint& where);

 protected:
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  QChart* fresh();
  void style_axes();
  void tell(const QString& summary);

  QString title_;
  QChartView* view_;
  QLabel* nothing_;
  QString csv_;
  Theme theme_ = Theme::of(false);
  std::function<void()> again_;  ///< draws the last content, in other colours
};

/// Ends and step of an axis that holds [low, high], with steps of 1, 2 or 5 times a power of ten.
struct NiceRange {
  double low = 0.0;
  double high = 1.0;
  int ticks = 2;
};
NiceRange nice_range(double low, double high);

}  // namespace headrace::gui
