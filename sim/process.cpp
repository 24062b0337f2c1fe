#include "sim/process.hpp"

#include "sim/simulation.hpp"

namespace headrace::sim {

namespace {

constexpr std::size_t padded(std::size_t bytes) { return (bytes + sizeof(void*) - 1) / sizeof(void*) * sizeof(void*); }

}  // namespace

void Process::promise_type::unhandled_exception() noexcept { simulation->record_failure(std::current_exception()); }

void* Process::promise_type::allocate(std::size_t bytes, FrameArena* arena) {
  const std::size_t all = padded(bytes) + sizeof(FrameArena*);
  void* const frame = arena != nullptr ? arena->allocate(all) : ::operator new(all);
  std::memcpy(static_cast<std::byte*>(frame) + padded(bytes), &arena, sizeof arena);
  return frame;
}

void Process::promise_type::operator delete(void* frame, std::size_t bytes) noexcept {
  FrameArena* arena = nullptr;
  std::memcpy(&arena, static_cast<std::byte*>(frame) + padded(bytes), sizeof arena);
  if (arena != nullptr) {
    arena->deallocate(frame, padded(bytes) + sizeof(FrameArena*));
  } else {
    ::operator delete(frame);
  }
}

}  // namespace headrace::sim
