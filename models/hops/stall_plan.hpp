// Where a run has stalls that its laws do not draw: see models/outcome/rare_stall.hpp.
#pragma once

#include <cmath>
#include <cstdint>

#include "models/hops/stage.hpp"
#include "sim/distribution.hpp"

namespace headrace::models {

/// Stalls placed into a run: one on every `every`-th batch from `first` on, on a loader drawn anew.
struct StallPlan {
  Stage stage = Stage::metadata;
  sim::Distribution duration_s;
  double usual_s = 0.0;  ///< mean of the operation that the stalled one replaces
  std::uint64_t first = 0;
  std::uint64_t every = 1;
  double start = 0.0;  ///< where in the law the durations begin, in [0, 1)

  /// Of the stall with this number; durations are spread evenly over their law (additive recurrence with the golden
  /// ratio).
  double duration_of_s(std::uint64_t stall) const {
    constexpr double kGolden = 0.6180339887498949;
    const double u = start + kGolden * static_cast<double>(stall + 1);
    return duration_s.quantile(u - std::floor(u));
  }
};

}  // namespace headrace::models
