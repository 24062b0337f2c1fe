// The clock of the probes.
#pragma once

#include <cstdint>
#include <ctime>

namespace headrace::models::calibration {

inline std::uint64_t clock_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(now.tv_nsec);
}

inline double seconds_between(std::uint64_t begin_ns, std::uint64_t end_ns) {
  return 1e-9 * static_cast<double>(end_ns - begin_ns);
}

}  // namespace headrace::models::calibration
