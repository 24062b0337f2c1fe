// Times of batches when nothing is shared, as closely as they are asked for. That a batch takes no longer than some
// time can be told from how rare its draws are, at a small part of the cost of the time itself.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/hops/closeness.hpp"
#include "models/hops/itinerary.hpp"

namespace headrace::models {

class BatchTimes {
 public:
  /// `itineraries` must outlive it.
  explicit BatchTimes(const ItineraryMaker& itineraries);

  /// With tiers, with stalls to place, and with a law of infinite variance for a number of terms that varies.
  bool only_exact() const { return close_.empty(); }
  /// itineraries.uncontended_ns(loader, batch), or no less.
  sim::TimeNs of(std::uint32_t loader, std::uint64_t batch, Closeness closeness) const;

 private:
  /// Of a batch none of whose uniforms is above some level.
  struct Longest {
    double ns = 0.0;
    double slowed_ns = 0.0;  ///< on a node of slowness 1, of what takes longer on a slow node
  };
  struct Pieces;

  std::optional<Pieces> pieces_by_level() const;
  std::vector<Longest> longest(const Pieces& pieces, std::optional<sim::Purpose> by_draws_of) const;
  Longest longest(const Amounts& piece) const;
  double rarest(sim::Purpose purpose, std::uint32_t loader, std::uint64_t batch) const;

  const ItineraryMaker& itineraries_;
  std::vector<sim::Purpose> purposes_;  ///< of all draws that differ, the one that tells most first
  std::vector<Longest> rough_;          ///< by level of the first purpose
  std::vector<Longest> close_;          ///< by level of all
};

}  // namespace headrace::models
