// The most and the least that may be asked of a study, by whatever door a question comes in.
#pragma once

#include <cstdint>

namespace headrace::models {

inline constexpr std::uint64_t kMostSteps = 1'000'000'000'000;
inline constexpr std::uint32_t kMostReplications = 100'000;
inline constexpr double kLeastPrecision = 1e-5;
inline constexpr double kMostPrecision = 0.5;
inline constexpr unsigned kMostThreads = 4096;
inline constexpr std::uint64_t kLeastPlanPoints = 4;
inline constexpr std::uint64_t kMostPlanPoints = 100'000;

}  // namespace headrace::models
