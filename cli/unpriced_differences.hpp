// What differs between two scenarios and has no price of its own: their costs do not show it.
#pragma once

#include <string>
#include <vector>

#include "models/spec/scenario.hpp"

namespace headrace::cli {

/// "an hour of B200-HGX counts as one of H100-SXM5-80GB, $4.00: set /prices/gpu_hour of each", of GPUs of the first
/// jobs; "the bandwidth of store 'storage' has no price, so 100 GB/s cost what 50 GB/s do: set ..."; the same of drives
/// that hold a cache.
std::vector<std::string> unpriced_differences(const models::Scenario& a, const models::Scenario& b);

}  // namespace headrace::cli
