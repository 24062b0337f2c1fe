// The operating system's cache of file pages in a node's memory, which buffered and memory-mapped reads pass.
#pragma once

#include <cstdint>

#include "models/describe/describe.hpp"

namespace headrace::models {

enum class PageEviction : std::uint8_t { linux_lists, lru, random };
inline constexpr ChoiceName<PageEviction> kPageEvictionNames[] = {
    {PageEviction::linux_lists, "linux", "the active and the inactive list of Linux"},
    {PageEviction::lru, "lru", "the least recently used page leaves"},
    {PageEviction::random, "random", "any page leaves"}};

struct PageCache {
  double bytes = 0.0;                  ///< 0: none
  double bandwidth_bytes_per_s = 0.0;  ///< one reader; 0: not a limit
  PageEviction eviction = PageEviction::linux_lists;
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
  v.choice(
      "eviction", c.eviction, kPageEvictionNames,
      {.evidence = Evidence::assumed,
       .meaning = "Which page makes room. linux: the two lists of its kernel, which keep some pages through a scan "
                  "that is longer than the cache; lru: strict, above what Linux misses; random: any page",
       .source = "Linux 4.12 to 6.18, mm/vmscan.c and mm/workingset.c; held against J. Mohan et al., VLDB 2021, "
                 "section 7.1, and a kernel 6.18 (docs/validation.md, V5)"});
}

}  // namespace headrace::models
