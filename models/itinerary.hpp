// What a batch asks of the path, in order: the one description that the max-plus engine sums, the event engine executes
// and the bounds integrate. It is a pure function of the path, of keyed draws and of the window's hit ratio.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/ingest_path.hpp"
#include "models/purposes.hpp"
#include "models/stage_visit.hpp"
#include "models/stall_plan.hpp"
#include "sim/assert.hpp"
#include "sim/binomial.hpp"
#include "sim/iid_sum.hpp"
#include "sim/random_stream.hpp"
#include "sim/time.hpp"

namespace headrace::models {

/// Stage switches of a run: which stages are infinitely fast (relief) and whether resources are shared at all.
struct RunSwitches {
  bool contention = true;
  std::array<bool, kStageCount> relieved{};
  const StallPlan* stalls = nullptr;  ///< stalls to place; must outlive the run
};

/// Visits being written one behind the other into room that the caller provides; without room only their sum.
class Itinerary {
 public:
  Itinerary() = default;
  explicit Itinerary(std::span<StageVisit> room) : room_(room) {}

  void add(Stage stage, bool contended, sim::TimeNs service_ns, double work) {
    if (room_.empty()) {
      total_ns_ += std::min(service_ns, StageVisit::kLongestServiceNs);
      return;
    }
    HEADRACE_ASSERT(size_ < room_.size(), "an itinerary has more visits than its path allows");
    room_[size_++] = StageVisit(stage, contended, service_ns, work);
  }
  std::uint32_t size() const { return size_; }
  /// Of the services, when there is no room for visits.
  sim::TimeNs total_ns() const { return total_ns_; }

 private:
  std::span<StageVisit> room_;
  std::uint32_t size_ = 0;
  sim::TimeNs total_ns_ = 0;
};

/// Sums of independent draws of one law, each prepared when its number of terms first occurs.
class PreparedSums {
 public:
  explicit PreparedSums(const sim::Distribution& term)
      : term_(term), constant_(term.is_constant()), mean_(term.mean()) {}

  double quantile(std::uint32_t terms, double u) const {
    if (constant_) return terms * mean_;
    if (terms >= by_terms_.size() || by_terms_[terms] == nullptr) [[unlikely]]
      prepare(terms);
    return by_terms_[terms]->quantile(u);
  }

 private:
  void prepare(std::uint32_t terms) const;

  sim::Distribution term_;
  bool constant_;
  double mean_;
  mutable std::vector<std::unique_ptr<sim::IidSum>> by_terms_;
};

/// Draws the itineraries of one replication of one window. Not for use by several threads at once: sums are prepared on
/// demand.
class ItineraryMaker {
 public:
  ItineraryMaker(const IngestPath& path, std::uint64_t seed, std::uint32_t replication, RunSwitches switches);

  /// Writes the itinerary of batch `batch` of `loader` into `room`, which holds at least most_visits(), and returns its
  /// length. Stages without work are left out.
  std::uint32_t make(std::uint32_t loader, std::uint64_t batch, std::span<StageVisit> room) const;
  /// No itinerary of this path is longer.
  std::size_t most_visits() const;

  /// Duration when nothing is shared: the max-plus engine's X.
  sim::TimeNs uncontended_ns(std::uint32_t loader, std::uint64_t batch) const;

  /// Compute time and overhead of a step, drawn once for all ranks.
  sim::TimeNs compute_ns(std::uint64_t step) const;
  sim::TimeNs overhead_ns(std::uint64_t step) const;

  /// Wait before retry number `attempt` (from 0) of a throttled request: full jitter around exponential means. `draw`
  /// counts the waits of the visit, `visit` the visits of the loader.
  sim::TimeNs backoff_ns(std::uint32_t loader, std::uint64_t visit, std::uint32_t draw, std::uint32_t attempt) const;

  const RunSwitches& switches() const { return switches_; }

 private:
  /// Samples that tiers other than the node's cache and the store answer.
  struct TierCounts {
    std::uint32_t page = 0;
    std::uint32_t peer = 0;
    std::uint32_t shared = 0;
  };
  /// Samples of one piece: how many of the batch's samples and hits fall into it, and the draws of its amounts. A draw
  /// that no law of the path needs is not made.
  struct Piece {
    std::uint64_t number = 0;  ///< of this loader, over all batches
    std::uint32_t hits = 0;
    std::uint32_t misses = 0;
    sim::UniformPair sizes{0.5, 0.5};    ///< of misses, of hits
    sim::UniformPair latency{0.5, 0.5};  ///< of opens, of requests
    sim::UniformPair host{0.5, 0.5};     ///< of cached reads, of CPU work
    TierCounts tiers;
  };

  static bool has_tiers(const IngestPath& path);
  TierCounts draw_tiers(std::uint32_t loader, std::uint64_t batch, std::uint32_t hits) const;
  void divide_tiers(const TierCounts& batch, std::uint32_t hits, std::uint32_t index, Piece& piece) const;
  void add_tiers(std::uint32_t loader, const Piece& piece, Itinerary& visits) const;
  void add_fill(const Piece& piece, Itinerary& visits) const;

  void draw_slowness();
  void add_all(std::uint32_t loader, std::uint64_t batch, Itinerary& visits) const;
  Piece piece_of(std::uint32_t loader, std::uint64_t batch, std::uint32_t index, std::uint32_t hits) const;
  void add(Itinerary& visits, Stage stage, bool contended, sim::TimeNs service_ns, double work) const {
    if (switches_.relieved[index(stage)] || (service_ns == 0 && !(work > 0.0))) return;
    visits.add(stage, contended && switches_.contention, service_ns, work);
  }
  double phase_of(std::uint32_t loader) const;
  void add_cached_bytes(const Piece& piece, Itinerary& visits) const;
  void add_throttle(std::uint32_t loader, const Piece& piece, Itinerary& visits) const;
  void add_cached_latency(const Piece& piece, Itinerary& visits) const;
  void add_store_read(std::uint32_t loader, std::uint32_t node, const Piece& piece, Itinerary& visits) const;
  sim::TimeNs request_service_ns(std::uint32_t requests, double request_s, double work) const;
  double placed_stall_s(Stage stage, std::uint32_t loader, const Piece& piece) const;
  void add_protocol(std::uint32_t node, std::uint32_t opens, std::uint32_t requests, double bytes,
                    Itinerary& visits) const;
  std::uint32_t decoded_samples(const Piece& piece) const;
  double decoded_bytes(const Piece& piece) const;
  void add_remote(std::uint32_t samples, Itinerary& visits) const;
  void add_memory(const Piece& piece, Itinerary& visits) const;
  void add_cpu(std::uint32_t node, const Piece& piece, Itinerary& visits) const;
  void add_hand_over(std::uint32_t node, Itinerary& visits) const;
  sim::StreamKey key(sim::Purpose purpose, std::uint32_t entity) const {
    return {seed_, replication_, purpose, path_.draw_base + entity};
  }

  const IngestPath& path_;
  std::uint64_t seed_;
  std::uint32_t replication_;
  RunSwitches switches_;
  sim::BinomialLaw hits_;
  bool sizes_vary_;
  bool latencies_vary_;
  bool host_varies_;
  PreparedSums open_s_;
  PreparedSums request_s_;
  PreparedSums cached_read_s_;
  PreparedSums cpu_s_;
  PreparedSums bytes_;
  bool tiered_;  ///< there are other tiers than the node's cache and the store, or writes into the cache
  PreparedSums peer_s_;
  PreparedSums shared_s_;
  std::vector<double> phases_;        ///< per loader: where in its first file it begins
  std::vector<std::uint32_t> nodes_;  ///< per loader
  std::vector<double> slowness_;      ///< per node: factor on CPU work
  std::vector<sim::TimeNs> copy_ns_;  ///< per node
  std::vector<sim::TimeNs> lock_ns_;  ///< per node
};

}  // namespace headrace::models
