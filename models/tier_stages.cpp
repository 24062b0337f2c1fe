// The itinerary's stages of tiers other than the node's cache and the store: page cache, peers, cache in front of the
// store, and the writes that fill the node's cache.
#include <algorithm>

#include "models/itinerary.hpp"

namespace headrace::models {

namespace {

constexpr std::uint64_t kDrawsPerPiece = 4;

/// Items of one kind that fall to samples [from, to) of `total`, spread evenly; what is left of the samples is the
/// range for the next kind.
struct SampleRange {
  std::uint64_t from;
  std::uint64_t to;
  std::uint64_t total;

  std::uint32_t take(std::uint32_t count) {
    if (total == 0) return 0;
    const std::uint64_t below = count * from / total;
    const std::uint64_t upto = count * to / total;
    from -= below;
    to -= upto;
    total -= count;
    return static_cast<std::uint32_t>(upto - below);
  }
};

}  // namespace

bool ItineraryMaker::has_tiers(const IngestPath& path) {
  return path.tiers.shares.read() > 0.0 || (path.tiers.shares.fill > 0.0 && path.tiers.fill_weight > 0.0);
}

/// Multinomial: one binomial after the other among the samples that are left.
ItineraryMaker::TierCounts ItineraryMaker::draw_tiers(std::uint32_t loader, std::uint64_t batch,
                                                      std::uint32_t hits) const {
  const TierShares& shares = path_.tiers.shares;
  TierCounts counts;
  std::uint32_t left = path_.batch_samples - hits;
  double share_left = 1.0 - path_.hit_ratio;
  std::uint64_t draw = batch * kDrawsPerPiece;
  const auto next = [&](double share) -> std::uint32_t {
    const double u = sim::uniform(key(kDrawTiers, loader), draw++);
    if (!(share > 0.0) || left == 0) return 0;
    const std::uint32_t count = sim::binomial_quantile(left, share_left > share ? share / share_left : 1.0, u);
    left -= count;
    share_left -= share;
    return count;
  };
  counts.page = next(shares.page);
  counts.peer = next(shares.peer);
  counts.shared = next(shares.shared);
  return counts;
}

/// Gives the piece its part of the batch's tier reads, out of its misses.
void ItineraryMaker::divide_tiers(const TierCounts& batch, std::uint32_t hits, std::uint32_t index,
                                  Piece& piece) const {
  const std::uint64_t samples = path_.batch_samples;
  const std::uint64_t from = samples * index / path_.pieces();
  const std::uint64_t from_rest = from - hits * from / samples;
  SampleRange range{from_rest, from_rest + piece.misses, samples - hits};
  piece.tiers.page = range.take(batch.page);
  piece.tiers.peer = range.take(batch.peer);
  piece.tiers.shared = range.take(batch.shared);
  piece.misses -= piece.tiers.page + piece.tiers.peer + piece.tiers.shared;
}

void ItineraryMaker::add_tiers(std::uint32_t loader, const Piece& piece, Itinerary& visits) const {
  const TierPath& tiers = path_.tiers;
  const sim::StreamKey sizes = key(kDrawTierSizes, loader);
  const auto bytes_of = [&](std::uint32_t samples, std::uint64_t draw) {
    return bytes_.quantile(samples, sizes_vary_ ? sim::uniform(sizes, piece.number * kDrawsPerPiece + draw) : 0.5);
  };
  const auto latency_of = [&](const PreparedSums& law, std::uint32_t samples, std::uint64_t draw) {
    const double u = sim::uniform(key(kDrawTierLatency, loader), piece.number * kDrawsPerPiece + draw);
    return sim::duration_ns(law.quantile(samples, u) / path_.lanes);
  };
  if (piece.tiers.peer > 0) {
    const double bytes = path_.holds_tensors ? piece.tiers.peer * tiers.cached_bytes : bytes_of(piece.tiers.peer, 0);
    // The medium of the peer that serves: a node serves as much as it asks for.
    if (path_.cache.capacity_per_s > 0.0)
      add(visits, Stage::cache, path_.cache.contended, sim::transfer_ns(bytes, path_.cache.capacity_per_s), bytes);
    add(visits, Stage::peer, true, sim::transfer_ns(bytes, tiers.peer_bytes_per_s), bytes);
    add(visits, Stage::peer, false, latency_of(peer_s_, piece.tiers.peer, 0), 0.0);
  }
  if (piece.tiers.shared > 0) {
    const double bytes = bytes_of(piece.tiers.shared, 1);
    add(visits, Stage::shared_cache, true, sim::transfer_ns(bytes, tiers.shared_bytes_per_s), bytes);
    add(visits, Stage::shared_cache, false, latency_of(shared_s_, piece.tiers.shared, 1), 0.0);
  }
  if (piece.tiers.page > 0 && tiers.page_bytes_per_s > 0.0)
    add(visits, Stage::cache, false, sim::transfer_ns(bytes_of(piece.tiers.page, 2), tiers.page_bytes_per_s), 0.0);
}

/// What enters the node's cache is written before the batch is done, and takes its time of the medium from the reads.
void ItineraryMaker::add_fill(const Piece& piece, Itinerary& visits) const {
  const TierPath& tiers = path_.tiers;
  const double entering =
      tiers.shares.fill * (piece.hits + piece.misses + piece.tiers.page + piece.tiers.peer + piece.tiers.shared);
  const double work = entering * tiers.cached_bytes * tiers.fill_weight;
  add(visits, Stage::cache, path_.cache.contended, sim::transfer_ns(work, path_.cache.capacity_per_s), work);
}

}  // namespace headrace::models
