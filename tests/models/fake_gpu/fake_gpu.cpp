// A GPU that is none, behind the interface of the real probes: copies take 10 us and 20 GB/s (a half beside others),
// matrix products run at 100 TFLOP/s, a step takes its time and that of its copy, reads by cuFile go directly at 6 GB/s
// for each thread, there is one GPU and no all-reduce. HEADRACE_FAKE_GPU=none: there is no GPU; =broken: every copy and
// step fails; =no_cufile: there is no cuFile; =compat: its reads go through the host; =unverified: nobody counts them;
// =hot: heat holds its clocks down. It is its own NVML as well (HEADRACE_NVML_LIBRARY).
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "models/calibration/cuda/gpu_interface.h"

namespace {

bool is(const char* what) {
  const char* mode = std::getenv("HEADRACE_FAKE_GPU");
  return mode != nullptr && std::strcmp(mode, what) == 0;
}

double copy_seconds(const headrace_gpu_arm& arm) {
  const double rate = arm.memory == HEADRACE_GPU_PAGEABLE ? 5e9 : 20e9;
  return 10e-6 + static_cast<double>(arm.bytes) * (arm.opposite != 0 ? 2.0 : 1.0) / rate;
}

}  // namespace

struct headrace_gpu_session {
  int gpu = 0;
};

extern "C" {

int headrace_gpu_interface(void) { return HEADRACE_GPU_INTERFACE; }

int headrace_gpu_count(int* count, char* message, size_t size) {
  *count = is("none") ? 0 : 1;
  if (!is("none")) return HEADRACE_GPU_OK;
  std::snprintf(message, size, "cudaGetDeviceCount(count): cudaErrorNoDevice, no CUDA-capable device is detected");
  return HEADRACE_GPU_FAILED;
}

int headrace_gpu_describe(int, headrace_gpu_info* info, char*, size_t) {
  *info = {};
  std::snprintf(info->name, sizeof info->name, "Fake 3000");
  info->memory_bytes = 80e9;
  info->processors = 100;
  info->driver = info->runtime = 13000;
  std::snprintf(info->bus, sizeof info->bus, "0000:01:00.0");
  return HEADRACE_GPU_OK;
}

int headrace_gpu_open(int gpu, headrace_gpu_session** session, char*, size_t) {
  *session = new headrace_gpu_session{gpu};
  return HEADRACE_GPU_OK;
}

int headrace_gpu_measure(headrace_gpu_session*, const headrace_gpu_arm* arm, double seconds,
                         headrace_gpu_window* window, char* message, size_t size) {
  if (arm->kind == HEADRACE_GPU_ALL_REDUCE) {
    std::snprintf(message, size, "an all-reduce needs two GPUs");
    return HEADRACE_GPU_SKIPPED;
  }
  if (arm->kind == HEADRACE_GPU_COPY && is("broken")) {
    std::snprintf(message, size, "cudaMemcpyAsync: cudaErrorIllegalAddress, an illegal memory access was encountered");
    return HEADRACE_GPU_FAILED;
  }
  if (arm->kind == HEADRACE_GPU_DIRECT && (is("no_cufile") || arm->file == nullptr)) {
    std::snprintf(message, size, "cuFile is not there: libcufile.so: cannot open shared object file");
    return HEADRACE_GPU_SKIPPED;
  }
  window->path = HEADRACE_GPU_PATH_NONE;
  double rate = 1e6;  // launches
  if (arm->kind == HEADRACE_GPU_COPY) rate = static_cast<double>(arm->bytes) / copy_seconds(*arm);
  if (arm->kind == HEADRACE_GPU_HBM || arm->kind == HEADRACE_GPU_RESIZE) rate = 2e12;
  if (arm->kind == HEADRACE_GPU_GEMM) rate = 100e12;
  if (arm->kind == HEADRACE_GPU_DIRECT) {
    rate = 6e9 * arm->streams;
    window->path = is("compat")       ? HEADRACE_GPU_PATH_COMPAT
                   : is("unverified") ? HEADRACE_GPU_PATH_UNVERIFIED
                                      : HEADRACE_GPU_PATH_DIRECT;
  }
  window->seconds = seconds > 0.0 ? seconds : 1e-3;
  window->amount = rate * window->seconds;
  return HEADRACE_GPU_OK;
}

int headrace_gpu_step(headrace_gpu_session*, unsigned long long bytes, double seconds, char* message, size_t size) {
  if (is("broken")) {
    std::snprintf(message, size, "cudaEventSynchronize(done_): cudaErrorLaunchFailure, unspecified launch failure");
    return HEADRACE_GPU_FAILED;
  }
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds + 10e-6 + static_cast<double>(bytes) / 20e9));
  return HEADRACE_GPU_OK;
}

void headrace_gpu_close(headrace_gpu_session* session) { delete session; }

int nvmlInit_v2(void) { return 0; }
int nvmlShutdown(void) { return 0; }
int nvmlDeviceGetHandleByPciBusId_v2(const char* bus, void** device) {
  static int only = 0;
  *device = &only;
  return std::strcmp(bus, "0000:01:00.0") == 0 ? 0 : 6;
}
int nvmlDeviceGetClockInfo(void*, int, unsigned* mhz) {
  *mhz = is("hot") ? 600 : 1500;
  return 0;
}
int nvmlDeviceGetMaxClockInfo(void*, int, unsigned* mhz) {
  *mhz = 1500;
  return 0;
}
int nvmlDeviceGetTemperature(void*, int, unsigned* celsius) {
  *celsius = is("hot") ? 92 : 41;
  return 0;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* reasons) {
  *reasons = is("hot") ? 0x44 : 0x1;
  return 0;
}
}
