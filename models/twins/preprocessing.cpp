#include "models/twins/preprocessing.hpp"

namespace headrace::models::twins {

double preprocessing_break_even_bytes_per_s(double cpu_s_per_sample, double cores, double sample_bytes,
                                            double size_factor) {
  return size_factor * sample_bytes * cores / cpu_s_per_sample;
}

CodecBreakEven codec_break_even(double ratio, double decompress_bytes_per_s, double cores) {
  const double all = cores * decompress_bytes_per_s;
  return {.serial_bytes_per_s = all * (1.0 - 1.0 / ratio), .pipelined_bytes_per_s = all};
}

}  // namespace headrace::models::twins
