// Names of constraints that programs ask for.
#pragma once

#include <string_view>

namespace headrace::models {

/// Broken where a pool has too few nodes for its jobs.
inline constexpr std::string_view kJobsFitTheirPool = "jobs fit their pool";
/// Broken where a job takes more nodes, or more GPUs of a node, than its pool has.
inline constexpr std::string_view kJobNodesFit = "job nodes <= pool nodes";
inline constexpr std::string_view kJobGpusFit = "job GPUs <= node GPUs";

}  // namespace headrace::models
