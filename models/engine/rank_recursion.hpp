// The recursion of the max-plus engine for the ranks of a job, or for some of them: when each has its batch of the next
// step, if the time that every batch takes in its worker is known.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/engine/ready_times.hpp"
#include "models/hops/itinerary.hpp"

namespace headrace::models {

class RankRecursion {
 public:
  /// For `loaders` of the path's loaders.
  RankRecursion(const IngestPath& path, std::uint32_t loaders, const BehindWorker& behind)
      : loaders_(loaders),
        synchronous_(path.synchronous),
        pin_ns_(behind.pin_ns()),
        receive_ns_(behind.receive_ns()),
        ready_(loaders, path.workers, path.outstanding, pin_ns_ + receive_ns_),
        free_from_ns_(path.outstanding, -receive_ns_) {}

  struct Arrival {
    sim::TimeNs last_ns = 0;   ///< when the last rank has its batch
    sim::TimeNs own_ns = 0;    ///< waits for the own batch, summed over loaders
    std::uint32_t loader = 0;  ///< the last one, the lowest of those that come together
    sim::TimeNs begin_ns = 0;  ///< of its batch, in its worker
    sim::TimeNs ready_ns = 0;  ///< when the worker is done with it
  };

  /// The batches of the next step, of which that of `loader` takes batch_ns(loader). The step before ends at
  /// `compute_end_ns`.
  template <class BatchTime>
  Arrival arrive(sim::TimeNs compute_end_ns, const BatchTime& batch_ns) {
    const sim::TimeNs slot_ns = free_from_ns_[slot_];
    const ReadyTimes::Rows rows = ready_.next();
    Arrival arrival;
    for (std::uint32_t loader = 0; loader < loaders_; ++loader) {
      const sim::TimeNs slot_free_ns = std::max(rows.in_slot_ready[loader] + pin_ns_, slot_ns) + receive_ns_;
      const sim::TimeNs begin_ns = std::max(rows.worker_free[loader], slot_free_ns);
      const sim::TimeNs ready_ns = begin_ns + batch_ns(loader);
      rows.ready[loader] = ready_ns;
      const sim::TimeNs taken_ns = std::max(compute_end_ns, ready_ns + pin_ns_) + receive_ns_;
      arrival.own_ns += taken_ns - compute_end_ns;
      if (taken_ns <= arrival.last_ns) continue;
      arrival.last_ns = taken_ns;
      arrival.loader = loader;
      arrival.begin_ns = begin_ns;
      arrival.ready_ns = ready_ns;
    }
    compute_end_ns_ = compute_end_ns;
    return arrival;
  }

  /// The step whose batches arrived last ends at `end_ns`.
  void step_ends(sim::TimeNs end_ns) {
    free_from_ns_[slot_] = synchronous_ ? end_ns : compute_end_ns_;
    slot_ = slot_ + 1 == free_from_ns_.size() ? 0 : slot_ + 1;
  }

 private:
  std::uint32_t loaders_;
  bool synchronous_;
  sim::TimeNs pin_ns_;
  sim::TimeNs receive_ns_;
  ReadyTimes ready_;
  std::vector<sim::TimeNs> free_from_ns_;  ///< by slot: no rank takes its batch earlier
  std::size_t slot_ = 0;                   ///< of the next batch
  sim::TimeNs compute_end_ns_ = 0;         ///< of the step before that of the batches that arrived last
};

}  // namespace headrace::models
