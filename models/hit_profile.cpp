#include "models/hit_profile.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "models/host_costs.hpp"
#include "models/ingest_path.hpp"
#include "models/lru_cache.hpp"
#include "models/purposes.hpp"
#include "sim/feistel_permutation.hpp"

namespace headrace::models {

namespace {

constexpr std::uint64_t kMostItems = 10'000'000;
constexpr std::uint64_t kItemsByDefault = 200'000;  // auto: a profile in about 0.1 s
constexpr std::uint32_t kMostNodesPerItem = 16;
constexpr std::uint32_t kProfileWindows = 8;

/// Mean of the closed form over [from, to].
double mean_hit_ratio(double fraction, std::uint32_t nodes, std::uint64_t epochs_before, double from, double to) {
  constexpr int kPoints = 16;
  double sum = 0.0;
  for (int i = 0; i < kPoints; ++i)
    sum += lru_hit_ratio_at(fraction, nodes, from + (to - from) * (i + 0.5) / kPoints, epochs_before);
  return sum / kPoints;
}

std::vector<EpochWindow> lru_windows(double fraction, std::uint32_t nodes, std::uint64_t epochs_before) {
  // On one node all hits fall into the first `fraction` of the epoch; on many nodes h(y) is nearly flat.
  std::vector<double> edges;
  if (nodes == 1) {
    for (std::uint32_t i = 0; i < kProfileWindows - 1; ++i) edges.push_back(fraction * i / (kProfileWindows - 1.0));
    edges.push_back(fraction);
  } else {
    const std::uint32_t windows = nodes < 32 ? 4 : 1;
    for (std::uint32_t i = 0; i < windows; ++i) edges.push_back(static_cast<double>(i) / windows);
  }
  edges.push_back(1.0);
  std::vector<EpochWindow> windows;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    const double width = edges[i + 1] - edges[i];
    if (!(width > 0.0)) continue;
    windows.push_back({0.5 * (edges[i] + edges[i + 1]), width,
                       mean_hit_ratio(fraction, nodes, epochs_before, edges[i], edges[i + 1])});
  }
  return windows;
}

bool follows_items(const NodeCache& cache, double samples, std::uint32_t nodes) {
  if (cache.fidelity == CacheFidelity::per_item) return true;
  return cache.fidelity == CacheFidelity::automatic && samples <= static_cast<double>(kItemsByDefault) &&
         nodes <= kMostNodesPerItem;
}

}  // namespace

double pinned_hit_ratio(double fraction, std::uint32_t nodes, std::uint64_t epochs_before) {
  // A node pins what it reads until it is full: after e epochs it has read 1 - (1-1/n)^e of the dataset.
  double unseen = 1.0;
  const double not_this_node = 1.0 - 1.0 / nodes;
  for (std::uint64_t e = 0; e < epochs_before && unseen > 1e-12; ++e) unseen *= not_this_node;
  return std::min(fraction, 1.0 - unseen);
}

double cache_fraction(const Scenario& scenario, std::size_t job_index) {
  const Job& job = scenario.jobs.at(job_index);
  const NodeCache& cache = pool_of(scenario, job).cache;
  // A cache holds samples as they are read.
  const Dataset& dataset = dataset_of(scenario, job);
  const double bytes = dataset.samples() * mean_of(dataset.sample_bytes) * way_factor(dataset, job.loader);
  if (cache.policy == CachePolicy::none || !(bytes > 0.0)) return 0.0;
  return std::min(1.0, cache.bytes / bytes);
}

double lru_hit_ratio_at(double fraction, std::uint32_t nodes, double position, std::uint64_t epochs_before) {
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

std::vector<double> lru_profile_per_item(double fraction, std::uint32_t nodes, std::uint64_t items,
                                         std::uint32_t windows, std::uint64_t seed, std::uint64_t epochs_before) {
  if (items == 0 || items > kMostItems) throw std::invalid_argument("a per-item cache follows 1 to 10 million items");
  LruCache cache(static_cast<std::uint32_t>(items),
                 static_cast<std::uint32_t>(std::floor(fraction * static_cast<double>(items) + 0.5)));
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

std::vector<EpochWindow> closed_form_windows(const Scenario& scenario, std::size_t job_index) {
  const Job& job = scenario.jobs.at(job_index);
  const double fraction = cache_fraction(scenario, job_index);
  // One epoch knows only cold caches; a pinned cache hits alike all through the epoch.
  if (job.epochs < 2 || !(fraction > 0.0)) return {{0.5, 1.0, 0.0}};
  const Pool& pool = pool_of(scenario, job);
  const std::uint32_t nodes = resolve_path(scenario, job_index, {}).nodes;
  if (pool.cache.policy == CachePolicy::pinned) return {{0.5, 1.0, pinned_hit_ratio(fraction, nodes, job.epochs - 1)}};
  return lru_windows(fraction, nodes, job.epochs - 1);
}

std::vector<EpochWindow> epoch_windows(const Scenario& scenario, std::size_t job_index, std::uint64_t seed) {
  const Job& job = scenario.jobs.at(job_index);
  const NodeCache& cache = pool_of(scenario, job).cache;
  const double samples = dataset_of(scenario, job).samples();
  const double fraction = cache_fraction(scenario, job_index);
  const std::uint32_t nodes = resolve_path(scenario, job_index, {}).nodes;
  if (job.epochs < 2 || !(fraction > 0.0) || cache.policy != CachePolicy::lru || !follows_items(cache, samples, nodes))
    return closed_form_windows(scenario, job_index);
  const auto items = static_cast<std::uint64_t>(std::min(samples, static_cast<double>(kMostItems)));
  const std::vector<double> profile =
      lru_profile_per_item(fraction, nodes, items, kProfileWindows, seed, job.epochs - 1);
  std::vector<EpochWindow> windows;
  for (std::uint32_t w = 0; w < kProfileWindows; ++w)
    windows.push_back({(w + 0.5) / kProfileWindows, 1.0 / kProfileWindows, profile[w]});
  return windows;
}

}  // namespace headrace::models
