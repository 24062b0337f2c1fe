#include "models/calibration/io_memory.hpp"
#include "models/calibration/sizes.hpp"

#include <sys/mman.h>

#include <cstring>
#include <new>
#include <utility>

namespace headrace::models::calibration {
namespace {

constexpr std::size_t kHuge = std::size_t{2} << 20;

constexpr std::size_t rounded_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

}  // namespace

MappedMemory::MappedMemory(std::size_t bytes, Pages pages, bool touch) : bytes_(bytes) {
  mapped_ = rounded_up(bytes, kHuge) + kHuge;
  base_ = ::mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base_ == MAP_FAILED) throw std::bad_alloc();
  std::size_t room = mapped_;
  void* aligned = base_;
  // Start at a boundary of 2 MiB, where huge pages can lie.
  const auto address = reinterpret_cast<std::uintptr_t>(base_);
  aligned = static_cast<std::byte*>(base_) + (rounded_up(address, kHuge) - address);
  room -= rounded_up(address, kHuge) - address;
  data_ = static_cast<std::byte*>(aligned);
  // Advice may be refused (kernels without huge pages): the pages are then ordinary, which is the fallback anyway.
  if (pages == Pages::huge) ::madvise(aligned, room, MADV_HUGEPAGE);
  if (pages == Pages::ordinary) ::madvise(aligned, room, MADV_NOHUGEPAGE);
  if (touch)
    for (std::size_t i = 0; i < bytes; i += kPageBytes) data_[i] = std::byte{1};
}

MappedMemory::~MappedMemory() {
  if (base_ != nullptr) ::munmap(base_, mapped_);
}

MappedMemory::MappedMemory(MappedMemory&& other) noexcept
    : base_(std::exchange(other.base_, nullptr)),
      mapped_(other.mapped_),
      data_(std::exchange(other.data_, nullptr)),
      bytes_(other.bytes_) {}

BlockBuffers::BlockBuffers(std::uint32_t count, std::uint32_t block_bytes, BufferLayout layout)
    : count_(count),
      stride_(rounded_up(block_bytes, kPageBytes)),
      memory_(std::size_t{count} * stride_,
              layout == BufferLayout::contiguous ? MappedMemory::Pages::huge : MappedMemory::Pages::ordinary) {}

void fill_random(std::byte* data, std::size_t bytes, std::uint64_t seed) {
  std::uint64_t state = seed * 0x9e3779b97f4a7c15U + 1;
  for (std::size_t i = 0; i + 8 <= bytes; i += 8) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    std::memcpy(data + i, &state, 8);
  }
}

void stamp(std::byte* data, std::size_t bytes, std::uint64_t number) {
  for (std::size_t i = 0; i + 8 <= bytes; i += kPageBytes) {
    const std::uint64_t mark = (number + i) * 0xd6e8feb86659fd93U;
    std::memcpy(data + i, &mark, 8);
  }
}

}  // namespace headrace::models::calibration
