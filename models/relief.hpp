// Relief: how much of the GPUs' time would be won if one stage were infinitely fast: the wait that goes, over the time
// that the same steps took before. Measured by running the same batches with
// the same draws again. This is what a fix buys, which blame alone cannot say: behind a slow stage stands the next
// slowest.
#pragma once

#include <functional>
#include <vector>

#include "models/outcome.hpp"
#include "models/window_study.hpp"

namespace headrace::models {

/// Relief of every stage that takes time, for each job, as a share of elapsed time, sorted by stage. `windows` holds
/// the studies of all jobs, window by window; a stage is relieved for all jobs at once. `parallel` runs the tasks
/// 0 .. n-1 in any order.
std::vector<std::vector<StageShare>> measure_relief(
    const std::vector<std::vector<const WindowStudy*>>& windows, bool contention,
    const std::function<void(std::size_t, const std::function<void(std::size_t)>&)>& parallel);

}  // namespace headrace::models
