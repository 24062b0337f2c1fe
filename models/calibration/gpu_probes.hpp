// What is measured of a GPU: copies over sizes, memory and streams, alone and beside others; launches, memory, matrix
// products, a kernel as loaders have, all-reduce.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/calibration/arms.hpp"
#include "models/calibration/gpu_library.hpp"

namespace headrace::models::calibration {

/// An arm of the library with the name under which it is reported.
struct GpuArm {
  headrace_gpu_arm arm{};
  std::string detail;  ///< "h2d pinned", "h2d pinned beside d2h", "gemm bf16", ...
  const char* unit = "B/s";
};

/// The file that reads by cuFile (GPUDirect Storage) go to.
struct GpuFile {
  std::string name;
  std::uint64_t bytes = 0;
};

/// The arms of a budget.
std::vector<GpuArm> gpu_arm_list(const std::string& budget, const GpuFile& file);

/// Tries each arm once; those that cannot be measured here are left out and their reasons appended to `downgrades`.
/// Reads by cuFile that do not go directly into the GPU, or that nobody counts, are measured and named ("gds compat").
std::vector<Arm> gpu_arms(const std::shared_ptr<GpuDevice>& device, const std::string& budget, const GpuFile& file,
                          std::vector<Downgrade>& downgrades);

/// One window of pinned copies of 16 MiB to the GPU.
ArmWindow copy_to_gpu(const GpuDevice& device, double seconds);

/// Facts for the record.
std::vector<HostFact> gpu_facts(const GpuDevice& device, int gpu);

/// For each kind of memory: a fixed cost and a rate from the times of copies over sizes, t = L + bytes / B, by least
/// squares of relative errors.
std::vector<Fit> fit_copies(const std::vector<Cell>& cells);

}  // namespace headrace::models::calibration
