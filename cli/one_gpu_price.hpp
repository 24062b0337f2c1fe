// Two scenarios with different GPUs and one price of a GPU hour: their costs differ by speed alone.
#pragma once

#include <string>

#include "models/spec/scenario.hpp"

namespace headrace::cli {

/// "an hour of B200-HGX counts as one of H100-SXM5-80GB, $4.00: set /prices/gpu_hour of each"; empty where the GPUs of
/// the first jobs are of one model, or prices differ or are none.
std::string one_gpu_price(const models::Scenario& a, const models::Scenario& b);

}  // namespace headrace::cli
