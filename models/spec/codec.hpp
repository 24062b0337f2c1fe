// How the samples of a dataset are compressed: fewer bytes on the way, core time to open them.
#pragma once

#include <optional>

#include "models/describe/declarations.hpp"

namespace headrace::models {

struct Codec {
  double ratio = 1.0;                            ///< bytes before over bytes after
  std::optional<double> decompress_bytes_per_s;  ///< one core, counted in bytes that come out; none: free
};

void describe(Codec& c, Visitor& v);

}  // namespace headrace::models
