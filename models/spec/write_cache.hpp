// The fast area of drives that takes writes at a higher rate until it is full: flash used with one bit per cell, a
// battery-backed memory, credits of a cloud volume. The rate past it is the write bandwidth of what has the cache.
#pragma once

#include <optional>

#include "models/describe/declarations.hpp"

namespace headrace::models {

/// Of a whole store, or of the drives of each node.
struct WriteCache {
  double bytes = 0.0;
  double bandwidth_bytes_per_s = 0.0;       ///< while it has free space
  std::optional<double> drain_bytes_per_s;  ///< at which it empties, also while written; absent: the rate past it

  void slow_down(double factor) {
    bandwidth_bytes_per_s *= factor;
    if (drain_bytes_per_s) *drain_bytes_per_s *= factor;
  }
};

void describe(WriteCache& w, Visitor& v);

}  // namespace headrace::models
