// The random part of a batch's time when nothing is shared, draw by draw: what its law convolves and its variance adds.
#pragma once

#include "models/hops/hop.hpp"
#include "models/hops/path.hpp"

namespace headrace::models {

/// A sum of independent draws that a batch waits for.
struct DrawnTime {
  const sim::Distribution* law = nullptr;  ///< of the path
  double terms = 0.0;                      ///< mean number of draws
  double per_s = 0.0;                      ///< units of the law per second, at all hops that the draw passes together
};

/// Draws that take time and occur in the path's window, in the order of kBatchDraws.
ShortList<DrawnTime, kDrawCount> drawn_times(const IngestPath& path);

/// Variance of a batch's time: of its draws and of how many samples the node's cache has, square seconds. The shares of
/// other tiers count as constant.
double batch_time_variance(const IngestPath& path);

}  // namespace headrace::models
