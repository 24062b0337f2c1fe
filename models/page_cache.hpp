// The operating system's cache of file pages in a node's memory, which buffered and memory-mapped reads pass.
#pragma once

#include <cstdint>

#include "models/describe/describe.hpp"

namespace headrace::models {

enum class PageEviction : std::uint8_t { lru, random };
inline constexpr ChoiceName<PageEviction> kPageEvictionNames[] = {
    {PageEviction::lru, "lru", "the least recently used page leaves"},
    {PageEviction::random, "random", "any page leaves"}};

struct PageCache {
  double bytes = 0.0;                  ///< 0: none
  double bandwidth_bytes_per_s = 0.0;  ///< one reader; 0: not a limit
  PageEviction eviction = PageEviction::lru;
};

template <class V>
void describe(PageCache& c, V& v) {
  v.quantity("bytes", c.bytes, Unit::bytes,
             {.low = 0,
              .high = 4e12,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Memory of a node that holds file pages; 0: none",
              .log_scale = true,
              .decided = true});
  v.quantity("bandwidth", c.bandwidth_bytes_per_s, Unit::bytes_per_second,
             {.low = 1e9,
              .high = 1e11,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Rate at which one reader copies pages out of the cache; 0: not a limit",
              .log_scale = true});
  v.choice("eviction", c.eviction, kPageEvictionNames,
           {.evidence = Evidence::assumed,
            .meaning = "Which page makes room. Linux keeps two lists: under a shuffled epoch it hit as often as random "
                       "eviction does, above the strict lru",
            .source = "J. Mohan et al., VLDB 2021, section 7.1: 53 % misses at 65 % cached; random 54 %, lru 72 %"});
}

}  // namespace headrace::models
