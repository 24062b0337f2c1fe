#include "models/caches/hit_laws.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "models/base/purposes.hpp"
#include "models/caches/item_cache.hpp"
#include "models/caches/lru_cache.hpp"
#include "sim/feistel_permutation.hpp"

namespace headrace::models {

double pinned_hit_ratio(double fraction, std::uint32_t nodes, std::uint64_t epochs_before) {
  // A node pins what it reads until it is full: after e epochs it has read 1 - (1-1/n)^e of the dataset.
  double unseen = 1.0;
  const double not_this_node = 1.0 - 1.0 / nodes;
  for (std::uint64_t e = 0; e < epochs_before && unseen > 1e-12; ++e) unseen *= not_this_node;
  return std::min(fraction, 1.0 - unseen);
}

double lru_hit_ratio_at(double fraction, double nodes, double position, std::uint64_t epochs_before) {
  const double n = nodes;
  const double not_this_node = 1.0 - 1.0 / n;
  const double unseen_now = 1.0 - position / n;
  double hit = 0.0;
  double unseen_between = 1.0;  // (1-1/n)^(k-1)
  for (std::uint64_t k = 1; k <= epochs_before && unseen_between * unseen_now > 1.0 - fraction; ++k) {
    if (unseen_between < 1e-12) return hit;
    const double reach = n * (1.0 - (1.0 - fraction) / (unseen_between * unseen_now));
    hit += unseen_between / n * std::clamp(reach, 0.0, 1.0);
    unseen_between *= not_this_node;
  }
  return hit;
}

namespace {

template <class Cache>
std::vector<double> measured_profile(Cache cache, std::uint32_t nodes, std::uint64_t items, std::uint32_t windows,
                                     std::uint64_t seed, std::uint64_t epochs_before) {
  const auto warm_up_epochs = static_cast<std::uint32_t>(std::min<std::uint64_t>(1 + 4 * (nodes - 1), epochs_before));
  // A young cache is measured in the one epoch that is asked for, a steady one over several.
  const bool steady = warm_up_epochs < epochs_before;
  const std::uint32_t measured_epochs = steady ? static_cast<std::uint32_t>(200'000 / items) + nodes : 1;
  std::vector<std::uint64_t> reads(windows, 0);
  std::vector<std::uint64_t> hits(windows, 0);
  for (std::uint32_t epoch = 0; epoch < warm_up_epochs + measured_epochs; ++epoch) {
    const sim::StreamKey key{seed, 0, kDrawSampleOrder, 0};
    const sim::FeistelPermutation order(sim::uniform_bits(key, epoch), items);
    for (std::uint64_t i = 0; i < items; i += nodes) {
      const bool hit = cache.access(static_cast<std::uint32_t>(order(i)));
      if (epoch < warm_up_epochs) continue;
      const auto window = static_cast<std::size_t>(i * windows / items);
      ++reads[window];
      hits[window] += hit ? 1 : 0;
    }
  }
  std::vector<double> profile(windows, 0.0);
  for (std::uint32_t w = 0; w < windows; ++w)
    profile[w] = reads[w] == 0 ? 0.0 : static_cast<double>(hits[w]) / static_cast<double>(reads[w]);
  return profile;
}

}  // namespace

std::vector<double> profile_per_item(CachePolicy policy, double fraction, std::uint32_t nodes, std::uint64_t items,
                                     std::uint32_t windows, std::uint64_t seed, std::uint64_t epochs_before) {
  if (items == 0 || items > kMostFollowedItems)
    throw std::invalid_argument("a per-item cache follows 1 to 10 million items");
  const auto count = static_cast<std::uint32_t>(items);
  const auto capacity = static_cast<std::uint32_t>(std::floor(fraction * static_cast<double>(items) + 0.5));
  if (policy == CachePolicy::lru)
    return measured_profile(LruCache(count, capacity), nodes, items, windows, seed, epochs_before);
  return measured_profile(ItemCache(policy, count, capacity, seed), nodes, items, windows, seed, epochs_before);
}

}  // namespace headrace::models
