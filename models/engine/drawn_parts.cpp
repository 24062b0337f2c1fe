#include "models/engine/drawn_parts.hpp"

#include <algorithm>

namespace headrace::models {
namespace {

/// Draws that one thread keeps: 10 MiB.
constexpr std::uint64_t kMostKept = std::uint64_t{1} << 20;

/// Draws of (loader, batch), batch by batch, as places in tables.
struct KeptStream {
  sim::StreamKey key;
  std::uint32_t loaders;
  std::vector<std::uint16_t> pieces;
  std::vector<double> within;

  void draw_to(std::size_t needed) {
    std::vector<double> row(loaders);
    std::size_t at = pieces.size();
    if (at >= needed) return;
    pieces.resize(needed);
    within.resize(needed);
    while (at < needed) {
      sim::uniforms_over_entities(key, 0, at / loaders, row);
      for (const double u : row) {
        const sim::QuantileTable::Place place = sim::QuantileTable::place_of(u);
        pieces[at] = place.piece;
        within[at++] = place.t;
      }
    }
  }
};

/// What this thread drew last. Streams that were not asked for of late make room for others.
class KeptDraws {
 public:
  /// Holds at least that many batches, which are at most kMostKept draws. Valid until the next call.
  const KeptStream& of(const sim::StreamKey& key, std::uint32_t loaders, std::uint64_t batches) {
    move_to_end(key, loaders);
    streams_.back().draw_to(batches * loaders);
    make_room();
    return streams_.back();
  }

 private:
  void move_to_end(const sim::StreamKey& key, std::uint32_t loaders) {
    const auto found = std::find_if(streams_.begin(), streams_.end(), [&](const KeptStream& one) {
      return one.loaders == loaders && one.key.seed == key.seed && one.key.replication == key.replication &&
             one.key.purpose == key.purpose;
    });
    if (found == streams_.end()) {
      streams_.push_back({key, loaders, {}, {}});
    } else {
      std::rotate(found, found + 1, streams_.end());
    }
  }

  /// The oldest go first, never the last one.
  void make_room() {
    std::size_t kept = 0;
    for (const KeptStream& stream : streams_) kept += stream.pieces.size();
    auto first = streams_.begin();
    for (; kept > kMostKept && first + 1 != streams_.end(); ++first) kept -= first->pieces.size();
    streams_.erase(streams_.begin(), first);
  }

  std::vector<KeptStream> streams_;
};

/// Buffers that no estimate of this thread reads any more are written again: new memory costs as much as a third of the
/// draws.
std::shared_ptr<std::vector<sim::TimeNs>> spare_buffer(std::size_t size) {
  constexpr std::size_t kMostBuffers = 2;  // of the steps, and of the refill
  thread_local std::vector<std::shared_ptr<std::vector<sim::TimeNs>>> buffers;
  auto spare = std::find_if(buffers.begin(), buffers.end(), [](const auto& one) { return one.use_count() == 1; });
  if (spare == buffers.end()) {
    if (buffers.size() == kMostBuffers) return std::make_shared<std::vector<sim::TimeNs>>(size);
    spare = buffers.insert(buffers.end(), std::make_shared<std::vector<sim::TimeNs>>());
  }
  (*spare)->resize(size);
  return *spare;
}

}  // namespace

std::shared_ptr<const std::vector<sim::TimeNs>> drawn_parts(const ProductionLaw& law, const sim::StreamKey& key,
                                                            std::uint32_t loaders, std::uint64_t batches) {
  if (law.table == nullptr || batches > kMostKept / loaders) return nullptr;
  thread_local KeptDraws kept;
  const KeptStream& drawn = kept.of(key, loaders, batches);
  const std::shared_ptr<std::vector<sim::TimeNs>> parts = spare_buffer(batches * loaders);
  const sim::QuantileTable& table = *law.table;
  for (std::size_t i = 0; i < parts->size(); ++i)
    (*parts)[i] = sim::duration_ns(table.at(drawn.pieces[i], drawn.within[i]));
  return parts;
}

}  // namespace headrace::models
