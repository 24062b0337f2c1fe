// What a step spends at the barrier beside the wait for data: the barrier itself, and the rank that comes last although
// its batch was ready.
//
// Sources: S. Agarwal, R. Garg, N. Vishnoi, The impact of noise on the scaling of collectives, HiPC 2005 (the longest
// delay of n ranks; heavy tails make it grow much faster than ln n); F. Petrini, D. Kerbyson, S. Pakin, SC 2003
// (measured on 8,192 ranks); H. A. David, H. N. Nagaraja, Order Statistics, 2003, eq. 2.1.1; D. Hensgen, R. Finkel, U.
// Manber, Int. J. Parallel Programming 17(1), 1988 (dissemination barrier: ceil(log2 n) rounds).
// Deviations: delays begin when all batches are there, so that they add to the wait for the slowest loader. A rank that
// is late while it waits for data anyway delays nothing, which makes the sum an upper limit where both are large.
#pragma once

#include "models/spec/barrier.hpp"
#include "sim/distribution.hpp"
#include "sim/random_stream.hpp"
#include "sim/time.hpp"

namespace headrace::models {

/// Seconds per step.
struct BarrierTimes {
  double ranks = 1.0;
  double fixed_s = 0.0;  ///< barrier with all of its rounds
  sim::Distribution rank_delay_s = sim::Distribution::constant(0.0);
  double slowest_rank_s = 0.0;  ///< mean of the longest delay of all ranks

  double mean_s() const { return fixed_s + slowest_rank_s; }
  /// With a single rank: no round, and no other to wait for.
  double single_rank_s(const Barrier& stated) const { return stated.time_s + rank_delay_s.mean(); }
};

BarrierTimes barrier_times(const Barrier& barrier, double ranks);

/// Time at the barrier in step `step`; `key` is that of the draws of the job's steps.
sim::TimeNs barrier_ns(const BarrierTimes& barrier, sim::StreamKey key, std::uint64_t step);

}  // namespace headrace::models
