// How a worker of the closed loop reads: one block after the other, as loaders read samples, through a ring of io_uring
// of its own or, where the kernel or a sandbox refuses one, by pread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "models/verification/loop_data.hpp"

namespace headrace::models::verification {

/// Belongs to the thread that made it.
class LoopReader {
 public:
  explicit LoopReader(const LoopData& data);
  ~LoopReader();
  LoopReader(const LoopReader&) = delete;
  LoopReader& operator=(const LoopReader&) = delete;

  /// Reads block `index` into `to`, which is aligned to 4 KiB. Throws IoFailure.
  void read(std::uint64_t index, std::byte* to);

 private:
  struct Ring;
  const LoopData& data_;
  std::unique_ptr<Ring> ring_;  ///< null: pread
};

/// "io_uring" or "pread": what readers use here. The reason where it is not io_uring.
const char* reader_name(std::string& reason);

}  // namespace headrace::models::verification
