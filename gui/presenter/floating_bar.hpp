// Bars that begin somewhere else than at zero: steps from one total to another, ranges.
#pragma once

#include <string>
#include <vector>

#include "gui/presenter/dashboard.hpp"

namespace headrace::gui {

struct FloatingBar {
  /// unsure: a difference that cannot be told from noise.
  enum class Kind { total, less, more, unsure, range } kind = Kind::total;
  std::string name;
  std::string text;   ///< beside the name: "+3.2 ms", "$3.37"
  double from = 0.0;  ///< in the unit of the chart, the lower end first
  double to = 0.0;
  double middle = 0.0;  ///< of a range; of a difference where it ends
};

}  // namespace headrace::gui
