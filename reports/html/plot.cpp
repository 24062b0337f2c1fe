#include "reports/html/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "reports/html/markup.hpp"
#include "reports/humane.hpp"

namespace headrace::reports {
namespace {

// Drawn for a narrow column, so that its words stay readable on a telephone.
constexpr double kWidth = 360.0;
constexpr double kHeight = 230.0;
constexpr double kLeft = 52.0;
constexpr double kRight = 16.0;  // half of a number under the end of the axis
constexpr double kTop = 10.0;
constexpr double kBottom = 40.0;
constexpr std::array<std::string_view, 6> kColours = {"one", "two", "three", "four", "five", "six"};

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return !(high >= low); }
};

bool drawable(double value, const PlotAxis& axis) { return std::isfinite(value) && (!axis.log || value > 0.0); }

/// Points alone keep off the frame; lines may end at it.
Range with_room(const Plot& plot, const PlotAxis& axis, Range range) {
  const bool lines = std::any_of(plot.series.begin(), plot.series.end(),
                                 [](const PlotSeries& series) { return series.line && !series.dashed; });
  if (lines || axis.log || axis.low || axis.high) return range;
  const double room = 0.06 * (range.high - range.low);
  return {axis.from_zero && range.low == 0.0 ? 0.0 : range.low - room, range.high + room};
}

Range range_of(const Plot& plot, bool horizontal) {
  const PlotAxis& axis = horizontal ? plot.x : plot.y;
  Range range;
  for (const PlotSeries& series : plot.series)
    for (const PlotPoint& point : series.points) {
      if (!drawable(point.x, plot.x) || !drawable(point.y, plot.y)) continue;
      range.add(horizontal ? point.x : point.y);
      if (horizontal) continue;
      if (point.low && drawable(*point.low, axis)) range.add(*point.low);
      if (point.high && drawable(*point.high, axis)) range.add(*point.high);
    }
  if (range.empty()) return {axis.log ? 1.0 : 0.0, axis.log ? 10.0 : 1.0};
  if (axis.from_zero && !axis.log) range.add(0.0);
  if (axis.low) range.low = *axis.low;
  if (axis.high) range.high = *axis.high;
  if (range.high > range.low) return with_room(plot, axis, range);
  const double room = range.low != 0.0 ? std::abs(range.low) * 0.1 : 1.0;
  return axis.log ? Range{range.low / 2.0, range.high * 2.0} : Range{range.low - room, range.high + room};
}

class Frame {
 public:
  explicit Frame(const Plot& plot) : plot_(plot), x_(range_of(plot, true)), y_(range_of(plot, false)) {}

  double x(double value) const { return kLeft + share(value, x_, plot_.x.log) * (kWidth - kLeft - kRight); }
  double y(double value) const {
    return kHeight - kBottom - share(value, y_, plot_.y.log) * (kHeight - kTop - kBottom);
  }
  const Range& across() const { return x_; }
  const Range& up() const { return y_; }

 private:
  static double share(double value, const Range& range, bool log) {
    const double s = log ? std::log(value / range.low) / std::log(range.high / range.low)
                         : (value - range.low) / (range.high - range.low);
    return std::clamp(s, -0.01, 1.01);
  }

  const Plot& plot_;
  Range x_;
  Range y_;
};

/// Without the zeros that humane_number keeps: ticks are round.
std::string tick_text(double tick) {
  const double magnitude = std::abs(tick);
  for (const auto& [factor, prefix] : {std::pair(1e9, "G"), std::pair(1e6, "M"), std::pair(1e3, "k")})
    if (magnitude >= 10.0 * factor || (magnitude >= factor && factor > 1e3))
      return fmt::format("{:.4g} {}", tick / factor, prefix);
  return magnitude == 0.0 || (magnitude >= 1e-4 && magnitude < 1e4) ? fmt::format("{:.6g}", tick)
                                                                    : humane_number(tick, 3);
}

/// A name as it fits under its place, on two lines at most.
std::vector<std::string> name_lines(const std::string& name, double width) {
  constexpr double kLetter = 5.6;  // mean width, of the size in the style sheet
  const auto most = static_cast<std::size_t>(std::max(3.0, width / kLetter));
  const auto cut = [most](const std::string& text) {
    if (text.size() <= most) return text;
    std::size_t end = most - 2;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // no letter in halves
    return text.substr(0, end) + "..";
  };
  if (name.size() <= most) return {name};
  const std::size_t blank = name.rfind(' ', most);
  if (blank == std::string::npos) return {cut(name)};
  return {name.substr(0, blank), cut(name.substr(blank + 1))};
}

/// Names in the place of numbers, each at its place on the horizontal axis.
std::string names_drawing(const PlotAxis& axis, const Frame& frame) {
  constexpr double kLine = 12.0;
  const double bottom = kHeight - kBottom;
  const double width = frame.x(2.0) - frame.x(1.0) - 4.0;
  std::string svg;
  for (std::size_t i = 0; i < axis.names.size(); ++i) {
    const double x = frame.x(static_cast<double>(i + 1));
    double y = bottom + 13.0;
    for (const std::string& line : name_lines(axis.names[i], width)) {
      svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>", x, y, escaped(line));
      y += kLine;
    }
  }
  return svg;
}

std::string axes_drawing(const Plot& plot, const Frame& frame) {
  const double bottom = kHeight - kBottom;
  std::string svg;
  for (const double tick : round_ticks(frame.up().low, frame.up().high, 4, plot.y.log))
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>"
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\" dy=\"0.35em\">{}</text>",
        kLeft, kWidth - kRight, frame.y(tick), frame.y(tick), kLeft - 4, frame.y(tick), tick_text(tick));
  svg += names_drawing(plot.x, frame);
  std::vector<PlotTick> ticks = plot.x.ticks;
  if (ticks.empty() && plot.x.names.empty())
    for (const double tick : round_ticks(frame.across().low, frame.across().high, 5, plot.x.log))
      if (!plot.x.whole || std::abs(tick - std::round(tick)) <= 1e-9) ticks.push_back({tick, tick_text(tick)});
  for (const PlotTick& tick : ticks) {
    const double x = frame.x(tick.at);
    constexpr double kWidestLetter = 8.0;  // a digit on a telephone
    const bool last = x + 0.5 * kWidestLetter * static_cast<double>(tick.name.size()) > kWidth;
    svg += fmt::format(
        "<line class=\"axis\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>"
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>",
        x, x, bottom, bottom + 3, last ? kWidth : x, bottom + 14, last ? "end" : "middle", escaped(tick.name));
  }
  svg += fmt::format("<line class=\"axis\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", kLeft,
                     kWidth - kRight, bottom, bottom);
  svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>", (kLeft + kWidth - kRight) / 2,
                     kHeight - 6, escaped(plot.x.label));
  return svg + fmt::format("<text transform=\"translate(11 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
                           (kTop + bottom) / 2, escaped(plot.y.label));
}

/// The points of a series that can be drawn, in order.
std::vector<PlotPoint> drawn_points(const Plot& plot, const PlotSeries& series) {
  std::vector<PlotPoint> points;
  for (const PlotPoint& point : series.points)
    if (drawable(point.x, plot.x) && drawable(point.y, plot.y)) points.push_back(point);
  return points;
}

std::string band_drawing(const std::vector<PlotPoint>& points, const Frame& frame, std::string_view colour) {
  std::string there;
  std::string back;
  for (const PlotPoint& point : points) {
    if (!point.low || !point.high) return {};
    there += fmt::format("{:.1f},{:.1f} ", frame.x(point.x), frame.y(*point.high));
    back = fmt::format("{:.1f},{:.1f} ", frame.x(point.x), frame.y(*point.low)) + back;
  }
  return points.size() < 2 ? "" : fmt::format("<polygon class=\"band {}\" points=\"{}{}\"/>", colour, there, back);
}

std::string line_drawing(const std::vector<PlotPoint>& points, const PlotSeries& series, const Frame& frame,
                         std::string_view colour) {
  std::string path;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (series.step && i > 0) path += fmt::format("{:.1f},{:.1f} ", frame.x(points[i].x), frame.y(points[i - 1].y));
    path += fmt::format("{:.1f},{:.1f} ", frame.x(points[i].x), frame.y(points[i].y));
  }
  return fmt::format("<polyline class=\"{}{}\" points=\"{}\"/>", colour, series.dashed ? " dashed" : "", path);
}

/// Points alone differ in shape too, not in colour only. `inside`: what the mark holds, such as its title.
std::string mark_at(double x, double y, bool marked, std::size_t shape, std::string_view colour,
                    std::string_view inside) {
  const double r = marked ? 5.0 : 2.8;
  const std::string kind = fmt::format("class=\"{}{}\"", colour, marked ? " marked" : "");
  if (shape == 0)
    return fmt::format("<circle {} cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\">{}</circle>", kind, x, y, r, inside);
  if (shape == 1)
    return fmt::format("<path {} d=\"M{:.1f} {:.1f}l{:.1f} {:.1f}h{:.1f}z\">{}</path>", kind, x, y - r, r, 2 * r,
                       -2 * r, inside);
  return fmt::format("<path {} d=\"M{:.1f} {:.1f}h{:.1f}v{:.1f}h{:.1f}z\">{}</path>", kind, x - r, y - r, 2 * r, 2 * r,
                     -2 * r, inside);
}

std::string mark_drawing(const PlotPoint& point, std::size_t shape, const Frame& frame, std::string_view colour) {
  return mark_at(frame.x(point.x), frame.y(point.y), point.marked, shape, colour,
                 "<title>" + escaped(point.label) + "</title>");
}

constexpr std::size_t kShapes = 3;

/// As the series is drawn: points alone by their own mark.
std::string key_drawing(const PlotSeries& series, std::size_t shape, std::string_view colour) {
  if (series.dashed) return fmt::format("<span class=\"key {} dashed\"></span>", colour);
  if (series.line) return fmt::format("<span class=\"key {}\"></span>", colour);
  const bool marked =
      std::all_of(series.points.begin(), series.points.end(), [](const PlotPoint& point) { return point.marked; });
  return fmt::format("<svg class=\"key\" viewBox=\"-6 -6 12 12\" aria-hidden=\"true\">{}</svg>",
                     mark_at(0.0, 0.0, marked, shape % kShapes, colour, ""));
}

std::string series_drawing(const Plot& plot, const PlotSeries& series, const Frame& frame, std::string_view colour,
                           std::size_t shape) {
  const std::vector<PlotPoint> points = drawn_points(plot, series);
  std::string svg = series.line ? band_drawing(points, frame, colour) : "";
  if (series.line && points.size() > 1) svg += line_drawing(points, series, frame, colour);
  if (series.dashed) return svg;
  constexpr std::size_t kMostDots = 60;  // more of them hide the line
  for (const PlotPoint& point : points) {
    if (series.line && points.size() > kMostDots && !point.marked) continue;
    if (!series.line && point.low && point.high)
      svg += fmt::format("<line class=\"noise\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\"/>",
                         frame.x(point.x), frame.y(*point.low), frame.y(*point.high));
    svg += mark_drawing(point, series.line ? 0 : shape % kShapes, frame, colour);
  }
  return svg;
}

/// What the eye reads first: where a series begins and ends and its least and largest value, or where a single point
/// lies. What no eye tells from zero on this axis is zero.
std::string finding_of(const PlotSeries& series, const std::vector<PlotPoint>& points, const PlotAxis& across,
                       const Range& up) {
  constexpr double kInvisible = 1e-6;
  const auto height = [&](const PlotPoint& point) {
    return humane_number(std::abs(point.y) < kInvisible * (up.high - up.low) ? 0.0 : point.y);
  };
  const auto place = [&](const PlotPoint& point) {
    const auto name = static_cast<std::size_t>(std::max(0.0, point.x - 0.5));
    return fmt::format("{} at {}", height(point),
                       name < across.names.size() ? across.names[name] : humane_number(point.x));
  };
  if (points.size() == 1) return fmt::format("{}: {}", series.name, place(points.front()));
  const auto by_height = [](const PlotPoint& a, const PlotPoint& b) { return a.y < b.y; };
  const auto [least, largest] = std::minmax_element(points.begin(), points.end(), by_height);
  if (height(*least) == height(*largest)) return fmt::format("{}: {} everywhere", series.name, height(*least));
  std::string text = fmt::format("{}: ", series.name);
  if (series.line) text += fmt::format("from {} to {}, ", place(points.front()), place(points.back()));
  text += fmt::format("least {}, largest {}", place(*least), place(*largest));
  const auto marked = std::find_if(points.begin(), points.end(), [](const PlotPoint& point) { return point.marked; });
  return marked == points.end() ? text : text + ", marked " + place(*marked);
}

/// For those who hear the page: title, axes and the finding of each series.
std::string finding_of(const Plot& plot, const Range& up) {
  std::string text = fmt::format("{}: {} over {}.", plot.title, plot.y.label, plot.x.label);
  for (const PlotSeries& series : plot.series) {
    const std::vector<PlotPoint> points = drawn_points(plot, series);
    if (!points.empty() && !series.dashed) text += " " + finding_of(series, points, plot.x, up) + ".";
  }
  return text;
}

}  // namespace

std::vector<double> round_ticks(double low, double high, int count, bool log) {
  std::vector<double> ticks;
  if (!(high > low) || count < 1 || (log && !(low > 0.0))) return ticks;
  if (log && high / low >= 10.0) {
    for (double decade = std::pow(10.0, std::floor(std::log10(low))); decade <= high * (1 + 1e-9); decade *= 10.0)
      for (const double part : {1.0, 2.0, 5.0})
        if ((part == 1.0 || high / low < 100.0) && decade * part >= low * (1 - 1e-9) &&
            decade * part <= high * (1 + 1e-9))
          ticks.push_back(decade * part);
    return ticks;
  }
  const double rough = (high - low) / count;
  const double decade = std::pow(10.0, std::floor(std::log10(rough)));
  double step = decade * 10.0;
  for (const double part : {1.0, 2.0, 5.0})
    if (decade * part >= rough) {
      step = decade * part;
      break;
    }
  // Counted first: where the axis is far from zero and narrow, a double cannot tell neighbours apart.
  const double first = std::ceil(low / step - 1e-9);
  const double most = std::min(std::floor(high / step + 1e-9) - first + 1.0, 2.0 * count + 2.0);
  for (int i = 0; i < most; ++i) {
    const double tick = (first + i) * step;
    if (ticks.empty() || tick > ticks.back()) ticks.push_back(tick == 0.0 ? 0.0 : tick);
  }
  return ticks;
}

std::string plot_drawing(const Plot& plot) {
  const Frame frame(plot);
  std::string svg =
      fmt::format("<figure class=\"plot\"><h3>{}</h3><svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">",
                  escaped(plot.title), kWidth, kHeight, escaped(finding_of(plot, frame.up())));
  if (plot.shaded_to && drawable(*plot.shaded_to, plot.x))
    svg += fmt::format("<rect class=\"shade\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>", kLeft,
                       kTop, std::max(0.0, frame.x(*plot.shaded_to) - kLeft), kHeight - kTop - kBottom);
  svg += axes_drawing(plot, frame);
  std::string legend;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const std::string_view colour = kColours.at(i % kColours.size());
    svg += series_drawing(plot, plot.series[i], frame, colour, i);
    legend += fmt::format("<li>{}{}</li>", key_drawing(plot.series[i], i, colour), escaped(plot.series[i].name));
  }
  svg += "</svg>";
  if (plot.series.size() > 1) svg += "<figcaption><ul class=\"legend\">" + legend + "</ul></figcaption>";
  return svg + "</figure>\n";
}

}  // namespace headrace::reports
