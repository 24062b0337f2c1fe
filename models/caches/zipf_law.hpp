// Items that are drawn again and again, independently, by a Zipf law of popularity, and what caches of them hit.
//
// Sources: H. Che, Y. Tung, Z. Wang, IEEE JSAC 20(7), 2002: LRU holds item i with probability 1 - exp(-p_i T), where T
// fills the cache; C. Fricker, P. Robert, J. Roberts, ITC-24, 2012: FIFO and random eviction with p_i T / (1 + p_i T).
// Deviation: beyond the 64 most popular ones items are taken in bins of ratio 1.05, each at its mean popularity (within
// 1e-3 of the sums over single items), so that billions of items cost microseconds. Portable arithmetic: what comes out
// enters simulated paths.
#pragma once

#include <vector>

#include "models/spec/node_cache.hpp"

namespace headrace::models {

class ZipfLaw {
 public:
  /// `items` >= 1 items, popularity of the i-th proportional to i^-exponent.
  ZipfLaw(double items, double exponent);

  /// Hit ratio of a full cache of `capacity_items`. pinned: what came first until it was full, which are popular items;
  /// clairvoyant: the most popular ones, the best that can be held without looking ahead.
  double hit_ratio(CachePolicy policy, double capacity_items) const;

  /// Mean hit ratio from draw `from` to draw `to` of a cache that was empty at draw 0.
  double hit_ratio(CachePolicy policy, double capacity_items, double from, double to) const;

 private:
  struct Bin {
    double items;
    double popularity;  ///< of each
  };

  double distinct(double draws) const;
  double filling_draws(bool recency, double capacity_items) const;

  double items_;
  std::vector<Bin> bins_;
};

}  // namespace headrace::models
