// Where preprocessing and compression pay, in closed form. Sources: definitions (rates of a pipeline whose stages run
// side by side, or one after the other). Deviations: none.
#pragma once

namespace headrace::models::twins {

/// Link above which tensors that are m times as large beat decoding on H cores: m S H / t.
double preprocessing_break_even_bytes_per_s(double cpu_s_per_sample, double cores, double sample_bytes,
                                            double size_factor);

/// Link below which compression by `ratio` pays when cores decompress V bytes per second each.
struct CodecBreakEven {
  double serial_bytes_per_s = 0.0;     ///< H V (1 - 1/r)
  double pipelined_bytes_per_s = 0.0;  ///< H V
};
CodecBreakEven codec_break_even(double ratio, double decompress_bytes_per_s, double cores);

}  // namespace headrace::models::twins
