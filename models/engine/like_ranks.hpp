// The ranks of a job that the event engine leaves out, because it simulates others that are like them. Each keeps its
// own draws and its own times in the recursion of the max-plus engine; only what a batch waits for at shared resources
// comes from the batch of the same step of a simulated rank. Where nothing is waited for, the steps of the job are
// those of the full engine, bit for bit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/engine/blame.hpp"
#include "models/engine/rank_recursion.hpp"
#include "models/hops/batch_times.hpp"

namespace headrace::models {

class LikeRanks {
 public:
  /// All nodes of `whole` behind its first `simulated_nodes`. `itineraries` are of the whole job. Both must outlive it.
  LikeRanks(const IngestPath& whole, std::uint32_t simulated_nodes, const ItineraryMaker& itineraries,
            std::uint64_t seed, std::uint32_t replication);

  /// When the last of them has its batch of the next step. `waited_ns`: of every simulated rank, what its batch of this
  /// step waited for in its worker.
  sim::TimeNs arrive(sim::TimeNs compute_end_ns, std::span<const sim::TimeNs> waited_ns);
  /// The step whose batches arrived last ends.
  void step_ends(sim::TimeNs end_ns);

  /// The simulated rank that gave its waits to the last arrival.
  std::uint32_t last_like() const { return like(arrival_.loader); }
  /// The batch of the last arrival, with the waits of `like`, the batch of that rank. Valid until the next call.
  BatchTimeline last_timeline(const BatchTimeline& like);

 private:
  template <class WaitTime>
  RankRecursion::Arrival arrive_after(sim::TimeNs compute_end_ns, const WaitTime& wait_ns);
  std::uint32_t like(std::uint32_t loader) const {
    return likes_[loader / loaders_per_node_] * loaders_per_node_ + loader % loaders_per_node_;
  }

  const IngestPath& whole_;
  const ItineraryMaker& itineraries_;
  std::uint64_t seed_;
  std::uint32_t replication_;
  std::uint32_t loaders_per_node_;
  std::uint32_t simulated_nodes_;
  std::uint32_t first_loader_;  ///< of those left out
  BatchTimes times_;
  RankRecursion ranks_;
  std::vector<std::uint32_t> likes_;  ///< per node: the simulated node that it is like in this step
  RankRecursion::Arrival arrival_;
  std::uint64_t batch_ = 0;  ///< the next one
  std::vector<StageVisit> visits_;
};

}  // namespace headrace::models
