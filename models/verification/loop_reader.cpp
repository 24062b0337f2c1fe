#include "models/verification/loop_reader.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "models/calibration/io_engine.hpp"

#ifdef HEADRACE_HAS_LIBURING
#include <liburing.h>
#endif

namespace headrace::models::verification {
namespace {

using calibration::IoFailure;

/// Whether the whole block came; false: again.
bool is_whole(std::int64_t result, std::uint32_t block_bytes) {
  if (result == static_cast<std::int64_t>(block_bytes)) return true;
  if (result == -EINTR || result == -EAGAIN) return false;
  const int error = result < 0 ? static_cast<int>(-result) : EIO;
  throw IoFailure(error, fmt::format("reading a block of {} bytes: {}", block_bytes, std::strerror(error)));
}

}  // namespace

#ifdef HEADRACE_HAS_LIBURING

/// A ring for one read at a time.
struct LoopReader::Ring {
  Ring() {
    const int error = io_uring_queue_init(1, &ring, 0);
    if (error < 0) throw IoFailure(-error, std::strerror(-error));
  }
  ~Ring() { io_uring_queue_exit(&ring); }
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  std::int64_t read(int file, std::byte* to, std::uint32_t bytes, std::uint64_t at) {
    io_uring_sqe* sqe = io_uring_get_sqe(&ring);
    io_uring_prep_read(sqe, file, to, bytes, at);
    int done = io_uring_submit_and_wait(&ring, 1);
    io_uring_cqe* cqe = nullptr;
    // Submitted or not: only the completion tells that the kernel no longer writes into the buffer.
    if (done < 0 && done != -EINTR) return done;
    do {
      done = io_uring_wait_cqe(&ring, &cqe);
    } while (done == -EINTR);
    if (done < 0) return done;
    const std::int64_t result = cqe->res;
    io_uring_cqe_seen(&ring, cqe);
    return result;
  }

  io_uring ring{};
};

LoopReader::LoopReader(const LoopData& data) : data_(data) {
  try {
    ring_ = std::make_unique<Ring>();
  } catch (const IoFailure&) {
    ring_ = nullptr;  // reader_name() has told why
  }
}

const char* reader_name(std::string& reason) {
  return calibration::make_uring_engine(1, reason) != nullptr ? "io_uring" : "pread";
}

#else

struct LoopReader::Ring {
  std::int64_t read(int, std::byte*, std::uint32_t, std::uint64_t) { return -ENOSYS; }
};

LoopReader::LoopReader(const LoopData& data) : data_(data) {}

const char* reader_name(std::string& reason) {
  reason = "built without liburing";
  return "pread";
}

#endif

LoopReader::~LoopReader() = default;

void LoopReader::read(std::uint64_t index, std::byte* to) {
  const std::uint32_t bytes = data_.block_bytes();
  const std::uint64_t at = index * bytes;
  for (;;) {
    std::int64_t result = 0;
    if (ring_) {
      result = ring_->read(data_.file(), to, bytes, at);
    } else {
      result = ::pread(data_.file(), to, bytes, static_cast<off_t>(at));
      if (result < 0) result = -errno;
    }
    if (is_whole(result, bytes)) return;
  }
}

}  // namespace headrace::models::verification
