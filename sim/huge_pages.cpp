#include "sim/huge_pages.hpp"

#include <cstdlib>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace headrace::sim {

void FreeMemory::operator()(void* memory) const noexcept {
  std::free(memory);  // NOLINT(cppcoreguidelines-no-malloc): memory of aligned_alloc has no other way back
}

RawMemory allocate_raw(std::size_t bytes) {
  if (bytes < kHugePageBytes) {
    RawMemory small(std::aligned_alloc(kCacheLineBytes, (bytes / kCacheLineBytes + 1) * kCacheLineBytes));
    if (!small) throw std::bad_alloc();
    return small;
  }
  const std::size_t whole = (bytes + kHugePageBytes - 1) / kHugePageBytes * kHugePageBytes;
  RawMemory large(std::aligned_alloc(kHugePageBytes, whole));
  if (!large) throw std::bad_alloc();
#if defined(__linux__)
  static_cast<void>(madvise(large.get(), whole, MADV_HUGEPAGE));  // a wish: without it everything works as well
#endif
  return large;
}

}  // namespace headrace::sim
