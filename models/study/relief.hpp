// Relief: the share of the time of GPUs that would be won if one stage were infinitely fast: the wait that goes, and
// the host part that gets shorter, over the time that the same steps took before. Measured by running the same batches
// with the same draws again. This is the gain of a fix, which blame alone cannot say: behind a slow stage stands the
// next slowest.
#pragma once

#include <stop_token>
#include <vector>

#include "models/outcome/outcome.hpp"

namespace headrace::models {

class TaskPool;
class WindowStudy;

/// Below this idle share there is nothing to relieve.
inline constexpr double kLeastIdleToRelieve = 1e-4;

/// Relief of every stage that takes time, for each job, as a share of elapsed time, sorted by stage. `windows` holds
/// the studies of all jobs, window by window; a stage is relieved for all jobs at once. Throws Abandoned once the token
/// asks for it.
std::vector<std::vector<StageShare>> measure_relief(const std::vector<std::vector<const WindowStudy*>>& windows,
                                                    TaskPool& pool, const std::stop_token& abandon);

}  // namespace headrace::models
