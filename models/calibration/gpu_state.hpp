// Clocks and temperature of a GPU, and what holds its clocks down, by NVML where the driver brings it. NVML is loaded
// at run time; without it nothing is known.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace headrace::models::calibration {

struct GpuState {
  std::optional<unsigned> clock_mhz;       ///< of the processors
  std::optional<unsigned> most_clock_mhz;  ///< that they may reach
  std::optional<unsigned> celsius;
  std::optional<std::uint64_t> held_by;  ///< bits of NVML: why the clocks are lower

  /// Heat or the board's power supply slows the GPU down. A cap of power is the ordinary state of a GPU at work.
  bool is_throttled() const;
};

/// "1755 of 1980 MHz, 64 C, power cap"; "unknown" for nothing.
std::string gpu_state_text(const GpuState& state);

class GpuMonitor {
 public:
  /// Of the GPU at this place of the PCI bus. The library is that of HEADRACE_NVML_LIBRARY or libnvidia-ml.so.1.
  explicit GpuMonitor(const std::string& bus);
  ~GpuMonitor();
  GpuMonitor(const GpuMonitor&) = delete;
  GpuMonitor& operator=(const GpuMonitor&) = delete;

  GpuState now() const;

 private:
  template <class Function>
  Function* found(const char* name) const;
  std::optional<unsigned> number(const char* name, int kind) const;

  void* library_ = nullptr;
  void* device_ = nullptr;
  bool begun_ = false;
};

}  // namespace headrace::models::calibration
