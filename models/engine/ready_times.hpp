// When the batches of all loaders were ready, as far back as the next batch depends on them, with static assignment:
// F[i-N], at which the worker of batch i came free, and F[i-K], which says when the slot of batch i came free.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/hops/closeness.hpp"
#include "sim/time.hpp"

namespace headrace::models {

/// The rule for slots, in one place. A rank takes batch i at A[i] = max(E[i-1], F[i]): when step i-1 has ended (E) and
/// its own batch is ready. Its slot is free from then on, whether or not the other ranks have theirs. Batch i begins at
///   max(F[i-N], A[i-K]) = max(F[i-N], E[i-K-1], F[i-K]).
/// If K is a multiple of N, F[i-K] is of the same worker as F[i-N] and no later: rows of K batches need not be kept.
///
/// A batch that the rank still has to receive, for r in the training process or for p in a pin thread beside it (alone:
/// batches that wait for it are no matter of this recursion), is taken at A[i] = max(E[i-1], F[i] + p) + r. Then batch
/// i begins at max(F[i-N], max(E[i-K-1], F[i-K] + p) + r), and rows of K batches are kept.
class ReadyTimes {
 public:
  /// `behind_ns`: p + r.
  ReadyTimes(std::uint32_t loaders, std::uint32_t workers, std::uint32_t outstanding, sim::TimeNs behind_ns = 0)
      : loaders_(loaders),
        depth_(outstanding % workers == 0 && behind_ns == 0 ? workers : std::max(workers, outstanding)),
        worker_back_(workers % depth_),
        slot_back_(outstanding % depth_),
        rows_(std::size_t{depth_} * loaders, -behind_ns),
        closeness_(rows_.size(), Closeness::exact) {}

  /// Of one batch, with one time per loader.
  struct Row {
    sim::TimeNs* ns;
    Closeness* closeness;  ///< to which the time is known; else it is no later than this
    std::uint32_t back;    ///< batches before the next one
  };
  /// The three may be the same row: read both times of a loader before its own is written.
  struct Rows {
    Row ready;          ///< F[i], to be written
    Row worker_free;    ///< F[i-N]
    Row in_slot_ready;  ///< F[i-K], or something that is no later than F[i-N]
  };
  Rows next() {
    const Rows rows{row(0), row(worker_back_), row(slot_back_)};
    present_ = present_ + 1 == depth_ ? 0 : present_ + 1;
    return rows;
  }

 private:
  Row row(std::uint32_t back) {
    const std::uint32_t at = present_ >= back ? present_ - back : present_ + depth_ - back;
    const std::size_t first = std::size_t{at} * loaders_;
    return {rows_.data() + first, closeness_.data() + first, back == 0 ? depth_ : back};
  }

  std::size_t loaders_;
  std::uint32_t depth_;  ///< rows
  std::uint32_t worker_back_;
  std::uint32_t slot_back_;
  std::uint32_t present_ = 0;      ///< i modulo depth
  std::vector<sim::TimeNs> rows_;  ///< [batch modulo depth][loader]; no slot is free before 0
  std::vector<Closeness> closeness_;
};

}  // namespace headrace::models
