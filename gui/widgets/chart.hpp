// The one place that knows Qt Charts: lines over a number, bars of shares, points to choose, maps. Every chart has its
// figures as text, too, and can be saved as PNG, SVG or CSV.
#pragma once

#include <QWidget>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gui/presenter/dashboard.hpp"
#include "gui/widgets/heat_view.hpp"
#include "gui/widgets/theme.hpp"

class QAbstractAxis;
class QChartView;
class QChart;
class QLabel;
class QLineSeries;
class QXYSeries;

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

/// A range over x: what uncertain inputs leave open, say.
struct Area {
  std::string name;
  std::vector<double> x;
  std::vector<double> low;
  std::vector<double> high;
};

/// A line across the chart that can be dragged, or moved with + and -.
struct Limit {
  std::string name;  ///< "gpu idle fraction < 5 %"
  double at = 0.0;
};

struct LineChart {
  std::string x_title;  ///< with unit
  std::string y_title;
  std::vector<Line> lines;
  std::optional<double> mark_x;  ///< where the scenario stands
  std::optional<Point> point;
  std::optional<Point> range;  ///< of inputs, at the same place; low and high only
  std::vector<Area> areas;
  std::optional<Limit> limit;
  bool log_x = false;
};

/// Points that can be chosen, in groups of one look.
struct ScatterGroup {
  std::string name;
  std::vector<int> ids;  ///< what a click tells
  std::vector<double> x;
  std::vector<double> y;
  bool line = false;  ///< joined: a front
};

struct ScatterChart {
  std::string x_title;
  std::string y_title;
  std::vector<ScatterGroup> groups;
  bool diagonal = false;  ///< both axes alike, with the line of equals
  double margin = 0.0;    ///< beside the diagonal
};

/// Ends and step of an axis that holds [low, high], with steps of 1, 2 or 5 times a power of ten.
struct NiceRange {
  double low = 0.0;
  double high = 1.0;
  int ticks = 2;
};
NiceRange nice_range(double low, double high);

class Chart : public QWidget {
  Q_OBJECT

 public:
  explicit Chart(const QString& title, QWidget* parent = nullptr);

  void show_lines(const LineChart& lines);
  /// Bars from the largest down; `whole`: the axis ends at 100 %.
  void show_bars(const std::vector<Share>& shares, const QString& unit, bool whole);
  void show_scatter(const ScatterChart& scatter);
  void show_map(const HeatMap& map);
  void show_nothing(const QString& why);
  void set_theme(const Theme& theme);

  QString title() const { return title_; }
  /// What is drawn, as CSV (RFC 4180): the table behind the chart.
  QString csv() const { return csv_; }
  bool save(const QString& path, QString& error) const;  ///< by the suffix: png, svg, csv
  /// Where a value of the axes stands in the view, and the widget that the mouse meets there: for tests.
  QPointF position_of(double x, double y) const;
  QWidget* surface() const;

 signals:
  void menu_wanted(const QPoint& where);
  void limit_moved(double at);  ///< let go
  void point_chosen(int id);
  void cell_chosen(int column, int row);

 protected:
  void contextMenuEvent(QContextMenuEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QChart* fresh();
  QAbstractAxis* make_axes(const std::string& x_title, const std::string& y_title, double low, double high, bool log_x,
                           const NiceRange& y);
  void attach(QXYSeries* series);
  void hide_from_legend(QXYSeries* series);
  void add_area(const Area& area, std::size_t number);
  void add_point(const Point& point, const std::optional<Point>& range);
  void add_limit(const LineChart& lines, double low, double high);
  void drag_limit(double at);
  bool drag_event(QEvent* event);
  void style_axes();
  void tell(const QString& summary);

  QString title_;
  QChartView* view_;
  HeatView* map_;
  QLabel* nothing_;
  QLineSeries* limit_ = nullptr;  ///< of the chart that is shown
  bool dragging_ = false;
  QString csv_;
  Theme theme_ = Theme::of(false);
  std::function<void()> again_;  ///< draws the last content, in other colours
};

}  // namespace headrace::gui
