// Scenarios that the plain simulator knows, each drawn from its number alone.
#pragma once

#include <cstdint>

#include "models/spec/scenario.hpp"

namespace headrace::plain {

/// 1 to 4 nodes of 1 to 4 GPUs, 1 to 4 workers, prefetch 1 to 3, batches of 1 to 8 samples; loads of workers and of
/// whatever they share from light to too much.
models::Scenario random_scenario(std::uint64_t number);

}  // namespace headrace::plain
