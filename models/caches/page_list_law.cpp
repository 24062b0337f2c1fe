#include "models/caches/page_list_law.hpp"

#include <algorithm>
#include <cmath>  // std::sqrt and std::floor only
#include <numeric>
#include <vector>

#include "models/base/purposes.hpp"
#include "models/caches/cache_policy.hpp"
#include "models/caches/page_lists.hpp"
#include "sim/random_stream.hpp"

namespace headrace::models {

namespace {

using Windows = std::array<double, kPageWindows>;

constexpr std::uint32_t kItems = 2048;
constexpr std::uint32_t kLeastReads = 256;  // of one node in an epoch
constexpr double kMostReaders = 16.0;       // beyond, all policies hit alike: each read is a draw from all items
constexpr std::uint64_t kSettledAfter = 24;
constexpr std::uint64_t kMeasured = 6;

/// What a node reads in one epoch after the other.
class ReadOrder {
 public:
  ReadOrder(std::uint32_t items, double readers)
      : order_(items), reads_(static_cast<std::uint32_t>(static_cast<double>(items) / readers)) {
    std::iota(order_.begin(), order_.end(), 0U);
  }
  std::uint32_t reads() const { return reads_; }
  std::uint32_t operator[](std::uint32_t place) const { return order_[place]; }
  /// Fisher and Yates, as far as this node reads. Items are few, so that the unevenness of a product is none.
  void shuffle() {
    for (std::uint32_t i = 0; i < reads_; ++i) {
      const sim::StreamKey key{0, 0, kDrawPageOrder, 0};
      const auto left = static_cast<std::uint64_t>(order_.size() - i);
      const std::uint64_t draw = sim::uniform_bits(key, draws_++) >> 32;
      std::swap(order_[i], order_[i + static_cast<std::uint32_t>((draw * left) >> 32)]);
    }
  }

 private:
  std::vector<std::uint32_t> order_;
  std::uint32_t reads_;
  std::uint64_t draws_ = 0;
};

struct Run {
  std::uint32_t items;
  std::uint32_t capacity;
  std::uint32_t inactive_ratio;
  double readers;
  std::uint64_t shuffled;  ///< epochs before those in the order of the last of them
  std::uint64_t own;
  bool fixed_order;
  bool operator==(const Run&) const = default;
};

Windows simulated(const Run& run) {
  PageLists pages(run.items, run.capacity, run.inactive_ratio);
  ReadOrder order(run.items, run.readers);
  const auto settled = static_cast<std::uint64_t>(kSettledAfter * run.readers);
  const std::uint64_t before = run.shuffled + run.own;
  const std::uint64_t measured = run.own >= settled || run.shuffled >= settled ? kMeasured : 1;
  std::array<std::uint64_t, kPageWindows> reads{};
  std::array<std::uint64_t, kPageWindows> hits{};
  for (std::uint64_t epoch = 0; epoch < before + measured; ++epoch) {
    if (!run.fixed_order || epoch <= run.shuffled) order.shuffle();
    for (std::uint32_t i = 0; i < order.reads(); ++i) {
      const bool hit = pages.access(order[i]);
      if (epoch < before) continue;
      const std::size_t window = std::uint64_t{i} * kPageWindows / order.reads();
      ++reads[window];
      hits[window] += hit ? 1 : 0;
    }
  }
  Windows ratios{};
  for (std::size_t w = 0; w < kPageWindows; ++w)
    ratios[w] = static_cast<double>(hits[w]) / static_cast<double>(std::max<std::uint64_t>(1, reads[w]));
  return ratios;
}

/// The last few sizes that were asked for: every position of an epoch asks for the same.
const Windows& remembered(const Run& run) {
  struct Entry {
    Run run{};
    Windows hits{};
  };
  thread_local std::vector<Entry> entries;
  thread_local std::size_t next = 0;
  for (const Entry& entry : entries)
    if (entry.run == run) return entry.hits;
  if (entries.size() < 8) entries.emplace_back();
  Entry& entry = entries[next];
  next = (next + 1) % 8;
  entry = {run, simulated(run)};
  return entry.hits;
}

Run run_of(const PageListLaw& law) {
  // In a fixed order each node keeps its own part of the corpus.
  const double readers = law.fixed_order ? 1.0 : std::max(1.0, law.readers);
  const double fraction = std::min(1.0, law.fixed_order ? law.fraction * law.readers : law.fraction);
  const auto settled = static_cast<std::uint64_t>(kSettledAfter * readers);
  Run run{};
  run.items = std::max(kItems, static_cast<std::uint32_t>(kLeastReads * readers));
  run.capacity = static_cast<std::uint32_t>(std::floor(fraction * run.items + 0.5));
  run.inactive_ratio = law.inactive_ratio;
  run.readers = readers;
  run.shuffled = std::min(law.staged_epochs, settled);
  run.own = std::min(law.own_epochs, settled);
  run.fixed_order = law.fixed_order;
  return run;
}

}  // namespace

std::uint32_t inactive_ratio(double bytes) {
  const double gib = std::floor(bytes / 1073741824.0);
  return gib < 1.0 ? 1U : static_cast<std::uint32_t>(std::sqrt(10.0 * gib));
}

std::array<double, kPageWindows> page_list_hits(const PageListLaw& law) { return remembered(run_of(law)); }

double page_list_hit_ratio_at(const PageListLaw& law, double position) {
  const std::uint64_t before =
      law.own_epochs > UINT64_MAX - law.staged_epochs ? UINT64_MAX : law.own_epochs + law.staged_epochs;
  if (before == 0 || !(law.fraction > 0.0)) return 0.0;
  if (!law.fixed_order && law.readers > kMostReaders)
    return hit_ratio_at({CachePolicy::random, law.fraction, law.readers, before}, position);
  const Run run = run_of(law);
  const Windows& hits = remembered(run);
  if (law.fixed_order) return std::accumulate(hits.begin(), hits.end(), 0.0) / kPageWindows;
  return hits[std::min(kPageWindows - 1, static_cast<std::size_t>(position * kPageWindows))];
}

}  // namespace headrace::models
