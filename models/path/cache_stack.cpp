#include "models/path/cache_stack.hpp"

#include <algorithm>
#include <optional>

#include "models/caches/page_list_law.hpp"
#include "models/caches/zipf_law.hpp"
#include "models/path/host_costs.hpp"
#include "models/path/ingest_path.hpp"
#include "models/path/tier_path.hpp"
#include "models/twins/tiering.hpp"

namespace headrace::models {

namespace {

/// One level by itself, with `readers` between whom the corpus is divided anew in every epoch.
class Level {
 public:
  Level(const CacheStack& stack, double position) : stack_(stack), position_(position) {
    if (stack.skew > 0.0) zipf_.emplace(stack.samples, stack.skew);
  }

  double hit_ratio(CachePolicy policy, double fraction, double readers, std::uint64_t epochs_before) const {
    if (policy == CachePolicy::none || !(fraction > 0.0)) return 0.0;
    if (zipf_) {
      const double reads = stack_.samples / readers;
      const double from = reads * static_cast<double>(std::min<std::uint64_t>(epochs_before, 1U << 30));
      return zipf_->hit_ratio(policy, fraction * stack_.samples, from, from + reads);
    }
    if (stack_.fixed_order)
      return epochs_before == 0 ? 0.0 : cyclic_hit_ratio(policy, std::min(1.0, fraction * readers));
    return hit_ratio_at({policy, fraction, readers, epochs_before}, position_);
  }

 private:
  const CacheStack& stack_;
  double position_;
  std::optional<ZipfLaw> zipf_;
};

std::uint64_t plus(std::uint64_t a, std::uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

/// What the page cache answers, which lies in front of all others.
double page_share(const CacheStack& stack, const Level& level, double position, std::uint64_t own_epochs) {
  const std::uint64_t staged = stack.pages_staged ? stack.staged_epochs : 0;
  if (stack.page_inactive_ratio == 0)
    return level.hit_ratio(stack.page_policy, stack.page_fraction, stack.nodes, plus(own_epochs, staged));
  return page_list_hit_ratio_at(
      {stack.page_fraction, stack.page_inactive_ratio, stack.nodes, staged, own_epochs, stack.fixed_order}, position);
}

/// What the caches of the node and of its peers answer beside the page cache, which answers `page`.
void add_node_level(const CacheStack& stack, const Level& level, double page, std::uint64_t epochs,
                    LevelShares& shares) {
  if (stack.partitioned) {
    const double n = stack.nodes;
    const double alone = level.hit_ratio(stack.node_policy, std::min(1.0, n * stack.node_fraction), 1.0, epochs);
    const double any = stack.skew > 0.0 ? std::max(0.0, alone - page) : alone * (1.0 - page);
    shares.node = any * std::max(1.0 / n, std::min(1.0, stack.node_fraction));
    shares.tiers.peer = any - shares.node;
    return;
  }
  const double alone = level.hit_ratio(stack.node_policy, stack.node_fraction, stack.nodes, epochs);
  shares.node = pins(stack.node_policy) && !(stack.skew > 0.0) ? alone * (1.0 - page) : std::max(0.0, alone - page);
}

/// What the cache in front of the store answers of the rest.
double shared_share(const CacheStack& stack, const Level& level, const LevelShares& shares, std::uint64_t epochs) {
  constexpr std::uint64_t kAlways = 1U << 30;
  if (stack.shared_policy == CachePolicy::none || !(stack.shared_fraction > 0.0)) return 0.0;
  const double in_front = shares.node + shares.tiers.page + shares.tiers.peer;
  const double rest = std::max(0.0, 1.0 - in_front);
  if (stack.tiered && stack.young_share > 0.0) return rest * stack.young_share;
  if (stack.tiered) epochs = kAlways;
  const double c2 = stack.shared_fraction;
  const double n = stack.nodes;
  if (stack.skew > 0.0 || (stack.nodes <= 1.0 && !pins(stack.node_policy) && !pins(stack.shared_policy)))
    return std::max(0.0, level.hit_ratio(stack.shared_policy, c2, 1.0, epochs) - in_front);
  const bool pinned_in_front = pins(stack.node_policy) && stack.node_fraction > 0.0;
  if (pins(stack.shared_policy)) {
    const double held = level.hit_ratio(stack.shared_policy, c2, 1.0, epochs);
    if (!pinned_in_front) return rest * held;
    const double c1 = level.hit_ratio(stack.node_policy, stack.node_fraction, stack.partitioned ? 1.0 : n, epochs);
    const double overlap = stack.partitioned || stack.fixed_order
                               ? std::min(std::min(1.0, n * stack.node_fraction), held)
                               : std::min(c1, held / n) + std::max(0.0, c1 - 1.0 / n) * held;
    return (1.0 - shares.tiers.page) * std::max(0.0, held - overlap);
  }
  if (!(rest > 0.0)) return 0.0;
  if (pinned_in_front && (n <= 1.0 || stack.partitioned || stack.fixed_order))  // it never sees what is pinned
    return rest * level.hit_ratio(stack.shared_policy, std::min(1.0, c2 / rest), 1.0, epochs);
  return rest * level.hit_ratio(stack.shared_policy, c2, 1.0 / rest, epochs);
}

/// Samples that enter the node's cache, per sample read by the node.
double fill_share(const CacheStack& stack, const LevelShares& shares, std::uint64_t epochs) {
  if (!(stack.node_fraction > 0.0)) return 0.0;
  const double reads = stack.partitioned ? 1.0 : stack.nodes;
  if (pins(stack.node_policy) && !(stack.skew > 0.0)) {
    const double c = stack.partitioned ? std::min(1.0, stack.nodes * stack.node_fraction) : stack.node_fraction;
    if (stack.fixed_order) return epochs == 0 ? std::min(1.0, c * reads) : 0.0;
    const double before = held_at_begin({CachePolicy::pinned, c, reads, epochs});
    const double after = held_at_begin({CachePolicy::pinned, c, reads, plus(epochs, 1)});
    return std::max(0.0, reads * (after - before));
  }
  if (pins(stack.node_policy) && epochs > 0) return 0.0;
  return std::max(0.0, 1.0 - shares.node - shares.tiers.page - shares.tiers.peer);
}

/// A tier by heat holds the most popular samples; one by age what came last, of which the reads are more the younger it
/// is: density 2^(-age / half-life).
void add_tier(const StoreCache& cache, double bytes, CacheStack& stack) {
  stack.tiered = true;
  stack.shared_policy = stack.skew > 0.0 ? CachePolicy::clairvoyant : CachePolicy::pinned;
  if (cache.tiering->law == TieringLaw::age)
    stack.young_share = twins::share_of_young_reads(cache.bytes / cache.tiering->new_bytes_per_s,
                                                    bytes / cache.tiering->new_bytes_per_s, cache.tiering->half_life_s);
}

}  // namespace

CacheStack cache_stack(const Scenario& scenario, std::size_t job_index) {
  const Job& job = scenario.jobs.at(job_index);
  const Pool& pool = pool_of(scenario, job);
  const Dataset& dataset = dataset_of(scenario, job);
  const Store& store = store_of(scenario, dataset);
  // A cache holds samples as they are read.
  const double way = way_factor(dataset, job.loader) * store.returned_fraction;
  const Corpus corpus = corpus_of(scenario, job);
  const double own = dataset.samples() * mean_of(dataset.sample_bytes) * way;
  const double bytes = job.datasets.size() < 2 ? own : corpus.bytes * store.returned_fraction;
  CacheStack stack;
  stack.nodes = reading_nodes(pool, job);
  stack.samples = corpus.samples;
  stack.skew = dataset.skew;
  stack.fixed_order = dataset.order == SampleOrder::fixed;
  if (!(bytes > 0.0)) return stack;
  if (pool.cache.policy != CachePolicy::none) {
    const double entries = pool.cache.holds == CacheContent::tensors ? corpus.memory_bytes : bytes;
    stack.node_policy = pool.cache.policy;
    stack.node_fraction = std::min(1.0, pool.cache.bytes / entries);
    stack.partitioned = pool.cache.scope == CacheScope::partitioned && stack.nodes > 1.0;
  }
  const ReadEffect effect = read_effect(job.loader, dataset, store);
  if (pool.host.page_cache.eviction == PageEviction::random) stack.page_policy = CachePolicy::random;
  if (pool.host.page_cache.eviction == PageEviction::linux_lists && !(stack.skew > 0.0))
    stack.page_inactive_ratio = inactive_ratio(pool.host.page_cache.bytes);
  if (effect.through_pages)
    stack.page_fraction = std::min(1.0, pool.host.page_cache.bytes / (bytes * effect.bytes_factor));
  if (store.cache && store.cache->policy != CachePolicy::none) {
    stack.shared_policy = store.cache->policy;
    stack.shared_fraction = std::min(1.0, store.cache->bytes / bytes);
    if (store.cache->tiering) add_tier(*store.cache, bytes, stack);
  }
  if (job.staging && job.staging->mode == StagingMode::warm) {
    stack.staged_epochs = job.staging->epochs;
    stack.pages_staged = true;
  }
  if (job.staging && job.staging->mode == StagingMode::prestage_caches) stack.staged_epochs = UINT64_MAX;
  if (job.staging) stack.kept = job.staging->kept;
  return stack;
}

LevelShares shares_at(const CacheStack& stack, double position, std::uint64_t own_epochs) {
  LevelShares shares;
  if (stack.empty()) return shares;
  const std::uint64_t epochs = plus(own_epochs, stack.staged_epochs);
  const Level level(stack, position);
  shares.tiers.page = page_share(stack, level, position, own_epochs);
  add_node_level(stack, level, shares.tiers.page, epochs, shares);
  shares.tiers.shared = shared_share(stack, level, shares, epochs);
  if (own_epochs == 0) {
    shares.node *= stack.kept;
    shares.tiers.page *= stack.kept;
    shares.tiers.peer *= stack.kept;
    if (!stack.tiered) shares.tiers.shared *= stack.kept;
  }
  shares.tiers.fill = fill_share(stack, shares, epochs);
  if (own_epochs == 0 && stack.staged_epochs > 0 && pins(stack.node_policy))
    shares.tiers.fill = std::min(1.0, shares.tiers.fill + (1.0 - stack.kept) * stack.node_fraction);
  return shares;
}

}  // namespace headrace::models
