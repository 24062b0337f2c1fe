#include "models/calibration/cpu_probes.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <memory>

#include "models/calibration/codec_probes.hpp"
#include "models/calibration/io_memory.hpp"

#ifdef __SSE4_2__
#include <nmmintrin.h>
#endif

namespace headrace::models::calibration {
namespace {

constexpr std::size_t kCacheBlock = std::size_t{256} << 10;
constexpr std::size_t kMemoryBlock = std::size_t{64} << 20;

#ifndef __SSE4_2__
/// Byte by byte with a table, where the processor has no instruction for it.
std::uint32_t crc_step(std::uint32_t crc, unsigned char byte) {
  static const std::array<std::uint32_t, 256> table = [] {
    std::array<std::uint32_t, 256> made{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t c = i;
      for (int bit = 0; bit < 8; ++bit) c = (c & 1U) != 0 ? (c >> 1) ^ 0x82f63b78U : c >> 1;
      made[i] = c;
    }
    return made;
  }();
  return (crc >> 8) ^ table[(crc ^ byte) & 0xffU];
}
#endif

std::uint64_t word_at(const std::byte* data) {
  std::uint64_t word = 0;
  std::memcpy(&word, data, 8);
  return word;
}

/// Three chains side by side hide the three cycles of the instruction.
std::uint64_t three_chains(const std::byte* data, std::size_t bytes) {
#ifdef __SSE4_2__
  const std::size_t third = bytes / 24 * 8;
  std::uint64_t a = 0xffffffffU;
  std::uint64_t b = 0xffffffffU;
  std::uint64_t c = 0xffffffffU;
  for (std::size_t i = 0; i < third; i += 8) {
    a = _mm_crc32_u64(a, word_at(data + i));
    b = _mm_crc32_u64(b, word_at(data + third + i));
    c = _mm_crc32_u64(c, word_at(data + 2 * third + i));
  }
  return a ^ b ^ c;
#else
  return crc32c(data, bytes);
#endif
}

/// Keeps a result that nobody reads.
void keep(std::uint64_t value) {
  static std::atomic<std::uint64_t> sink{0};
  sink.store(value, std::memory_order_relaxed);
}

std::shared_ptr<MappedMemory> random_block(std::size_t bytes) {
  auto block = std::make_shared<MappedMemory>(bytes, MappedMemory::Pages::as_found);
  fill_random(block->data(), bytes, 7);
  return block;
}

}  // namespace

std::uint32_t crc32c(const std::byte* data, std::size_t bytes) {
  std::size_t i = 0;
#ifdef __SSE4_2__
  std::uint64_t crc = 0xffffffffU;
  for (; i + 8 <= bytes; i += 8) crc = _mm_crc32_u64(crc, word_at(data + i));
  auto rest = static_cast<std::uint32_t>(crc);
  for (; i < bytes; ++i) rest = _mm_crc32_u8(rest, static_cast<unsigned char>(data[i]));
#else
  std::uint32_t rest = 0xffffffffU;
  for (; i < bytes; ++i) rest = crc_step(rest, static_cast<unsigned char>(data[i]));
#endif
  return ~rest;
}

Work copy_work(std::size_t bytes, unsigned threads) {
  const bool large = bytes > (std::size_t{1} << 20);
  auto memory = std::make_shared<std::vector<MappedMemory>>();
  for (unsigned i = 0; i < 2 * threads; ++i) memory->emplace_back(bytes, MappedMemory::Pages::as_found);
  return [memory, bytes, repeats = large ? 1 : 16](unsigned thread) {
    std::byte* to = (*memory)[2 * thread].data();
    const std::byte* from = (*memory)[2 * thread + 1].data();
    for (int i = 0; i < repeats; ++i) std::memcpy(to, from, bytes);
    keep(word_at(to));
    return static_cast<double>(bytes) * repeats;
  };
}

Work checksum_work() {
  return [block = random_block(kCacheBlock)](unsigned) {
    keep(three_chains(block->data(), kCacheBlock));
    return static_cast<double>(kCacheBlock);
  };
}

std::vector<std::string> missing_codecs() {
  std::vector<std::string> missing;
  const std::vector<CodecWork> linked = codec_works();
  for (const char* name : {"sha256", "lz4", "zstd", "gzip", "jpeg"})
    if (std::none_of(linked.begin(), linked.end(), [name](const CodecWork& c) { return c.name == name; }))
      missing.emplace_back(name);
  return missing;
}

std::vector<Arm> cpu_arms(unsigned cores, const std::stop_token& stop) {
  std::vector<Arm> arms;
  const auto add = [&](std::string detail, unsigned threads, Work work, double bytes) {
    arms.push_back(work_arm("cpu", std::move(detail), "B/s", threads, std::move(work), stop));
    arms.back().cell.block_bytes = bytes;
    arms.back().window_factor = 0.3;
  };
  add("memcpy cache", 1, copy_work(kCacheBlock, 1), kCacheBlock);
  // All copies at once stay below 256 MiB.
  const unsigned copiers = std::min(cores, 16U);
  const std::size_t block = std::max<std::size_t>(kMemoryBlock / copiers, std::size_t{8} << 20);
  add("memcpy DRAM", 1, copy_work(block, 1), static_cast<double>(block));
  if (copiers > 1) add("memcpy DRAM", copiers, copy_work(block, copiers), static_cast<double>(block));
  const std::shared_ptr<MappedMemory> cached = random_block(kCacheBlock);
  add(
      "crc32c", 1,
      [cached](unsigned) {
        keep(crc32c(cached->data(), kCacheBlock));
        return static_cast<double>(kCacheBlock);
      },
      kCacheBlock);
  add("crc32c 3 chains", 1, checksum_work(), kCacheBlock);
  for (const CodecWork& codec : codec_works()) {
    add(codec.name, 1, codec.work, 0.0);
    if (cores > 1) add(codec.name, cores, codec.work, 0.0);
  }
  return arms;
}

}  // namespace headrace::models::calibration
