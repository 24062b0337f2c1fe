// E1, the max-plus engine: a job whose resources are not shared, with static assignment and in-order delivery. With N
// workers, K outstanding batches, X the sum of a batch's itinerary and T what a step takes, for each loader
//   A[i] = max(E[i-1], F[i]),   F[i] = max(F[i-N], A[i-K]) + X[i],   E[i] = max over loaders A[i] + T[i],
// (max_plus.hpp says why; Baccelli, Cohen, Olsder and Quadrat, Synchronization and Linearity, 1992, chapter 1, for
// recursions of this kind; ready_times.hpp, where a rank still receives its batch) in int64 nanoseconds. It is the twin
// of the event engine with contention off, bit for bit.
#pragma once

#include <cstdint>
#include <vector>

#include "models/engine/rank_recursion.hpp"
#include "models/engine/step_log.hpp"
#include "models/hops/itinerary.hpp"

namespace headrace::models {

class UncontendedRun {
 public:
  /// Step i takes the draws of batch first_batch + i: a run with a far first batch is independent of one that begins
  /// at 0, with the same nodes. Throws std::invalid_argument unless the path delivers in order.
  UncontendedRun(const IngestPath& path, const ItineraryMaker& itineraries, std::uint64_t first_batch = 0);

  /// Runs until `steps` steps are complete. Blame is not recorded.
  void run_to(std::uint64_t steps);
  /// When the next step starts, without a log: for runs of which only the step times count. Not to be mixed with
  /// run_to.
  sim::TimeNs advance();
  const StepLog& log() const { return log_; }
  /// Mean and largest batch time drawn so far, seconds.
  double mean_batch_time_s() const;

 private:
  struct Arrival {
    std::uint64_t batch = 0;
    sim::TimeNs compute_end_ns = 0;
    RankRecursion::Arrival ranks;
  };

  Arrival arrive();
  /// Begins the step of the batches that have arrived.
  StepRecord begin(const Arrival& arrival);
  void step();

  const IngestPath& path_;
  const ItineraryMaker& itineraries_;
  RankRecursion ranks_;
  StepLog log_;
  sim::TimeNs previous_end_ns_ = 0;
  std::uint64_t first_batch_;
  std::uint64_t next_ = 0;
  double batch_time_sum_s_ = 0.0;
};

}  // namespace headrace::models
