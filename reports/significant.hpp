// Values as a hand sets them: to a few significant digits.
#pragma once

#include <cmath>

namespace headrace::reports {

/// The value rounded to so many significant digits.
inline double significant(double value, int digits) {
  if (value == 0.0 || !std::isfinite(value)) return value;
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - (digits - 1));
  return std::round(value / unit) * unit;
}

}  // namespace headrace::reports
