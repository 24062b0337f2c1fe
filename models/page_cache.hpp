// The operating system's cache of file pages in a node's memory, which buffered and memory-mapped reads pass.
#pragma once

#include "models/describe/describe.hpp"

namespace headrace::models {

struct PageCache {
  double bytes = 0.0;                  ///< 0: none
  double bandwidth_bytes_per_s = 0.0;  ///< one reader; 0: not a limit
};

template <class V>
void describe(PageCache& c, V& v) {
  v.quantity("bytes", c.bytes, Unit::bytes,
             {.low = 0,
              .high = 4e12,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Memory of a node that holds file pages, least recently used pages leaving first; 0: none",
              .log_scale = true,
              .decided = true});
  v.quantity("bandwidth", c.bandwidth_bytes_per_s, Unit::bytes_per_second,
             {.low = 1e9,
              .high = 1e11,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Rate at which one reader copies pages out of the cache; 0: not a limit",
              .log_scale = true});
}

}  // namespace headrace::models
