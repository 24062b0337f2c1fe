#include "models/spec/codec.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(Codec& c, Visitor& v) {
  v.number("ratio", c.ratio,
           {.low = 1,
            .high = 10,
            .min = 1,
            .evidence = Evidence::assumed,
            .meaning = "Bytes before compression over bytes after it; images and video are compressed already",
            .decided = true});
  v.limit("decompress", c.decompress_bytes_per_s, Unit::bytes_per_second,
          {.low = 1e8,
           .high = 1e10,
           .min = 0,
           .evidence = Evidence::assumed,
           .meaning = "Uncompressed bytes that one core produces per second; 0: no cost",
           .log_scale = true});
}

}  // namespace headrace::models
