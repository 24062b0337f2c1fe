// Limits of which 0 says that there is none.
#pragma once

#include <initializer_list>

#include "sim/fluid_tree.hpp"

namespace headrace::models {

/// The least of the limits that are set; 0 if none is.
inline double tightest(std::initializer_list<double> limits) {
  double least = 0.0;
  for (const double limit : limits)
    if (limit > 0.0 && (least == 0.0 || limit < least)) least = limit;
  return least;
}

/// As a fluid network wants it.
inline double or_unlimited(double bytes_per_s) { return bytes_per_s > 0.0 ? bytes_per_s : sim::kUnlimitedBytesPerS; }

}  // namespace headrace::models
