#include "models/spec/write_cache.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(WriteCache& w, Visitor& v) {
  v.quantity("bytes", w.bytes, Unit::bytes,
             {.low = 1e9,
              .high = 1e15,
              .above = 0,
              .meaning = "Size of the fast area: of the whole store, or of the drives of each node together",
              .log_scale = true,
              .required = true});
  v.quantity(
      "bandwidth", w.bandwidth_bytes_per_s, Unit::bytes_per_second,
      {.low = 1e8,
       .high = 1e14,
       .above = 0,
       .meaning = "Write bandwidth while the fast area has free space; write_bandwidth is the rate when it is full",
       .log_scale = true,
       .required = true});
  v.quantity("drain", w.drain_bytes_per_s, Unit::bytes_per_second,
             {.low = 1e7,
              .high = 1e14,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Rate at which the fast area empties, idle or not; absent: the write bandwidth past it",
              .log_scale = true});
  v.constraint("the cache drains no faster than it fills",
               !w.drain_bytes_per_s || *w.drain_bytes_per_s <= w.bandwidth_bytes_per_s,
               "a write cache that empties faster than it fills is never full: lower drain, or leave write_cache out",
               {"drain", "bandwidth"});
}

}  // namespace headrace::models
