#include "models/calibration/memory_probes.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "models/calibration/host_clock.hpp"
#include "models/calibration/io_memory.hpp"
#include "models/calibration/sizes.hpp"

namespace headrace::models::calibration {
namespace {

constexpr std::size_t kTouched = std::size_t{16} << 20;
constexpr std::size_t kMapped = std::size_t{128} << 20;

/// Touches new memory; giving it back is not part of the time.
ArmWindow first_touch(MappedMemory::Pages pages, const WindowLengths& lengths, const std::stop_token& stop) {
  ArmWindow window;
  window.length_s = lengths.window_s;
  double touched = 0.0;
  double seconds = 0.0;
  while (seconds < 0.5 * lengths.window_s && !stop.stop_requested()) {
    const MappedMemory memory(kTouched, pages, false);
    const std::uint64_t begin = clock_ns();
    for (std::size_t i = 0; i < kTouched; i += kPageBytes) memory.data()[i] = std::byte{1};
    seconds += seconds_between(begin, clock_ns());
    touched += static_cast<double>(kTouched) / static_cast<double>(kPageBytes);
  }
  window.rate_per_s = seconds > 0.0 ? touched / seconds : 0.0;
  return window;
}

struct Mapping {
  int file;
  std::size_t bytes;
  bool cold;
  int advice;
  bool populate;
};

void read_into_cache(int file, std::size_t bytes) {
  std::vector<std::byte> block(std::size_t{1} << 20);
  for (std::size_t at = 0; at < bytes; at += block.size())
    if (::pread(file, block.data(), std::min(block.size(), bytes - at), static_cast<off_t>(at)) <= 0) return;
}

/// Touches pages of a mapped file in sequence, or at random where the advice is MADV_RANDOM.
ArmWindow mapped(const Mapping& what, const WindowLengths& lengths, std::uint64_t seed, const std::stop_token& stop) {
  if (what.cold)
    drop_pages(what.file);
  else
    read_into_cache(what.file, what.bytes);
  const std::uint64_t begin = clock_ns();
  void* map = ::mmap(nullptr, what.bytes, PROT_READ, MAP_SHARED | (what.populate ? MAP_POPULATE : 0), what.file, 0);
  if (map == MAP_FAILED) throw IoFailure(errno, std::string("mmap: ") + std::strerror(errno));
  ::madvise(map, what.bytes, what.advice);
  const auto* bytes = static_cast<const volatile unsigned char*>(map);
  const std::size_t pages = what.bytes / kPageBytes;
  const std::uint64_t touching = what.populate ? begin : clock_ns();
  const auto end = touching + static_cast<std::uint64_t>(lengths.window_s * 1e9);
  std::size_t touched = 0;
  std::uint64_t now = touching;
  for (std::uint64_t state = seed | 1U; touched < pages; ++touched) {
    std::size_t page = touched;
    if (what.advice == MADV_RANDOM) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      page = static_cast<std::size_t>(state >> 33) % pages;
    }
    static_cast<void>(bytes[page * kPageBytes]);
    if (touched % 64 != 0 || what.populate) continue;
    now = clock_ns();
    if (now >= end || stop.stop_requested()) break;
  }
  now = clock_ns();
  ::munmap(map, what.bytes);
  ArmWindow window;
  window.length_s = seconds_between(touching, now);
  window.rate_per_s = static_cast<double>(touched) / std::max(window.length_s, 1e-9);
  return window;
}

}  // namespace

std::vector<Arm> memory_arms(const DataFile& file, const std::stop_token& stop) {
  std::vector<Arm> arms;
  const auto add = [&](const char* detail, auto run, bool on_device) {
    Arm arm;
    arm.cell.probe = "memory";
    arm.cell.detail = detail;
    arm.cell.block_bytes = kPageBytes;
    arm.run = run;
    arm.on_device = on_device;
    arm.window_factor = 0.5;
    arms.push_back(std::move(arm));
  };
  using Pages = MappedMemory::Pages;
  for (const auto& [detail, pages] :
       {std::pair{"first touch 4 KiB", Pages::ordinary}, {"first touch huge", Pages::huge}})
    add(
        detail, [stop, pages = pages](const WindowLengths& l, std::uint64_t) { return first_touch(pages, l, stop); },
        false);
  const std::size_t bytes = std::min<std::size_t>(kMapped, file.bytes) / kPageBytes * kPageBytes;
  const int descriptor = file.buffered.get();
  const auto map_arm = [&](const char* detail, bool cold, int advice, bool populate) {
    const Mapping what{descriptor, bytes, cold, advice, populate};
    add(
        detail, [what, stop](const WindowLengths& l, std::uint64_t seed) { return mapped(what, l, seed, stop); },
        false);
  };
  map_arm("mapped, cold, sequential", true, MADV_SEQUENTIAL, false);
  map_arm("mapped, cold, normal", true, MADV_NORMAL, false);
  map_arm("mapped, cold, random", true, MADV_RANDOM, false);
  map_arm("mapped, cached", false, MADV_NORMAL, false);
  map_arm("mapped, populated", false, MADV_NORMAL, true);
  return arms;
}

}  // namespace headrace::models::calibration
