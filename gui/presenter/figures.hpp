// The figures behind a drawing, as tables: what is copied, saved and read out.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headrace::gui {

/// A part of the plane of a chart, in the units of its axes.
struct View {
  double x_low = 0.0;
  double x_high = 1.0;
  double y_low = 0.0;
  double y_high = 1.0;

  bool holds(double x, double y) const { return x >= x_low && x <= x_high && y >= y_low && y <= y_high; }
  friend bool operator==(const View&, const View&) = default;
};

struct FigureRow {
  std::vector<std::string> cells;
  std::optional<std::pair<double, double>> at;  ///< place in the plane, where it has one
};

struct Figures {
  std::vector<std::string> header;
  std::vector<FigureRow> rows;

  /// Those that a view holds, and those without a place.
  Figures within(const View& view) const;
};

/// RFC 4180; empty without a header.
std::string csv_of(const Figures& figures);

/// A list of objects, one per row; what reads as a number is one.
std::string json_of(const Figures& figures);

}  // namespace headrace::gui
