// Where preprocessing and compression pay, in closed form. Sources: definitions (rates of a pipeline whose stages run
// side by side, or one after the other). Deviations: none.
#pragma once

namespace headrace::models::twins {

/// One step of B samples when stages run side by side: the slowest of compute, cores and link.
struct PreprocessingTimes {
  double on_the_fly_s = 0.0;    ///< max(T, B t / H, B S / W)
  double preprocessed_s = 0.0;  ///< max(T, B S m / W)
};
PreprocessingTimes preprocessing_times(double compute_s, double samples, double cpu_s_per_sample, double cores,
                                       double sample_bytes, double size_factor, double link_bytes_per_s);

/// Link above which tensors that are m times as large beat decoding on H cores: m S H / t.
double preprocessing_break_even_bytes_per_s(double cpu_s_per_sample, double cores, double sample_bytes,
                                            double size_factor);

/// Link below which compression by `ratio` pays when cores decompress V bytes per second each.
struct CodecBreakEven {
  double serial_bytes_per_s = 0.0;     ///< H V (1 - 1/r)
  double pipelined_bytes_per_s = 0.0;  ///< H V
};
CodecBreakEven codec_break_even(double ratio, double decompress_bytes_per_s, double cores);

/// Step of a training process that loads its own batches: T + X.
double synchronous_step_s(double compute_s, double load_s);

/// Cores that receive `bytes_per_s` when one core receives at `receive` and decrypts at `decrypt` bytes per second.
double cores_for_ingest(double bytes_per_s, double receive_bytes_per_s, double decrypt_bytes_per_s);

}  // namespace headrace::models::twins
