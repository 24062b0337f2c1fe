// How the samples of a dataset are compressed: fewer bytes on the way, core time to open them.
#pragma once

#include "models/describe/declarations.hpp"

namespace headrace::models {

struct Codec {
  double ratio = 1.0;                 ///< bytes before over bytes after
  double decompress_bytes_per_s = 0;  ///< one core, counted in bytes that come out; 0: free
};

void describe(Codec& c, Visitor& v);

}  // namespace headrace::models
