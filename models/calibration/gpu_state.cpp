#include "models/calibration/gpu_state.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "models/calibration/run_time_function.hpp"

namespace headrace::models::calibration {
namespace {

// Names and numbers of NVML's interface (nvml.h), which is stable: functions return 0 when they worked.
constexpr int kTemperatureOfGpu = 0;
constexpr int kClockOfProcessors = 1;
constexpr std::uint64_t kHardwareSlowdown = 0x8;
constexpr std::uint64_t kSoftwareHeat = 0x20;
constexpr std::uint64_t kHardwareHeat = 0x40;
constexpr std::uint64_t kPowerBrake = 0x80;
constexpr std::pair<std::uint64_t, const char*> kReasons[] = {{0x2, "clocks set by a user"},
                                                              {0x4, "power cap"},
                                                              {kHardwareSlowdown, "slowed by the hardware"},
                                                              {0x10, "in step with others"},
                                                              {kSoftwareHeat, "heat, by the driver"},
                                                              {kHardwareHeat, "heat, by the hardware"},
                                                              {kPowerBrake, "power brake"}};

using Simple = int();
using Finder = int(const char*, void**);
using NumberOfKind = int(void*, int, unsigned*);
using Bits = int(void*, unsigned long long*);

}  // namespace

bool GpuState::is_throttled() const {
  return (held_by.value_or(0) & (kHardwareSlowdown | kSoftwareHeat | kHardwareHeat | kPowerBrake)) != 0;
}

std::string gpu_state_text(const GpuState& state) {
  std::string text;
  const auto add = [&text](const std::string& part) { text.append(text.empty() ? "" : ", ").append(part); };
  if (state.clock_mhz)
    add(state.most_clock_mhz ? fmt::format("{} of {} MHz", *state.clock_mhz, *state.most_clock_mhz)
                             : fmt::format("{} MHz", *state.clock_mhz));
  if (state.celsius) add(fmt::format("{} C", *state.celsius));
  for (const auto& [bit, name] : kReasons)
    if ((state.held_by.value_or(0) & bit) != 0) add(name);
  if (state.held_by && !state.is_throttled()) add("not throttled");
  return text.empty() ? "unknown" : text;
}

template <class Function>
Function* GpuMonitor::found(const char* name) const {
  return run_time_function<Function>(library_, name);
}

GpuMonitor::GpuMonitor(const std::string& bus) {
  const char* named = std::getenv("HEADRACE_NVML_LIBRARY");
  library_ = ::dlopen(named != nullptr && *named != '\0' ? named : "libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  auto* const begin = found<Simple>("nvmlInit_v2");
  auto* const find = found<Finder>("nvmlDeviceGetHandleByPciBusId_v2");
  if (begin == nullptr || find == nullptr || bus.empty() || begin() != 0) return;
  begun_ = true;
  if (find(bus.c_str(), &device_) != 0) device_ = nullptr;
}

GpuMonitor::~GpuMonitor() {
  // NVML counts beginnings and ends: others in this process (NCCL) keep theirs.
  auto* const end = found<Simple>("nvmlShutdown");
  if (end != nullptr && begun_) end();
  if (library_ != nullptr) ::dlclose(library_);
}

std::optional<unsigned> GpuMonitor::number(const char* name, int kind) const {
  unsigned value = 0;
  auto* const ask = found<NumberOfKind>(name);
  return ask != nullptr && ask(device_, kind, &value) == 0 ? std::optional(value) : std::nullopt;
}

GpuState GpuMonitor::now() const {
  GpuState state;
  if (device_ == nullptr) return state;
  state.clock_mhz = number("nvmlDeviceGetClockInfo", kClockOfProcessors);
  state.most_clock_mhz = number("nvmlDeviceGetMaxClockInfo", kClockOfProcessors);
  state.celsius = number("nvmlDeviceGetTemperature", kTemperatureOfGpu);
  // The second name is that of drivers before version 535.
  for (const char* name : {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"}) {
    unsigned long long bits = 0;
    auto* const ask = found<Bits>(name);
    if (state.held_by || ask == nullptr || ask(device_, &bits) != 0) continue;
    state.held_by = bits;
  }
  return state;
}

}  // namespace headrace::models::calibration
