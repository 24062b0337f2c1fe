// What a batch asks of its hops, drawn: what the max-plus engine sums and the event engine executes. It is a pure
// function of the path, of keyed draws and of the window's hit ratio.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/base/purposes.hpp"
#include "models/hops/hop.hpp"
#include "models/hops/path.hpp"
#include "models/hops/stage_visit.hpp"
#include "models/hops/stall_plan.hpp"
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

  void add(Stage stage, bool contended, sim::TimeNs service_ns, double work, std::uint32_t term) {
    if (room_.empty()) {
      total_ns_ += std::min(service_ns, StageVisit::kLongestServiceNs);
      return;
    }
    HEADRACE_ASSERT(size_ < room_.size(), "an itinerary has more visits than its path allows");
    room_[size_++] = StageVisit(stage, contended, service_ns, work, term);
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

  const sim::Distribution& term() const { return term_; }
  bool is_constant() const { return constant_; }
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

/// What a batch still asks for when its worker is done with it.
struct BehindWorker {
  Holder holder = Holder::worker;  ///< that: nothing
  Stage stage = Stage::receive;
  bool contended = false;
  sim::TimeNs service_ns = 0;
  std::uint32_t term = 0;

  sim::TimeNs pin_ns() const { return holder == Holder::pin_thread ? service_ns : 0; }
  sim::TimeNs receive_ns() const { return holder == Holder::training_process ? service_ns : 0; }
};

/// Draws the itineraries of one replication of one window. Not for use by several threads at once: sums are prepared on
/// demand.
class ItineraryMaker {
 public:
  ItineraryMaker(const IngestPath& path, std::uint64_t seed, std::uint32_t replication, RunSwitches switches);

  /// Writes the itinerary of batch `batch` of `loader` into `room`, which holds at least most_visits(), and returns its
  /// length. Stages without work are left out.
  std::uint32_t make(std::uint32_t loader, std::uint64_t batch, std::span<StageVisit> room) const;
  /// No itinerary of this path is longer, with what comes behind the worker.
  std::size_t most_visits() const { return most_visits_; }
  /// Terms of the path in their order; a visit names its own.
  const std::vector<StagedTerm>& terms() const { return terms_; }

  /// Every batch asks for the same as any other, and they share something.
  bool all_alike() const;

  /// Not part of the itineraries that make() writes.
  const BehindWorker& behind_worker() const { return behind_worker_; }

  /// Duration when nothing is shared: the max-plus engine's X.
  sim::TimeNs uncontended_ns(std::uint32_t loader, std::uint64_t batch) const;

  /// Compute time and overhead of a step, drawn once for all ranks.
  sim::TimeNs compute_ns(std::uint64_t step) const;
  sim::TimeNs overhead_ns(std::uint64_t step) const;
  /// By which load on the node's cores lengthens the host part of every step; a part of its overhead.
  sim::TimeNs host_wait_ns() const { return host_wait_ns_; }

  /// Wait before retry number `attempt` (from 0) of a throttled request: full jitter around exponential means. `draw`
  /// counts the waits of the visit, `visit` the visits of the loader.
  sim::TimeNs backoff_ns(std::uint32_t loader, std::uint64_t visit, std::uint32_t draw, std::uint32_t attempt) const;

  const RunSwitches& switches() const { return switches_; }

 private:
  friend class BatchTimes;

  /// Samples of a batch that the node's cache and other tiers answer.
  struct BatchCounts {
    std::uint32_t hits = 0;
    std::uint32_t page = 0;
    std::uint32_t peer = 0;
    std::uint32_t shared = 0;
    std::uint32_t first_hit = 0;  ///< phase at which hits are spread over the batch, of as many as it has samples
    double tier_place = 0.0;      ///< the same for samples that other tiers answer, 0 to 1
  };
  /// A sum of draws that the path needs, with its prepared law.
  struct DrawnSum {
    Draw draw;
    PreparedSums sums;
    std::uint8_t pair = 0;  ///< among pairs_, of paired draws that vary
  };
  /// A term that can take time, with what is the same for all pieces.
  struct DrawnTerm {
    std::uint32_t number = 0;
    StagedTerm term;
    bool contended = false;
    std::vector<sim::TimeNs> batch_ns = {};  ///< per node, of a term that comes once per batch
  };
  /// What each piece needs of a DrawnTerm, on one line of the cache.
  struct alignas(64) PieceTerm {
    PieceTerm(const DrawnTerm& drawn, const ServedAlone& alone);

    double amount(const Amounts& amounts) const {
      double sum = amounts[quantities[0]] * each[0];
      for (std::size_t i = 1; i < parts; ++i) sum += amounts[quantities[i]] * each[i];
      return sum;
    }
    double work_of(double amount) const { return amount_per_work == 1.0 ? amount : amount / amount_per_work; }
    /// Where nobody else asks.
    sim::TimeNs service_ns(double amount, double work) const {
      const double served = (alone_by_work ? work : amount) * alone_factor;
      return rounding == Rounding::up ? sim::transfer_ns(served, alone_rate) : sim::duration_ns(served / alone_rate);
    }

    std::array<double, Term::kMostParts> each{};
    double amount_per_work;
    double alone_factor;
    double alone_rate;  ///< infinite where there is no limit
    std::array<Quantity, Term::kMostParts> quantities{};
    std::uint8_t parts = 0;
    std::uint8_t number;
    Stage stage;
    Rounding rounding;
    bool contended;
    bool alone_by_work;
    bool slowed;
    bool stalls = false;  ///< the plan of stalls adds to it
  };
  static_assert(sizeof(PieceTerm) == 64);

  void slow_host_part();
  void prepare_draws();
  void prepare_terms();
  void draw_slowness();
  BatchCounts draw_counts(std::uint32_t loader, std::uint64_t batch) const;
  /// Counts of piece number `index` of a batch; draws of its sums.
  Amounts piece_of(std::uint32_t loader, std::uint64_t number, const BatchCounts& batch, std::uint32_t index) const;
  void draw_sums(std::uint32_t loader, std::uint64_t number, Amounts& amounts) const;
  void add_all(std::uint32_t loader, std::uint64_t batch, Itinerary& visits) const;
  void add_piece(std::uint32_t loader, std::uint64_t number, const Amounts& amounts, Itinerary& visits) const;
  double placed_stall_s(std::uint32_t loader, std::uint64_t number) const;
  sim::StreamKey key(sim::Purpose purpose, std::uint32_t entity) const {
    return {seed_, replication_, purpose, path_.draw_base + entity};
  }

  const IngestPath& path_;
  std::uint64_t seed_;
  std::uint32_t replication_;
  RunSwitches switches_;
  bool tiered_;
  std::uint32_t pieces_;
  sim::BinomialLaw hits_;
  std::vector<StagedTerm> terms_;
  std::size_t most_visits_ = 0;
  std::vector<DrawnTerm> of_piece_;
  std::vector<PieceTerm> piece_terms_;  ///< the same terms
  std::vector<DrawnTerm> of_batch_;
  BehindWorker behind_worker_;
  sim::TimeNs host_wait_ns_ = 0;
  double receiving_factor_ = 1.0;  ///< of its time on the path
  std::vector<DrawnSum> sums_;
  std::vector<sim::Purpose> pairs_;  ///< purposes whose pair of uniforms a piece needs
  DerivedAmounts derived_;
  std::vector<double> phases_;        ///< per loader: where in its first file it begins
  std::vector<std::uint32_t> nodes_;  ///< per loader
  std::vector<double> slowness_;      ///< per node: factor on CPU work
};

}  // namespace headrace::models
