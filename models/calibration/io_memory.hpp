// Memory for the blocks of a probe, touched beforehand: one arena of huge pages or ordinary pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace headrace::models::calibration {

/// Anonymous memory that goes away with the object. Throws std::bad_alloc.
class MappedMemory {
 public:
  enum class Pages : std::uint8_t { as_found, huge, ordinary };
  MappedMemory(std::size_t bytes, Pages pages, bool touch = true);
  ~MappedMemory();
  MappedMemory(MappedMemory&& other) noexcept;
  MappedMemory(const MappedMemory&) = delete;
  MappedMemory& operator=(const MappedMemory&) = delete;
  MappedMemory& operator=(MappedMemory&&) = delete;

  std::byte* data() const { return data_; }
  std::size_t size() const { return bytes_; }

 private:
  void* base_ = nullptr;
  std::size_t mapped_ = 0;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

enum class BufferLayout : std::uint8_t { scattered, contiguous };
constexpr const char* layout_name(BufferLayout layout) {
  return layout == BufferLayout::scattered ? "scattered" : "contiguous";
}

/// One block for each operation under way. Blocks are told apart by a stamp in every 4 KiB so that nothing compresses
/// or repeats when they are written.
class BlockBuffers {
 public:
  BlockBuffers(std::uint32_t count, std::uint32_t block_bytes, BufferLayout layout);

  std::byte* block(std::uint32_t slot) const { return memory_.data() + std::size_t{slot} * stride_; }
  std::uint32_t count() const { return count_; }

 private:
  std::uint32_t count_;
  std::size_t stride_;
  MappedMemory memory_;
};

/// Fills with bits that no controller can compress.
void fill_random(std::byte* data, std::size_t bytes, std::uint64_t seed);
/// Makes every 4 KiB of a block that was filled before unlike all others.
void stamp(std::byte* data, std::size_t bytes, std::uint64_t number);

}  // namespace headrace::models::calibration
