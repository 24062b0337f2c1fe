// Workers of one node slow each other down before its cores are used up: they share caches, memory, the clock that
// falls as more cores are busy, and hardware threads of one core.
//
// While b workers compute, the CPU work of each takes b^beta times as long: the law of the hand-over lock, s1 N^beta,
// for work that nothing serialises, so that N workers without any wait reach N^(1-beta) times one. A worker that waits
// for storage slows nobody: b = 1 + (N - 1) u, where u is the share of a batch's time that is CPU work, slowed down as
// it is (a fixed point; mean-field approximation). Workers that wait for the GPU count as busy, which matters where
// loading is not the limit.
#pragma once

#include "models/ingest_path.hpp"

namespace headrace::models {

/// b^beta for batches of `cpu_s` of CPU work alone and `other_s` of everything else; 1 without CPU work.
double contention_factor(double beta, double workers, double cpu_s, double other_s);

/// Lengthens all CPU work of the path. After everything that a batch costs is resolved, for reads from the store.
void resolve_contention(IngestPath& path, const Pool& pool);

}  // namespace headrace::models
