#include "models/twins/preprocessing.hpp"

#include <algorithm>

namespace headrace::models::twins {

PreprocessingTimes preprocessing_times(double compute_s, double samples, double cpu_s_per_sample, double cores,
                                       double sample_bytes, double size_factor, double link_bytes_per_s) {
  const double link_s = samples * sample_bytes / link_bytes_per_s;
  return {.on_the_fly_s = std::max({compute_s, samples * cpu_s_per_sample / cores, link_s}),
          .preprocessed_s = std::max(compute_s, link_s * size_factor)};
}

double preprocessing_break_even_bytes_per_s(double cpu_s_per_sample, double cores, double sample_bytes,
                                            double size_factor) {
  return size_factor * sample_bytes * cores / cpu_s_per_sample;
}

CodecBreakEven codec_break_even(double ratio, double decompress_bytes_per_s, double cores) {
  const double all = cores * decompress_bytes_per_s;
  return {.serial_bytes_per_s = all * (1.0 - 1.0 / ratio), .pipelined_bytes_per_s = all};
}

double synchronous_step_s(double compute_s, double load_s) { return compute_s + load_s; }

double cores_for_ingest(double bytes_per_s, double receive_bytes_per_s, double decrypt_bytes_per_s) {
  const double receive = receive_bytes_per_s > 0.0 ? 1.0 / receive_bytes_per_s : 0.0;
  const double decrypt = decrypt_bytes_per_s > 0.0 ? 1.0 / decrypt_bytes_per_s : 0.0;
  return bytes_per_s * (receive + decrypt);
}

}  // namespace headrace::models::twins
