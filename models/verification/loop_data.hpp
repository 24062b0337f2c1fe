// The files that the closed loop reads: blocks that hold a frame each, with a checksum and, where the program was built
// with Zstd, compressed text. Decoding one checks and unpacks it, which is what a loader does with real samples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/calibration/scratch.hpp"

namespace headrace::models::verification {

/// One file of frames of one block size.
class LoopData {
 public:
  /// Writes `bytes` of blocks of `block_bytes` into a new file. Throws CalibrationError or IoFailure.
  LoopData(const std::string& file_name, std::uint32_t block_bytes, std::uint64_t bytes);

  std::uint32_t block_bytes() const { return block_bytes_; }
  std::uint64_t blocks() const { return blocks_; }
  /// What a block unpacks to, bytes.
  std::uint32_t raw_bytes() const { return raw_bytes_; }
  bool is_direct() const { return direct_; }

  /// The open file; block i begins at byte i * block_bytes().
  int file() const { return file_.get(); }
  /// Decodes a block that was read; `out` grows as needed. Throws IoFailure when the block is damaged.
  void decode(const std::byte* block, std::vector<std::byte>& out) const;
  /// A frame in memory, for work without reads.
  const std::byte* frame(std::uint64_t index) const;

 private:
  void write_blocks(const std::string& file_name);

  std::uint32_t block_bytes_;
  std::uint64_t blocks_ = 0;
  std::uint32_t raw_bytes_ = 0;
  std::vector<std::byte> frames_;  ///< kFrames of them, one after the other
  calibration::OpenFile file_;
  bool direct_ = false;
};

/// What decoding does in this build: "CRC-32C and Zstd" or "CRC-32C".
const char* decoding_name();

}  // namespace headrace::models::verification
