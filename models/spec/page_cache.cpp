#include "models/spec/page_cache.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(PageCache& c, Visitor& v) {
  v.quantity("bytes", c.bytes, Unit::bytes,
             {.low = 0,
              .high = 4e12,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Memory of a node for file pages; 0: none",
              .log_scale = true,
              .decided = true});
  v.limit("bandwidth", c.bandwidth_bytes_per_s, Unit::bytes_per_second,
          {.low = 1e9,
           .high = 1e11,
           .min = 0,
           .evidence = Evidence::assumed,
           .meaning = "Rate at which one reader copies pages from the cache; 0: not a limit",
           .log_scale = true});
  v.choice("eviction", c.eviction, kPageEvictionNames,
           {.evidence = Evidence::assumed,
            .meaning = "Page to evict. linux: by the two lists of its kernel, which keep some pages during a scan that "
                       "is larger than the cache; lru: strict, with more misses than Linux; random: any page",
            .source = "Linux 4.12 to 6.18, mm/vmscan.c and mm/workingset.c; compared with J. Mohan et al., VLDB 2021, "
                      "section 7.1, and a kernel 6.18 (docs/validation.md, V5)"});
}

}  // namespace headrace::models
