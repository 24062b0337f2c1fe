// How a loader reads files: through the page cache, past it, or mapped into memory; and what read-ahead does to it.
#pragma once

#include <cstdint>

#include "models/describe/describe.hpp"

namespace headrace::models {

enum class ReadMode : std::uint8_t { buffered, direct, mmap };
inline constexpr ChoiceName<ReadMode> kReadModeNames[] = {
    {ReadMode::buffered, "buffered", "read calls through the page cache"},
    {ReadMode::direct, "direct", "O_DIRECT: past the page cache, in whole blocks"},
    {ReadMode::mmap, "mmap", "mapped into memory: page faults instead of read calls"}};

struct FileAccess {
  ReadMode mode = ReadMode::buffered;
  double read_ahead_bytes = 128.0 * 1024;
  bool asynchronous = false;
  double block_bytes = 4096.0;
  double page_bytes = 4096.0;
  double fault_s = 1e-6;
  double fault_around_bytes = 64.0 * 1024;
  double tlb_slowdown = 0.0;
};

template <class V>
void describe(FileAccess& a, V& v) {
  v.choice(
      "mode", a.mode, kReadModeNames,
      {.evidence = Evidence::assumed,
       .meaning = "buffered: read calls through the page cache; direct: O_DIRECT, past it, in whole blocks; mmap: page "
                  "faults instead of read calls"});
  v.quantity("read_ahead", a.read_ahead_bytes, Unit::bytes,
             {.low = 4096,
              .high = 16.0 * 1024 * 1024,
              .min = 4096,
              .evidence = Evidence::published,
              .meaning = "Window that one read from the device fetches; buffered and mmap only",
              .source = "Linux: read_ahead_kb 128 by default",
              .log_scale = true,
              .decided = true});
  v.flag("asynchronous", a.asynchronous,
         {.evidence = Evidence::assumed,
          .meaning =
              "The next window is fetched while the reader is in this one, as for files that are read in sequence"});
  v.quantity("block", a.block_bytes, Unit::bytes,
             {.low = 512,
              .high = 65536,
              .min = 512,
              .evidence = Evidence::assumed,
              .meaning = "Alignment of direct reads: bytes are rounded up to it",
              .log_scale = true,
              .decided = true});
  v.quantity("page", a.page_bytes, Unit::bytes,
             {.low = 4096,
              .high = 2.0 * 1024 * 1024,
              .min = 4096,
              .evidence = Evidence::published,
              .meaning = "Page of a mapping: 4 KiB, or 2 MiB with huge pages",
              .source = "Linux on x86-64",
              .log_scale = true,
              .decided = true});
  v.quantity("fault", a.fault_s, Unit::seconds,
             {.low = 1e-7,
              .high = 1e-5,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "CPU time of one page fault that finds its page in memory",
              .log_scale = true});
  v.quantity("fault_around", a.fault_around_bytes, Unit::bytes,
             {.low = 4096,
              .high = 2.0 * 1024 * 1024,
              .min = 4096,
              .evidence = Evidence::published,
              .meaning = "Bytes that one fault maps when the pages are in memory",
              .source = "Linux: fault_around_bytes 64 KiB by default",
              .log_scale = true,
              .decided = true});
  v.number("tlb_slowdown", a.tlb_slowdown,
           {.low = 0,
            .high = 0.5,
            .min = 0,
            .max = 100,
            .evidence = Evidence::assumed,
            .meaning = "What TLB misses on a mapping add to the CPU work of a sample, as a share of it: measure it"});
}

}  // namespace headrace::models
