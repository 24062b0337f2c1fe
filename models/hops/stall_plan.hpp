// Where a run has stalls that its laws do not draw: see models/outcome/rare_stall.hpp.
#pragma once

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
};

}  // namespace headrace::models
