// What a piece of a batch consists of: counts, sums of draws, and what follows from both. The terms of hops are linear
// in these amounts, so that drawn and mean amounts give drawn and mean times by the same sums.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/hops/path.hpp"
#include "sim/distribution.hpp"
#include "sim/random_stream.hpp"

namespace headrace::models {

enum class Quantity : std::uint8_t {
  // Counts.
  samples,
  hits,     ///< samples from the node's cache
  misses,   ///< samples from the store
  page,     ///< samples from the page cache
  peer,     ///< samples from the caches of other nodes
  shared,   ///< samples from the cache in front of the store
  filled,   ///< samples that are written into the node's cache
  decoded,  ///< samples that are not decoded already
  opens,    ///< at the store, as the following
  requests,
  batches,
  // Sums of independent draws, in the order in which the law of a batch's time adds them: see kBatchDraws.
  cpu_s,
  open_s,
  request_s,
  cached_read_s,
  missed_bytes,
  peer_s,
  shared_s,
  shared_bytes,
  peer_bytes,
  page_bytes,
  hit_bytes,
  // What follows from these.
  stored_bytes,       ///< that come from the store for missed_bytes
  cached_hit_bytes,   ///< as the node's cache holds them
  cached_peer_bytes,  ///< as the caches of other nodes hold them
  decoded_bytes,      ///< of the decoded samples; those of tiers count with their mean
  relayed_bytes,      ///< mean bytes of samples from peers and shared cache
  tensor_bytes,       ///< of all samples, as decoded tensors
  filled_bytes,       ///< that are written into the node's cache
};

inline constexpr std::size_t kQuantityCount = 29;
constexpr std::size_t index(Quantity quantity) { return static_cast<std::size_t>(quantity); }

class Amounts {
 public:
  double& operator[](Quantity quantity) { return values_[index(quantity)]; }
  double operator[](Quantity quantity) const { return values_[index(quantity)]; }

 private:
  std::array<double, kQuantityCount> values_{};
};

/// A sum of independent draws of one law, one per counted thing, and the stream that they come from.
struct Draw {
  Quantity sum;
  Quantity of;
  const sim::Distribution& (*law)(const IngestPath& path);
  sim::Purpose purpose;
  std::uint8_t place;  ///< in the pair of a piece's uniforms, or among the draws of a piece
  bool paired;
};

inline constexpr std::size_t kDrawCount = 11;
extern const std::array<Draw, kDrawCount> kBatchDraws;

/// Adds what follows from counts and sums.
class DerivedAmounts {
 public:
  explicit DerivedAmounts(const IngestPath& path)
      : holds_tensors_(path.holds_tensors),
        stored_per_missed_(path.miss_bytes_factor),
        cached_bytes_(path.tiers.cached_bytes),
        mean_bytes_(path.mean_sample_bytes()),
        tensor_bytes_(path.memory_bytes_per_sample) {}

  void add_to(Amounts& amounts) const;

 private:
  bool holds_tensors_;
  double stored_per_missed_;
  double cached_bytes_;
  double mean_bytes_;
  double tensor_bytes_;
};

/// Means of a batch of each of so many loaders, where the tiers answer these shares of the samples.
Amounts mean_amounts(const IngestPath& path, const WindowShares& shares, double loaders);

}  // namespace headrace::models
