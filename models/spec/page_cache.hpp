// The operating system's cache of file pages in a node's memory, which buffered and memory-mapped reads pass.
#pragma once

#include <cstdint>
#include <optional>

#include "models/describe/declarations.hpp"

namespace headrace::models {

enum class PageEviction : std::uint8_t { linux_lists, lru, random };
inline constexpr ChoiceName<PageEviction> kPageEvictionNames[] = {
    {PageEviction::linux_lists, "linux", "the active and the inactive list of Linux"},
    {PageEviction::lru, "lru", "the least recently used page leaves"},
    {PageEviction::random, "random", "any page leaves"}};

struct PageCache {
  double bytes = 0.0;                           ///< 0: none
  std::optional<double> bandwidth_bytes_per_s;  ///< one reader
  PageEviction eviction = PageEviction::linux_lists;
};

void describe(PageCache& c, Visitor& v);

}  // namespace headrace::models
