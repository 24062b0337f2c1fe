// How a loader reads files: through the page cache, past it, or mapped into memory; and what read-ahead does to it.
#pragma once

#include <cstdint>

#include "models/describe/declarations.hpp"

namespace headrace::models {

enum class ReadMode : std::uint8_t { buffered, direct, mmap };
inline constexpr ChoiceName<ReadMode> kReadModeNames[] = {
    {ReadMode::buffered, "buffered", "read calls through the page cache"},
    {ReadMode::direct, "direct", "O_DIRECT: without the page cache, in whole blocks"},
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

void describe(FileAccess& a, Visitor& v);

}  // namespace headrace::models
