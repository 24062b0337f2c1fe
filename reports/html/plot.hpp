// A small chart of lines, bands and points over two axes, as inline SVG. Every chart has a title, axis labels with
// units and a table beside it, which its caller writes.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace headrace::reports {

struct PlotPoint {
  double x = 0.0;
  double y = 0.0;
  std::optional<double> low = {};   ///< of a band around a line, of a whisker at a point alone
  std::optional<double> high = {};  ///< of a band around a line, of a whisker at a point alone
  std::string label = {};           ///< shown when the pointer rests on the point
  bool marked = false;              ///< drawn large
};

struct PlotSeries {
  std::string name;
  std::vector<PlotPoint> points;
  bool line = true;  ///< joined, else points alone
  bool step = false;
  bool dashed = false;  ///< a line to compare with, without dots
};

struct PlotTick {
  double at = 0.0;
  std::string name;
};

struct PlotAxis {
  std::string label;  ///< with its unit
  bool log = false;
  bool from_zero = false;
  std::optional<double> low = {};
  std::optional<double> high = {};
  bool whole = false;  ///< counts: no tick between them
  std::vector<std::string> names =
      {};  ///< of things in a row: the place 1 bears the first one, and no numbers stand there
  std::vector<PlotTick> ticks = {};  ///< such as dates, in the place of round numbers
};

struct Plot {
  std::string title;
  PlotAxis x;
  PlotAxis y;
  std::vector<PlotSeries> series;
  std::optional<double> shaded_to = {};  ///< x up to which the ground is shaded, as for a warm-up
};

/// A figure with the chart and, for several series, a legend. Points that are not finite, or not positive on a
/// logarithmic axis, are left out.
std::string plot_drawing(const Plot& plot);

/// Round values that divide [low, high] into about `count` parts; powers of ten and their parts when `log`.
std::vector<double> round_ticks(double low, double high, int count, bool log);

}  // namespace headrace::reports
