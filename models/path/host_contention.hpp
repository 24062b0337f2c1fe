// Workers of one node slow each other down: they share caches, memory, locks, the clock that falls as more cores are
// busy, and hardware threads of one core.
//
// With sigma and kappa (models/spec/worker_contention.hpp): while b workers are busy at once, CPU work of each takes
// 1 + sigma (b - 1) + kappa b (b - 1) times as long. A worker that waits for storage slows nobody; how many are busy is
// the product form of models/twins/worker_scaling.hpp, exact for workers that do not wait for the GPU. All workers of a
// node count, more than its cores too, as in the measurements that the law is fitted to.
//
// With the exponent, the older law: b^beta, for at most as many workers as there are cores, b = 1 + (N - 1) u, where u
// is the share of a batch's time that is CPU work, slowed down as it is (a fixed point; mean-field approximation). N
// workers without any wait reach N^(1-beta) times one.
//
// In both, workers that wait for the GPU count as busy, which matters where loading is not the limit.
#pragma once

#include "models/path/ingest_path.hpp"

namespace headrace::models {

/// b^beta for batches of `cpu_s` of CPU work alone and `other_s` of everything else; 1 without CPU work.
double contention_factor(double beta, double workers, double cpu_s, double other_s);

/// Lengthens all CPU work of the path. After everything that a batch costs is resolved, for reads from the store.
void resolve_contention(IngestPath& path, const Pool& pool);

}  // namespace headrace::models
