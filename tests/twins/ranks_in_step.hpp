// Ranks of a synchronous job behind their prefetch buffers, simulated event by event with nothing of the engines: own
// draws, own network, seconds as doubles. Held against both engines, and the origin of the reference cases
// `contention_sim`.
//
// A rank takes its batch when it has ended the step before and the batch is ready, and its slot is free from then on:
// it does not wait for the other ranks. The step starts when all ranks have taken theirs.
#pragma once

#include <cstdint>

namespace headrace::models::twins {

enum class RankOrder { kInOrder, kAnyOrderPerWorker, kAnyOrderShared };

/// A batch is a log-normal latency and then, where it has bytes, a flow through one leaf and the pool. Flows of one
/// leaf share alike; leaves share the pool max-min fair.
struct RanksInStep {
  std::uint32_t ranks = 1;
  std::uint32_t workers = 1;      ///< N per rank
  std::uint32_t outstanding = 1;  ///< K per rank
  RankOrder order = RankOrder::kInOrder;
  double latency_mean_s = 1.0;
  double latency_cv = 0.0;
  double compute_s = 1.0;
  double bytes = 0.0;
  std::uint32_t leaves = 1;  ///< of equal numbers of ranks
  double flow_bytes_per_s = 1e15;
  double leaf_bytes_per_s = 1e15;
  double pool_bytes_per_s = 1e15;
};

/// Means over steps after a warm-up, with standard errors from 32 batches of steps.
struct RanksInStepFigures {
  double idle = 0.0;  ///< waiting for data over elapsed time
  double idle_error = 0.0;
  double step_s = 0.0;
  double step_error_s = 0.0;
};

RanksInStepFigures simulate_ranks_in_step(const RanksInStep& job, std::uint64_t seed, std::uint64_t warm_up_steps,
                                          std::uint64_t steps);

}  // namespace headrace::models::twins
