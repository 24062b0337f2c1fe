// What an epoch takes beyond its steps because its queues are empty when it begins.
#pragma once

#include <cstddef>

#include "models/engine/step_log.hpp"

namespace headrace::models {

/// Of an epoch of n steps, from empty queues to the end of its last step: T(n) - n tau, where tau is the mean step. The
/// log begins with empty queues. n is the `transient`, at most half of the steps, and the mean is over as many n as
/// there are `workers`, whose batches may come together; the steps behind it give tau, in whole rounds of the workers.
double refill_s(const StepLog& log, std::size_t transient, std::size_t workers);

}  // namespace headrace::models
