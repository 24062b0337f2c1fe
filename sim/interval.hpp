// A confidence interval as the result of an analysis; where there is too little data there is none.
#pragma once

#include <algorithm>

namespace headrace::sim {

/// Two-sided confidence interval [lo, hi], in the unit of what it is about; not always symmetric about the mean.
struct Interval {
  double lo = 0.0;
  double hi = 0.0;

  bool contains(double value) const { return lo <= value && value <= hi; }
  /// The longer of the two arms from `mean`: what a target for the half-width is compared with.
  double half_width(double mean) const { return std::max(mean - lo, hi - mean); }
};

}  // namespace headrace::sim
