// Decoders of the libraries that were found when this was built: how many bytes they put out per second.
#pragma once

#include <string>
#include <vector>

#include "models/calibration/timed_work.hpp"

namespace headrace::models::calibration {

struct CodecWork {
  std::string name;  ///< "lz4", "zstd", "gzip", "jpeg", "sha256"
  Work work;
};

std::vector<CodecWork> codec_works();

}  // namespace headrace::models::calibration
