// The recursion of the max-plus engine for the ranks of a job, or for some of them: when each has its batch of the next
// step, if the time that every batch takes in its worker is known, or as far as it matters can be told.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/engine/ready_times.hpp"
#include "models/hops/closeness.hpp"
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

  /// Times of batches that wait for nothing that others wait for: batch_ns(loader, back, closeness) of the one that
  /// came `back` steps before the present one, no less than its exact time. Of the present one, wait_ns(loader) comes
  /// on top.
  template <class BatchTime, class WaitTime>
  struct Batches {
    BatchTime batch_ns;
    WaitTime wait_ns;
    bool only_exact;
  };
  template <class BatchTime, class WaitTime>
  Batches(BatchTime, WaitTime, bool) -> Batches<BatchTime, WaitTime>;

  /// The batches of the next step; the step before ends at `compute_end_ns`. A time that is known to be early enough
  /// is not told more closely, because all that follows is the same: the worker's next batch begins when its slot
  /// comes free.
  template <class BatchTime, class WaitTime>
  Arrival arrive(sim::TimeNs compute_end_ns, const Batches<BatchTime, WaitTime>& batches) {
    const sim::TimeNs slot_ns = free_from_ns_[slot_] - pin_ns_;
    const ReadyTimes::Rows rows = ready_.next();
    Arrival arrival;
    for (std::uint32_t loader = 0; loader < loaders_; ++loader) {
      const sim::TimeNs slot_free_ns = later(rows.in_slot_ready, loader, slot_ns, batches) + pin_ns_ + receive_ns_;
      const sim::TimeNs begin_ns = later(rows.worker_free, loader, slot_free_ns, batches);
      const sim::TimeNs first_ns = begin_ns + batches.wait_ns(loader);
      // The first one may be the last arrival, of which all is asked.
      Closeness closeness = batches.only_exact || loader == 0 ? Closeness::exact : Closeness::rough;
      sim::TimeNs ready_ns = first_ns + batches.batch_ns(loader, 0, closeness);
      while (closeness != Closeness::exact && ready_ns + pin_ns_ > compute_end_ns) {
        closeness = closer(closeness);
        ready_ns = first_ns + batches.batch_ns(loader, 0, closeness);
      }
      rows.ready.ns[loader] = ready_ns;
      rows.ready.closeness[loader] = closeness;
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
  /// The time of a row, or `since_ns` where that is later.
  template <class BatchTime, class WaitTime>
  static sim::TimeNs later(const ReadyTimes::Row& row, std::uint32_t loader, sim::TimeNs since_ns,
                           const Batches<BatchTime, WaitTime>& batches) {
    const sim::TimeNs ns = row.ns[loader];
    if (ns <= since_ns) return since_ns;
    const Closeness closeness = row.closeness[loader];
    if (closeness == Closeness::exact) return ns;
    const sim::TimeNs over_ns =
        batches.batch_ns(loader, row.back, closeness) - batches.batch_ns(loader, row.back, Closeness::exact);
    return std::max(since_ns, ns - over_ns);
  }

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
