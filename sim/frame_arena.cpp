#include "sim/frame_arena.hpp"

#include <new>

namespace headrace::sim {

namespace {

// The address sanitizer must see every frame as its own allocation, or it cannot tell a dead frame from a reused one.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kPooled = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool kPooled = false;
#else
constexpr bool kPooled = true;
#endif
#else
constexpr bool kPooled = true;
#endif

}  // namespace

void* FrameArena::allocate(std::size_t bytes) {
  void* memory = nullptr;
  if (!kPooled || bytes > kLargest) {
    memory = ::operator new(bytes);
  } else {
    Free*& head = free_[(bytes + kGrain - 1) / kGrain];
    if (head != nullptr) {
      memory = head;
      head = head->next;
    } else {
      memory = carve((bytes + kGrain - 1) / kGrain * kGrain);
    }
  }
  ++live_;
  return memory;
}

void FrameArena::deallocate(void* memory, std::size_t bytes) noexcept {
  if (!kPooled || bytes > kLargest) {
    ::operator delete(memory);
  } else {
    Free*& head = free_[(bytes + kGrain - 1) / kGrain];
    head = ::new (memory) Free{head};
  }
  if (--live_ == 0 && !owned_) delete this;
}

void FrameArena::release_owner() noexcept {
  owned_ = false;
  if (live_ == 0) delete this;
}

void* FrameArena::carve(std::size_t bytes) {
  if (left_ < bytes) {
    const std::size_t bytes_in_chunk = chunks_.size() < kSmallChunks ? kSmallChunkBytes : kHugePageBytes;
    chunks_.push_back(allocate_raw(bytes_in_chunk));
    reserved_ += bytes_in_chunk;
    next_ = static_cast<std::byte*>(chunks_.back().get());
    left_ = bytes_in_chunk;
  }
  std::byte* const memory = next_;
  next_ += bytes;
  left_ -= bytes;
  return memory;
}

}  // namespace headrace::sim
