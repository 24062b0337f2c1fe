// The library with the probes of GPUs, loaded at run time (cuda/gpu_interface.h). Without it, or without a GPU, there
// is a named reason and nothing else changes.
#pragma once

#include <cstdint>
#include <string>

#include "models/calibration/cuda/gpu_interface.h"

namespace headrace::models::calibration {

/// Why GPUs cannot be measured here.
struct NoGpu {
  std::string what;    ///< "no_cuda_library", "no_gpu"
  std::string reason;  ///< one line
};

/// What one window of an arm came to, or why there is none.
struct GpuWindow {
  double amount = 0.0;
  double seconds = 0.0;
  int path = HEADRACE_GPU_PATH_NONE;
  std::string skipped;  ///< empty: it was measured
};

/// One GPU behind the library. Throws NoGpu from the constructor, CalibrationError when a call of CUDA fails later.
class GpuDevice {
 public:
  /// `library` is a file; empty: HEADRACE_CUDA_LIBRARY, then libheadrace_cuda.so beside the program, in ../lib/headrace
  /// and where the system looks.
  GpuDevice(const std::string& library, int gpu);
  ~GpuDevice();
  GpuDevice(const GpuDevice&) = delete;
  GpuDevice& operator=(const GpuDevice&) = delete;

  const headrace_gpu_info& info() const { return info_; }
  int count() const { return count_; }
  GpuWindow measure(const headrace_gpu_arm& arm, double seconds) const;
  /// A step of training: copies `bytes` to the device, then computes there for `compute_s`; returns when it is over.
  void step(std::uint64_t bytes, double compute_s) const;

 private:
  void load(const std::string& library);
  void open(int gpu);

  void* handle_ = nullptr;
  headrace_gpu_session* session_ = nullptr;
  headrace_gpu_info info_{};
  int count_ = 0;
  decltype(&headrace_gpu_count) count_function_ = nullptr;
  decltype(&headrace_gpu_describe) describe_ = nullptr;
  decltype(&headrace_gpu_open) open_ = nullptr;
  decltype(&headrace_gpu_measure) measure_ = nullptr;
  decltype(&headrace_gpu_step) step_ = nullptr;
  decltype(&headrace_gpu_close) close_ = nullptr;
};

}  // namespace headrace::models::calibration
