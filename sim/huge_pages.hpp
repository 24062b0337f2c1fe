// Memory for data that a run touches all over, event by event: on huge pages where the system grants them, which spares
// most of the misses in address translation. Only where the memory lies changes, never a result.
#pragma once

#include <cstddef>
#include <memory>

namespace headrace::sim {

inline constexpr std::size_t kHugePageBytes = std::size_t{1} << 21;
inline constexpr std::size_t kCacheLineBytes = 64;

struct FreeMemory {
  void operator()(void* memory) const noexcept;
};
using RawMemory = std::unique_ptr<void, FreeMemory>;

/// At least `bytes` of memory, aligned to cache lines; from one huge page on it is aligned to huge pages and asks for
/// them. Throws std::bad_alloc.
RawMemory allocate_raw(std::size_t bytes);

/// Lets a std::vector lie in such memory.
template <class T>
struct HugePageAllocator {
  using value_type = T;

  HugePageAllocator() = default;
  template <class U>
  explicit HugePageAllocator(const HugePageAllocator<U>&) noexcept {}

  T* allocate(std::size_t n) { return static_cast<T*>(allocate_raw(n * sizeof(T)).release()); }
  void deallocate(T* memory, std::size_t) noexcept { FreeMemory{}(memory); }
  friend bool operator==(const HugePageAllocator&, const HugePageAllocator&) noexcept { return true; }
};

}  // namespace headrace::sim
