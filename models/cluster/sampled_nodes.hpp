// How many of a job's like nodes are simulated, at least, where some stand for all (models/cluster/like_nodes.hpp).
#pragma once

#include <cstdint>

namespace headrace::models {

inline constexpr std::uint32_t kSampledNodes = 32;
/// Of a brief run whose answer is rough, and is compared with others of its kind.
inline constexpr std::uint32_t kBrieflySampledNodes = 16;

}  // namespace headrace::models
