// Sizes that probes use.
#pragma once

#include <cstddef>
#include <cstdint>

namespace headrace::models::calibration {

inline constexpr std::uint64_t kKi = 1024;
inline constexpr std::uint64_t kMi = 1024 * kKi;
inline constexpr std::size_t kPageBytes = 4096;

}  // namespace headrace::models::calibration
