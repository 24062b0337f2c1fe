#include "models/path/epoch_windows.hpp"

#include <algorithm>
#include <cmath>

#include "models/caches/hit_laws.hpp"
#include "models/path/cache_stack.hpp"
#include "models/path/drive_writes.hpp"
#include "models/path/ingest_path.hpp"

namespace headrace::models {

namespace {

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
    windows.push_back({0.5 * (edges[i] + edges[i + 1]),
                       width,
                       mean_hit_ratio(fraction, nodes, epochs_before, edges[i], edges[i + 1]),
                       {}});
  }
  return windows;
}

bool follows_items(const NodeCache& cache, double samples, std::uint32_t nodes) {
  if (cache.fidelity == CacheFidelity::per_item) return true;
  return cache.fidelity == CacheFidelity::automatic && samples <= static_cast<double>(kItemsByDefault) &&
         nodes <= kMostNodesPerItem;
}

/// Only a node cache that lets nothing go: it hits alike all through an epoch.
bool held_steadily(const CacheStack& stack) {
  return stack.single() && (stack.node_policy == CachePolicy::pinned || stack.node_policy == CachePolicy::clairvoyant);
}

/// Windows of the job's epoch number `own_epochs`, counted from 0, for any caches: one where nothing changes over the
/// epoch, eight otherwise.
std::vector<EpochWindow> windows_of(const CacheStack& stack, std::uint64_t own_epochs) {
  constexpr double kFlat = 0.005;
  constexpr int kPoints = 16;
  const auto mean_over = [&](double from, double to) {
    EpochWindow window{0.5 * (from + to), to - from, 0.0, {}};
    const int points = stack.skew > 0.0 || stack.fixed_order || held_steadily(stack) ? 1 : kPoints;
    for (int i = 0; i < points; ++i) {
      const LevelShares at = shares_at(stack, from + (to - from) * (i + 0.5) / points, own_epochs);
      window.hit_ratio += at.node / points;
      window.tiers.page += at.tiers.page / points;
      window.tiers.peer += at.tiers.peer / points;
      window.tiers.shared += at.tiers.shared / points;
      window.tiers.fill += at.tiers.fill / points;
    }
    return window;
  };
  if (stack.skew > 0.0 || stack.fixed_order || held_steadily(stack)) return {mean_over(0.0, 1.0)};
  std::vector<EpochWindow> windows;
  double least[2] = {1.0, 1.0};
  double most[2] = {0.0, 0.0};
  for (std::uint32_t w = 0; w < kProfileWindows; ++w) {
    windows.push_back(
        mean_over(w / static_cast<double>(kProfileWindows), (w + 1) / static_cast<double>(kProfileWindows)));
    const EpochWindow& window = windows.back();
    const double shares[2] = {window.hit_ratio, window.hit_ratio + window.tiers.read()};
    for (int i = 0; i < 2; ++i) {
      least[i] = std::min(least[i], shares[i]);
      most[i] = std::max(most[i], shares[i]);
    }
  }
  const bool flat = most[0] - least[0] < kFlat && most[1] - least[1] < kFlat;
  return flat ? std::vector<EpochWindow>{mean_over(0.0, 1.0)} : windows;
}

/// Where filling takes nothing away, what enters is still written to the drives.
std::vector<EpochWindow> with_fill(std::vector<EpochWindow> windows) {
  for (EpochWindow& window : windows) window.tiers.fill = 1.0 - window.hit_ratio;
  return windows;
}

std::vector<EpochWindow> windows_of_last_epoch(const CacheStack& stack, std::uint64_t own_epochs) {
  if (!stack.single() || stack.node_policy != CachePolicy::lru || own_epochs == 0) return windows_of(stack, own_epochs);
  const std::uint64_t epochs =
      own_epochs > UINT64_MAX - stack.staged_epochs ? UINT64_MAX : own_epochs + stack.staged_epochs;
  return with_fill(lru_windows(stack.node_fraction, static_cast<std::uint32_t>(stack.nodes), epochs));
}

/// Adds the shares of a window, `weight` times; past_write_cache is one of what is filled, and becomes the mean in the
/// end.
class MeanWindow {
 public:
  void add(const EpochWindow& window) {
    sum_.hit_ratio += window.weight * window.hit_ratio;
    sum_.tiers.page += window.weight * window.tiers.page;
    sum_.tiers.peer += window.weight * window.tiers.peer;
    sum_.tiers.shared += window.weight * window.tiers.shared;
    sum_.tiers.fill += window.weight * window.tiers.fill;
    past_ += window.weight * window.tiers.fill * window.tiers.past_write_cache;
  }
  EpochWindow mean(double weight) const {
    EpochWindow mean = sum_;
    mean.weight = weight;
    // Where nothing is counted, what is past is the same sum as what is filled.
    if (sum_.tiers.fill > 0.0) mean.tiers.past_write_cache = past_ / sum_.tiers.fill;
    return mean;
  }

 private:
  EpochWindow sum_{0.5, 0.0, 0.0, {}};
  double past_ = 0.0;
};

}  // namespace

std::vector<EpochWindow> closed_form_windows(const Scenario& scenario, std::size_t job_index) {
  const CacheStack stack = cache_stack(scenario, job_index);
  const std::uint64_t own_epochs = scenario.jobs.at(job_index).epochs - 1;
  if (stack.empty()) return {{0.5, 1.0, 0.0, {}}};
  std::vector<EpochWindow> windows = windows_of_last_epoch(stack, own_epochs);
  count_past_write_cache(scenario, job_index, own_epochs == 0, windows);
  return windows;
}

std::vector<EpochWindow> epoch_windows(const Scenario& scenario, std::size_t job_index, std::uint64_t seed) {
  const Job& job = scenario.jobs.at(job_index);
  const NodeCache& cache = pool_of(scenario, job).cache;
  const CacheStack stack = cache_stack(scenario, job_index);
  const auto nodes = static_cast<std::uint32_t>(stack.nodes);
  const bool evicts = cache.policy != CachePolicy::pinned && cache.policy != CachePolicy::clairvoyant;
  if (job.epochs < 2 || stack.staged_epochs > 0 || !(stack.node_fraction > 0.0) || !evicts || !stack.single() ||
      !follows_items(cache, stack.samples, nodes))
    return closed_form_windows(scenario, job_index);
  const auto items = static_cast<std::uint64_t>(std::min(stack.samples, static_cast<double>(kMostFollowedItems)));
  const std::vector<double> profile =
      profile_per_item(cache.policy, stack.node_fraction, nodes, items, kProfileWindows, seed, job.epochs - 1);
  std::vector<EpochWindow> windows;
  for (std::uint32_t w = 0; w < kProfileWindows; ++w)
    windows.push_back({(w + 0.5) / kProfileWindows, 1.0 / kProfileWindows, profile[w], {}});
  windows = with_fill(std::move(windows));
  count_past_write_cache(scenario, job_index, false, windows);
  return windows;
}

std::optional<EpochWindow> first_epoch_window(const Scenario& scenario, std::size_t job_index) {
  const CacheStack stack = cache_stack(scenario, job_index);
  const bool staged_whole = stack.staged_epochs == UINT64_MAX && stack.kept >= 1.0 && !(stack.page_fraction > 0.0);
  if (scenario.jobs.at(job_index).epochs < 2 || stack.empty() || staged_whole) return std::nullopt;
  std::vector<EpochWindow> windows = windows_of(stack, 0);
  count_past_write_cache(scenario, job_index, true, windows);
  MeanWindow first;
  for (const EpochWindow& window : windows) first.add(window);
  return first.mean(0.0);
}

double later_epochs_progress(const Scenario& scenario, std::size_t job_index) {
  constexpr std::uint64_t kMostEpochs = 50;  // until caches are steady
  constexpr double kSteady = 1e-9;
  const std::uint64_t epochs = scenario.jobs.at(job_index).epochs;
  const auto first = first_epoch_window(scenario, job_index);
  if (!first || epochs < 3) return 1.0;
  const auto served = [](const EpochWindow& window) { return window.hit_ratio + window.tiers.read(); };
  Scenario shorter = scenario;
  const auto served_in_last_of = [&](std::uint64_t count) {
    shorter.jobs.at(job_index).epochs = count;
    return served(mean_window(closed_form_windows(shorter, job_index)));
  };
  const double from = served(*first);
  const double gained = served_in_last_of(epochs) - from;
  if (!(gained > kSteady)) return 1.0;
  double missing = 0.0;  // of what the last epoch has gained, sum over the epochs
  for (std::uint64_t count = 2; count < epochs && count < kMostEpochs; ++count) {
    const double behind = 1.0 - (served_in_last_of(count) - from) / gained;
    if (std::abs(behind) < kSteady) break;
    missing += behind;
  }
  return std::clamp(1.0 - missing / static_cast<double>(epochs - 1), 0.0, 1.0);
}

EpochWindow mean_window(const std::vector<EpochWindow>& windows) {
  MeanWindow mean;
  for (const EpochWindow& window : windows) mean.add(window);
  return mean.mean(1.0);
}

}  // namespace headrace::models
