// How often a cache of one policy hits as an epoch goes on, when every sample is read once per epoch in a fresh order.
//
// A node reads 1/n of the corpus per epoch; c is its cache as a share of the corpus, y the position in the epoch, e the
// epochs before. Derived for this project from the law of the reshuffled order; M(y) are the misses so far over the
// corpus, M'(y) = (1 - h(y)) / n, and o = min(c, 1 - (1-1/n)^e) is what the cache holds when the epoch begins:
//   lru, clock    hit_profile.hpp: an item at x, then at y, with fewer than c others in between (clock: by simulation)
//   fifo          all that came during the last c misses is there: h = min(o, c - M(y)), so that after the cache is
//                 full, at y0 = n (c-o)/(1-o), h(y) = 1 - (1-o) e^((y-y0)/n) until that is 0
//   random        an item survives a miss with probability 1 - 1/(cN): h(y) = o / (o + (1-o) e^((y-y0)/(n c)))
//   pinned        h = o
//   clairvoyant   h = c once the cache has been full, the same as pinned: no item comes twice in an epoch, so that no
//                 policy can hit more than what it held when the epoch began
#pragma once

#include <cstdint>

#include "models/spec/node_cache.hpp"

namespace headrace::models {

/// Whether what a cache holds stays in it.
inline bool pins(CachePolicy policy) { return policy == CachePolicy::pinned || policy == CachePolicy::clairvoyant; }

/// A cache and who reads through it. `readers` n may be broken: a cache that sees each item with probability 1/n per
/// epoch.
struct ReshuffledCache {
  CachePolicy policy = CachePolicy::none;
  double fraction = 0.0;  ///< c
  double readers = 1.0;   ///< n
  std::uint64_t epochs_before = UINT64_MAX;
};

/// h(y). Portable arithmetic, since it enters simulated paths.
double hit_ratio_at(const ReshuffledCache& cache, double position);

/// Share of the corpus that the cache holds when the epoch begins.
double held_at_begin(const ReshuffledCache& cache);

/// h of a cache over items that are read in the same order in every epoch; `fraction` is over what is read through it.
/// lru, fifo and clock: nothing unless all fits. random: the root of h = e^(-(1-h)/c). pinned: c.
double cyclic_hit_ratio(CachePolicy policy, double fraction);

}  // namespace headrace::models
