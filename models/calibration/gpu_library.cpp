#include "models/calibration/gpu_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <type_traits>
#include <vector>

#include "models/calibration/run_time_function.hpp"
#include "models/calibration/scratch.hpp"

namespace headrace::models::calibration {
namespace {

constexpr const char* kName = "libheadrace_cuda.so";

/// Where the library may be, best first.
std::vector<std::string> places(const std::string& library) {
  if (!library.empty()) return {library};
  if (const char* named = std::getenv("HEADRACE_CUDA_LIBRARY"); named != nullptr && *named != '\0') return {named};
  std::vector<std::string> all;
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) {
    all.push_back((program.parent_path() / kName).string());
    all.push_back((program.parent_path().parent_path() / "lib" / "headrace" / kName).string());
  }
  all.emplace_back(kName);
  return all;
}

template <class Function>
void find(void* handle, const char* name, Function& to) {
  to = run_time_function<std::remove_pointer_t<Function>>(handle, name);
  if (to == nullptr) throw NoGpu{"no_cuda_library", fmt::format("the library lacks {}", name)};
}

using Message = std::array<char, 512>;

void must_work(int code, const Message& message) {
  if (code != HEADRACE_GPU_OK)
    throw CalibrationError(fmt::format("a probe of the GPU failed: {}", message.data()),
                           "free the GPU's memory from other programs; nvidia-smi shows its state");
}

}  // namespace

GpuDevice::GpuDevice(const std::string& library, int gpu) {
  try {
    load(library);
    open(gpu);
  } catch (...) {
    if (handle_ != nullptr) ::dlclose(handle_);
    throw;
  }
}

GpuDevice::~GpuDevice() {
  close_(session_);
  ::dlclose(handle_);
}

void GpuDevice::load(const std::string& library) {
  std::string why;
  for (const std::string& place : places(library)) {
    handle_ = ::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) break;
    const char* error = ::dlerror();
    why = error == nullptr ? place : error;
  }
  if (handle_ == nullptr) throw NoGpu{"no_cuda_library", why};
  decltype(&headrace_gpu_interface) version = nullptr;
  find(handle_, "headrace_gpu_interface", version);
  if (version() != HEADRACE_GPU_INTERFACE)
    throw NoGpu{"no_cuda_library", fmt::format("the library speaks version {} of the interface, the program version {}",
                                               version(), HEADRACE_GPU_INTERFACE)};
  find(handle_, "headrace_gpu_count", count_function_);
  find(handle_, "headrace_gpu_describe", describe_);
  find(handle_, "headrace_gpu_open", open_);
  find(handle_, "headrace_gpu_measure", measure_);
  find(handle_, "headrace_gpu_step", step_);
  find(handle_, "headrace_gpu_close", close_);
}

void GpuDevice::open(int gpu) {
  Message message{};
  const auto must = [&message](int code) {
    if (code != HEADRACE_GPU_OK) throw NoGpu{"no_gpu", message.data()};
  };
  must(count_function_(&count_, message.data(), message.size()));
  if (gpu < 0 || gpu >= count_)
    throw NoGpu{"no_gpu", fmt::format("GPU {} was asked for, and there are {}", gpu, count_)};
  must(describe_(gpu, &info_, message.data(), message.size()));
  must(open_(gpu, &session_, message.data(), message.size()));
}

GpuWindow GpuDevice::measure(const headrace_gpu_arm& arm, double seconds) const {
  Message message{};
  headrace_gpu_window window{};
  const int code = measure_(session_, &arm, seconds, &window, message.data(), message.size());
  if (code == HEADRACE_GPU_SKIPPED) return {0.0, 0.0, HEADRACE_GPU_PATH_NONE, message.data()};
  must_work(code, message);
  return {window.amount, window.seconds, window.path, {}};
}

void GpuDevice::step(std::uint64_t bytes, double compute_s) const {
  Message message{};
  must_work(step_(session_, bytes, compute_s, message.data(), message.size()), message);
}

}  // namespace headrace::models::calibration
