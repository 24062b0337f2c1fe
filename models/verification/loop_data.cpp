#include "models/verification/loop_data.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#ifdef HEADRACE_HAS_ZSTD
#include <zstd.h>

#include <memory>
#endif

#include "models/calibration/cpu_probes.hpp"
#include "models/calibration/io_engine.hpp"
#include "models/calibration/io_memory.hpp"

namespace headrace::models::verification {
namespace {

using calibration::IoFailure;

constexpr std::uint64_t kFrames = 16;
constexpr std::uint32_t kMagic = 0x48524652;

/// Stands at the beginning of every block.
struct FrameHeader {
  std::uint32_t magic = kMagic;
  std::uint32_t length = 0;  ///< of what follows the header
  std::uint32_t raw_length = 0;
  std::uint32_t checksum = 0;  ///< of what follows the header
};

/// Words and grain: compresses to somewhat less than half, as records with numbers in them do.
std::vector<std::byte> records(std::size_t size, std::uint64_t seed) {
  static constexpr const char* kWords[] = {"sample", "label", "crop", "mean", "scale", "left", "right", "frame"};
  std::vector<std::byte> text;
  text.reserve(size + 32);
  std::uint64_t state = seed * 0x9e3779b97f4a7c15U + 88172645463325252U;
  while (text.size() < size) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    const char* word = kWords[state >> 61];
    for (const char* c = word; *c != '\0'; ++c) text.push_back(static_cast<std::byte>(*c));
    for (unsigned i = 0; i < 4; ++i) text.push_back(static_cast<std::byte>((state >> (8 * i)) & 0xffU));
  }
  text.resize(size);
  return text;
}

/// What a frame carries, at most `room` bytes; raw_length is what it unpacks to.
std::vector<std::byte> packed(std::uint32_t room, std::uint64_t seed, std::uint32_t& raw_length) {
#ifdef HEADRACE_HAS_ZSTD
  for (std::size_t raw = std::size_t{room} * 2; raw > 0; raw -= raw / 16 + 1) {
    const std::vector<std::byte> text = records(raw, seed);
    std::vector<std::byte> out(ZSTD_compressBound(raw));
    const std::size_t size = ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1);
    if (ZSTD_isError(size) != 0 || size > room) continue;
    out.resize(size);
    raw_length = static_cast<std::uint32_t>(raw);
    return out;
  }
#endif
  raw_length = room;
  return records(room, seed);
}

FrameHeader header_of(const std::byte* block) {
  FrameHeader header;
  std::memcpy(&header, block, sizeof(header));
  return header;
}

}  // namespace

const char* decoding_name() {
#ifdef HEADRACE_HAS_ZSTD
  return "CRC-32C and Zstd";
#else
  return "CRC-32C";
#endif
}

LoopData::LoopData(const std::string& file_name, std::uint32_t block_bytes, std::uint64_t bytes)
    : block_bytes_(block_bytes), blocks_(std::max<std::uint64_t>(bytes / block_bytes, kFrames)) {
  frames_.resize(kFrames * block_bytes_);
  for (std::uint64_t i = 0; i < kFrames; ++i) {
    std::byte* frame = frames_.data() + i * block_bytes_;
    calibration::fill_random(frame, block_bytes_, i + 1);
    FrameHeader header;
    const auto room = static_cast<std::uint32_t>(block_bytes_ - sizeof(header));
    const std::vector<std::byte> body = packed(room, i + 1, header.raw_length);
    header.length = static_cast<std::uint32_t>(body.size());
    raw_bytes_ = std::max(raw_bytes_, header.raw_length);
    header.checksum = calibration::crc32c(body.data(), body.size());
    std::memcpy(frame, &header, sizeof(header));
    std::memcpy(frame + sizeof(header), body.data(), body.size());
  }
  write_blocks(file_name);
  const int direct = ::open(file_name.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC);
  direct_ = direct >= 0;
  file_ = calibration::OpenFile(direct_ ? direct : ::open(file_name.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file_.is_open()) throw IoFailure(errno, fmt::format("opening the file to read: {}", std::strerror(errno)));
}

void LoopData::write_blocks(const std::string& file_name) {
  const calibration::OpenFile file(::open(file_name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file.is_open()) throw IoFailure(errno, fmt::format("making the file to read: {}", std::strerror(errno)));
  for (std::uint64_t i = 0; i < blocks_; ++i) {
    const std::byte* from = frame(i);
    for (std::size_t done = 0; done < block_bytes_;) {
      const auto at = static_cast<off_t>(i * block_bytes_ + done);
      const ssize_t n = ::pwrite(file.get(), from + done, block_bytes_ - done, at);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) throw IoFailure(errno, fmt::format("writing the file to read: {}", std::strerror(errno)));
      done += static_cast<std::size_t>(n);
    }
  }
  calibration::drop_pages(file.get());
}

const std::byte* LoopData::frame(std::uint64_t index) const { return frames_.data() + index % kFrames * block_bytes_; }

void LoopData::decode(const std::byte* block, std::vector<std::byte>& out) const {
  const FrameHeader header = header_of(block);
  const std::byte* body = block + sizeof(header);
  if (header.magic != kMagic || header.length > block_bytes_ - sizeof(header) ||
      calibration::crc32c(body, header.length) != header.checksum)
    throw IoFailure(EIO, "a block came back damaged: its checksum is wrong");
  if (out.size() < header.raw_length) out.resize(header.raw_length);
#ifdef HEADRACE_HAS_ZSTD
  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };
  thread_local const std::unique_ptr<ZSTD_DCtx, Free> context(ZSTD_createDCtx());
  const std::size_t n = ZSTD_decompressDCtx(context.get(), out.data(), out.size(), body, header.length);
  if (n != header.raw_length) throw IoFailure(EIO, "a block does not unpack");
#else
  std::memcpy(out.data(), body, header.length);
#endif
}

}  // namespace headrace::models::verification
