// How the samples of a dataset are compressed: fewer bytes on the way, core time to open them.
#pragma once

#include "models/describe/describe.hpp"

namespace headrace::models {

struct Codec {
  double ratio = 1.0;                 ///< bytes before over bytes after
  double decompress_bytes_per_s = 0;  ///< one core, counted in bytes that come out; 0: free
};

template <class V>
void describe(Codec& c, V& v) {
  v.number("ratio", c.ratio,
           {.low = 1,
            .high = 10,
            .min = 1,
            .evidence = Evidence::assumed,
            .meaning = "Bytes before compression over bytes after it; images and video are compressed already",
            .decided = true});
  v.quantity("decompress", c.decompress_bytes_per_s, Unit::bytes_per_second,
             {.low = 1e8,
              .high = 1e10,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Uncompressed bytes that one core produces per second; 0: costs nothing",
              .log_scale = true});
}

}  // namespace headrace::models
