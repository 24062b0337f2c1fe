// Bars that stand in table cells: drawings without words that stretch with their column. The numbers stand beside them
// in the table, so a reader who sees no drawing loses nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/document.hpp"

namespace headrace::reports {

/// A bar from 0 to `value` on a scale that ends at `full`, with whiskers at an interval.
std::string bar_drawing(double value, double full, std::optional<Ends> whiskers = {}, std::string_view colour = "one");

/// A dot at `value` with a thick line over `noise` and a thin one over `inputs`, on the scale from `low` to `high`.
std::string interval_drawing(double value, std::optional<Ends> noise, std::optional<Ends> inputs, Ends scale);

/// A dot at `value` with a thick line over its interval, and a stroke at a limit, on the given scale.
std::string limit_drawing(double value, std::optional<Ends> interval, double limit, Ends scale);

/// A bar from zero in the middle to `value`, with whiskers, on a scale from -full to full.
std::string change_drawing(double value, std::optional<Ends> whiskers, double full, std::string_view colour);

/// A bar from `low` to `middle` in one colour and from there to `high` in another, on the given scale: one bar of a
/// tornado. Where both lie on one side of the middle, the one that is farther off is drawn behind.
std::string tornado_drawing(double low, double middle, double high, Ends scale);

/// A bar from one share of the whole to another: one step of a waterfall.
std::string step_drawing(Ends span, std::string_view colour);

struct Part {
  double share = 0.0;  ///< of the whole
  std::string_view colour;
  std::string label;
};

/// One bar cut into parts, with a legend that names each.
std::string stacked_drawing(const std::vector<Part>& parts, std::string_view title);

}  // namespace headrace::reports
