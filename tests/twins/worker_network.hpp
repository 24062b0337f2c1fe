// Workers that slow each other down while they are busy, by another way than the models: exact mean-value analysis of a
// delay and one station with queue-dependent rates.
#pragma once

#include <functional>

namespace headrace::models::twins {

/// Batches per second of `workers` that compute, `cpu_s` times slowdown(j) while j of them do so on `cores` (0: any
/// number), and need no core for `other_s`. Loses digits where workers hardly ever wait: up to a dozen of them. M.
/// Reiser, S. S. Lavenberg, JACM 27(2), 1980, section 4.
double slowed_workers_per_s(int workers, int cores, double cpu_s, double other_s,
                            const std::function<double(double busy)>& slowdown);

}  // namespace headrace::models::twins
