// Names of constraints that programs ask for.
#pragma once

#include <string_view>

namespace headrace::models {

/// Broken where a pool has too few nodes for its jobs.
inline constexpr std::string_view kJobsFitTheirPool = "jobs fit their pool";

}  // namespace headrace::models
