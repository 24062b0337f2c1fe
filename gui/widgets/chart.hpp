// The one place that knows Qt Charts: lines over a number, bars of shares, points to choose, maps. Every chart has its
// figures as a table, too, can be zoomed by mouse and keys, and can be saved as PNG, SVG, CSV or JSON.
#pragma once

#include <QImage>
#include <QStringList>
#include <QWidget>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gui/presenter/dashboard.hpp"
#include "gui/presenter/figures.hpp"
#include "gui/presenter/floating_bar.hpp"
#include "gui/widgets/chart_legend.hpp"
#include "gui/widgets/heat_view.hpp"
#include "gui/widgets/state_colours.hpp"
#include "gui/widgets/theme.hpp"

class QAbstractAxis;
class QAbstractBarSeries;
class QChartView;
class QChart;
class QLabel;
class QLineSeries;
class QMouseEvent;
class QPainter;
class QPen;
class QRubberBand;
class QValueAxis;
class QXYSeries;

namespace headrace::gui {

class Crosshair;

struct Line {
  std::string name;
  std::vector<double> x;
  std::vector<double> y;
  bool ghost = false;  ///< of a kept run: thin and without a hue of its own
};

/// What a kept run says of the bars of a chart.
struct Ghost {
  std::string name;
  std::vector<Share> shares;
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
  std::string name;  ///< "GPU idle time < 5 %"
  double at = 0.0;
};

struct LineChart {
  std::string x_title;  ///< with unit
  std::string y_title;
  std::vector<Line> lines;
  std::optional<double> mark_x;  ///< where the scenario stands
  std::string mark_name = "now";
  std::optional<Point> point;
  std::optional<Point> range;  ///< of inputs, at the same place; low and high only
  std::vector<Area> areas;
  std::optional<Limit> limit;
  bool log_x = false;
  std::vector<std::string> x_names = {};  ///< of 0, 1, 2 ... on the x axis: dates, say; none: numbers
};

/// Where a value goes when something else goes to its ends: changes against the present one, of 1.
struct Spread {
  std::string name;
  double at_low = 0.0;
  double at_high = 0.0;
};

/// Points that can be chosen, in groups of one look.
struct ScatterGroup {
  std::string name;
  std::vector<int> ids;  ///< what a click tells
  std::vector<double> x;
  std::vector<double> y;
  bool line = false;                    ///< joined: a front
  std::vector<std::string> names = {};  ///< of points that have one
};

struct ScatterChart {
  std::string x_title;
  std::string y_title;
  std::vector<ScatterGroup> groups;
  bool diagonal = false;  ///< both axes alike, with the line of equals
  double margin = 0.0;    ///< beside the diagonal
};

/// A point or bar that can be read: where it stands on the axes and what it says.
struct Reading {
  double x = 0.0;
  double y = 0.0;          ///< of a bar: its row, counted from below
  std::size_t series = 0;  ///< all bars are one
  QStringList lines;       ///< name of the series first
};

/// Ends and step of an axis that holds [low, high], with steps of 1, 2 or 5 times a power of ten.
struct NiceRange {
  double low = 0.0;
  double high = 1.0;
  int ticks = 2;
};
NiceRange nice_range(double low, double high);
/// 1, 2 or 5 times a power of ten, so that about so many of them fill a span.
double nice_step(double span, double wanted);

class Chart : public QWidget {
  Q_OBJECT

 public:
  explicit Chart(const QString& title, QWidget* parent = nullptr);

  void show_lines(const LineChart& lines);
  /// Bars from the largest down; `whole`: the axis ends at 100 %. Ghosts are ticks at what kept runs say.
  void show_bars(const std::vector<Share>& shares, const QString& unit, bool whole,
                 const std::vector<Ghost>& ghosts = {});
  /// Parts of one whole, each beginning where the one above it ends; in the order that is given. Ghosts are outlines.
  /// `states`: what each part is, for its colour; without them all have one.
  void show_waterfall(const std::vector<Share>& shares, const std::vector<Ghost>& ghosts = {},
                      const std::vector<models::GpuState>& states = {});
  /// Steps from one total to another, or ranges with their middle, in the order that is given. `from_zero`: the axis
  /// begins there however small the differences are.
  void show_floating(const std::vector<FloatingBar>& bars, const QString& unit, bool from_zero);
  /// Height that floating bars need for their names.
  static int floating_height(std::size_t bars);
  /// Bars to both sides of the present value, in percent of it, in the order that is given.
  void show_tornado(const std::vector<Spread>& spreads, const QString& axis_title);
  void show_scatter(const ScatterChart& scatter);
  void show_map(const HeatMap& map);
  void show_nothing(const QString& why);
  /// What was shown does not hold any more and its successor is being computed: the frame stays, with `why` in it.
  void show_pending(const QString& why);
  bool is_pending() const { return pending_; }
  /// While it is held, a drawing of the same meaning keeps its axes as far as they hold it, and the order of its bars.
  void hold(bool held) { held_ = held; }
  void set_theme(const Theme& theme);

  QString title() const { return title_; }
  /// What it is called from now on; what it shows stays.
  void rename(const QString& title);
  /// The table behind the chart.
  const Figures& figures() const { return figures_; }
  /// The part of it that is in view.
  Figures figures_in_view() const;
  /// All of it as CSV (RFC 4180).
  QString csv() const { return QString::fromStdString(csv_of(figures_)); }
  /// By the suffix: png, svg, csv, json. Figures are those in view.
  bool save(const QString& path, QString& error) const;
  /// A page for a presentation: the chart on a light ground, large, under a headline.
  QImage slide(const QString& headline, const QString& source) const;

  /// The part of the plane that is shown instead of all of it.
  const std::optional<View>& zoom() const { return zoom_; }
  void set_zoom(const std::optional<View>& view);
  /// What the axes show now; nullopt without two axes of numbers.
  std::optional<View> in_view() const;
  /// Where a value of the axes stands in the view, and the widget that the mouse meets there: for tests.
  QPointF position_of(double x, double y) const;
  QWidget* surface() const;
  /// Where axes and what they hold stand in the surface; empty where there are no axes: for tests.
  QRectF plot_area() const;
  const QChart* frame() const;
  /// What can be read in the chart, and what the crosshair reads now: empty without one.
  const std::vector<Reading>& readings() const { return readings_; }
  QStringList read_now() const;
  const Crosshair* crosshair() const { return crosshair_; }
  /// Marks of kept runs in a chart of bars, in the surface: for tests.
  std::vector<QRectF> ghost_places() const;
  const std::vector<LegendEntry>& legend_entries() const { return entries_; }

 Q_SIGNALS:
  void menu_wanted(const QPoint& where);
  void limit_moved(double at);  ///< let go
  void point_chosen(int id);
  void cell_chosen(int column, int row);
  /// The user zooms: whoever keeps the steps of undo calls set_zoom.
  void zoom_wanted(const std::optional<headrace::gui::View>& before, const std::optional<headrace::gui::View>& after);
  void figures_wanted();  ///< as a table

 protected:
  void contextMenuEvent(QContextMenuEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  /// A chart without series: with the axes that it has where `frame` names the same ones, else without any.
  QChart* begin(const std::string& frame);
  void place_plot();
  void place_left_title();
  /// A range that holds what is wanted: the present one of an axis that is held, as far as it does.
  NiceRange kept_range(const QAbstractAxis* axis, const NiceRange& wanted) const;
  NiceRange kept_ends(const QAbstractAxis* axis, double low, double high) const;
  void show_names(QAbstractBarSeries* bars, const std::vector<Share>& shares, const QStringList& names);
  void show_scale(QAbstractBarSeries* bars, const NiceRange& range, const QString& unit);
  /// In the order that is held, names that it does not have last.
  std::vector<Share> ordered(std::vector<Share> shares);
  void keep_zoom_of(const std::string& x_title, const std::string& y_title);
  NiceRange make_axes(const std::string& x_title, const std::string& y_title, double low, double high, bool log_x,
                      const NiceRange& y, const std::vector<std::string>& x_names = {});
  /// `exact`: the axis ends where the range does, with ticks at round values in it.
  void fit_value_axis(QValueAxis* axis, const NiceRange& range, bool exact) const;
  void attach(QXYSeries* series);
  void add_lines(const std::vector<Line>& lines);
  void add_line(const Line& line, const QPen& pen);
  void add_area(const Area& area, std::size_t number);
  void add_point(const Point& point, const std::optional<Point>& range);
  void add_limit(const LineChart& lines, double low, double high);
  void add_equals(const ScatterChart& scatter, double low, double high);
  void add_group(const ScatterGroup& group, std::size_t number);
  void drag_limit(double at);
  bool drag_event(QMouseEvent* event);
  bool band_event(QMouseEvent* event);
  bool key_event(int key, bool shift);
  void hover_event(const QEvent& event);
  bool read_key(int key);
  void read_at(const QPointF& in_view);
  void read(std::size_t reading);
  void stop_reading();
  QRectF plot_in_view() const;
  void add_readings(const LineChart& lines);
  void add_reading(double x, double y, std::size_t series, QStringList lines);
  /// Rows of bars, counted from below, that name what kept runs say of them.
  void read_bars(const std::vector<Share>& shares, const std::vector<double>& ends, const std::vector<Ghost>& ghosts);
  void add_ghosts(const std::vector<Ghost>& ghosts);
  void paint_ghosts(QPainter& painter) const;
  QPointF value_at(const QPoint& in_view) const;
  /// A view `factor` times as large around a share of the present one, moved by shares of it.
  std::optional<View> changed_view(double factor, double right, double up) const;
  void want_zoom(const std::optional<View>& view);
  void style_axes();
  void show_legend(bool seen);
  void tell(const QString& summary);

  QString title_;
  QString left_title_;  ///< of the axis on the left, or below the title of the chart where it is longer than the axis
  QWidget* plot_;       ///< the view with its legend
  QChartView* view_;
  ChartLegend* legend_;
  HeatView* map_;
  QLabel* head_;  ///< the title, over the whole width
  QLabel* nothing_;
  QLabel* over_;  ///< words over a frame without content
  QRubberBand* band_;
  QPoint band_from_;
  bool pressed_ = false;          ///< in the plot area, away from the limit
  bool was_drag_ = false;         ///< the release that comes is no click
  QLineSeries* limit_ = nullptr;  ///< of the chart that is shown
  bool dragging_ = false;
  Figures figures_;
  std::vector<LegendEntry> entries_;
  /// The mark of a kept run at a bar: a tick where both ends are the same, else an outline.
  struct GhostMark {
    double row = 0.0;  ///< counted from below
    double from = 0.0;
    double to = 0.0;
    std::size_t run = 0;
  };
  std::vector<GhostMark> ghosts_;
  std::vector<Reading> readings_;
  std::optional<std::size_t> reading_;  ///< under the crosshair
  bool in_rows_ = false;                ///< the readings are bars
  Crosshair* crosshair_;
  std::optional<View> zoom_;
  std::pair<std::string, std::string> zoomed_axes_;  ///< titles of the axes that the view belongs to
  bool log_x_ = false;
  bool held_ = false;
  bool pending_ = false;
  std::string frame_;               ///< what the axes mean; empty: there are none
  std::vector<std::string> order_;  ///< of bars
  double names_px_ = 0.0;           ///< beside the bars
  bool redraw_waits_ = false;
  Theme theme_ = Theme::of(false);
  std::function<void(Chart&)> again_;  ///< draws the last content
};

}  // namespace headrace::gui
