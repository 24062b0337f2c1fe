// The smallest cache that relieves store and network enough to feed the GPUs.
#include <algorithm>
#include <array>

#include "models/hops/resource_floors.hpp"
#include "models/outcome/ledger.hpp"
#include "models/sizing/sizing.hpp"
#include "models/twins/cache_hit_ratio.hpp"

namespace headrace::models {

namespace {

constexpr std::array kCacheFigures = {
    SizingDescription{"misses_step_s", "s", "max over store, fabric and NIC of (work of a step / capacity)",
                      "What a step would take if every sample came from the store.", "conservation of flow",
                      "a shared store"},
    SizingDescription{
        "cache_needed_fraction", "1", "max(0, 1 - T / F)",
        "Smallest share of the dataset that caches need, with a policy that never evicts (pinned, clairvoyant).",
        "hit ratio of a pinned cache is its share: no policy has more under reshuffle "
        "(J. Mohan et al., VLDB 14(5), 2021)",
        "a shared store", true},
    SizingDescription{"cache_needed_bytes_per_node", "B", "c V (per_node) or c V / m (partitioned)",
                      "The same as bytes on every node.", "definition", "a shared store"},
    SizingDescription{"lru_cache_needed_fraction", "1", "least c with h_lru(c, m) >= needed",
                      "The share that an LRU cache on each node needs for the same hits under reshuffle.",
                      "models/node-cache", "a shared store that is too slow without caches, and a cache on each node"},
    SizingDescription{"cache_saves_usd_per_tb_epoch", "USD", "p(1 TB)",
                      "Egress that one TB of cache saves in each epoch after the first.", "definition",
                      "stores/price/egress"},
};

/// Step time that reads from the store alone would allow.
double misses_step_s(const SizingCase& c) {
  double longest_s = 0.0;
  for (const ResourceFloor& floor : resource_floors(c.cold)) {
    const bool relieved = floor.stage == Stage::transfer || floor.stage == Stage::request ||
                          floor.stage == Stage::metadata || floor.stage == Stage::throttle;
    if (relieved && floor.resource != Resource::workers) longest_s = std::max(longest_s, floor.step_time_s);
  }
  return longest_s;
}

/// Inverse of a hit ratio that rises with c, by bisection.
double lru_share_for(double hit_ratio, int nodes) {
  double low = 0.0;
  double high = 1.0;
  for (int i = 0; i < 30; ++i) {
    const double middle = (low + high) / 2.0;
    (twins::lru_reshuffle_hit_ratio(middle, nodes) < hit_ratio ? low : high) = middle;
  }
  return high;
}

void fill_cache(const SizingCase& c, SizingSheetWriter& sheet) {
  const IngestPath& path = c.path;
  const StorePrice& price = c.store.price;
  if (price.egress_usd_per_byte > 0.0 || !price.egress_tiers.empty())
    sheet.add("cache_saves_usd_per_tb_epoch", egress_usd(price, 1e12),
              {{"p", c.store_key + "/price/egress", price.egress_usd_per_byte, "USD/B"}});
  const double misses_s = misses_step_s(c);
  if (path.local_store || !(misses_s > 0.0)) return;
  const SizingInput t{"T", c.job_key + "/step", c.step_s(), "s"};
  const SizingInput f{"F", "misses_step_s", misses_s, "s"};
  const double share = std::max(0.0, 1.0 - c.step_s() / misses_s);
  const double spread = c.pool.cache.scope == CacheScope::partitioned ? path.nodes : 1.0;
  sheet.add("misses_step_s", misses_s, {{"max", "stations", misses_s, "s"}});
  sheet.add("cache_needed_fraction", share, {t, f});
  sheet.add("cache_needed_bytes_per_node", share * c.stored_bytes() / spread,
            {{"c", "cache_needed_fraction", share, "1"},
             {"V", c.dataset_key, c.stored_bytes(), "B"},
             {"m", c.pool_key + "/nodes", static_cast<double>(path.nodes), ""}});
  if (share > 0.0 && c.pool.cache.scope == CacheScope::per_node)
    sheet.add("lru_cache_needed_fraction", lru_share_for(share, static_cast<int>(path.nodes)),
              {{"needed", "cache_needed_fraction", share, "1"},
               {"m", c.pool_key + "/nodes", static_cast<double>(path.nodes), ""}});
}

}  // namespace

const SizingRoom kCacheRoom{"cache", "The smallest cache that feeds the GPUs", kCacheFigures, fill_cache};

}  // namespace headrace::models
