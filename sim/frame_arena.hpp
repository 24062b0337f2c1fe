// Memory for the coroutine frames of one Simulation: size classes with free lists over large chunks. It belongs to the
// Simulation, not to a thread, because whole simulations move between threads. Frames that were never handed to the
// Simulation may outlive it: the arena stays until the last of them is gone.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "sim/huge_pages.hpp"

namespace headrace::sim {

class FrameArena {
 public:
  struct Release {
    void operator()(FrameArena* arena) const noexcept { arena->release_owner(); }
  };
  /// How a Simulation holds its arena.
  using Owner = std::unique_ptr<FrameArena, Release>;
  static Owner create() { return Owner(new FrameArena); }

  FrameArena(const FrameArena&) = delete;
  FrameArena& operator=(const FrameArena&) = delete;

  void* allocate(std::size_t bytes);
  void deallocate(void* memory, std::size_t bytes) noexcept;
  std::size_t live_frames() const noexcept { return live_; }
  /// Memory held in chunks, used or not.
  std::size_t reserved_bytes() const noexcept { return reserved_; }

 private:
  struct Free {
    Free* next;
  };
  static constexpr std::size_t kGrain = 16;
  static constexpr std::size_t kLargest = 2048;
  static constexpr std::size_t kSmallChunkBytes = std::size_t{1} << 16;
  static constexpr std::size_t kSmallChunks = 16;  ///< then whole huge pages

  FrameArena() = default;
  ~FrameArena() = default;
  void release_owner() noexcept;
  void* carve(std::size_t bytes);

  std::array<Free*, kLargest / kGrain + 1> free_{};
  std::vector<RawMemory> chunks_;
  std::size_t reserved_ = 0;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
  std::size_t live_ = 0;
  bool owned_ = true;
};

}  // namespace headrace::sim
