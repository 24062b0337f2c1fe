// The kernel's older asynchronous interface, which fio calls libaio, by its system calls: no library is needed. It
// keeps its depth with direct I/O only; through the page cache each operation is done inside its submission.
#include <fmt/format.h>
#include <linux/aio_abi.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>

#include "models/calibration/queue_loops.hpp"

namespace headrace::models::calibration {
namespace {

/// A context of the kernel and what is under way in it.
class AioQueue {
 public:
  explicit AioQueue(std::uint32_t depth) : since_ns_(depth, 0), offset_(depth, 0), told_(depth) {
    if (::syscall(SYS_io_setup, depth, &context_) != 0) throw IoFailure(errno, std::strerror(errno));
    for (std::uint32_t slot = depth; slot > 0; --slot) free_.push_back(slot - 1);
  }
  /// The kernel waits for what is under way: it writes into the buffers until then.
  ~AioQueue() { ::syscall(SYS_io_destroy, context_); }
  AioQueue(const AioQueue&) = delete;
  AioQueue& operator=(const AioQueue&) = delete;

  bool has_free_slot() const { return !free_.empty(); }
  std::uint32_t under_way() const { return under_way_; }

  /// Starts the next operation. `since_ns` is when its latency begins.
  void start(const IoTask& task, const BlockBuffers& buffers, std::uint64_t offset, std::uint64_t since_ns) {
    const std::uint32_t slot = free_.back();
    if (task.write) stamp(buffers.block(slot), task.block_bytes, offset);
    iocb block{};
    block.aio_data = slot;
    block.aio_lio_opcode = task.write ? IOCB_CMD_PWRITE : IOCB_CMD_PREAD;
    block.aio_fildes = static_cast<std::uint32_t>(task.file);
    static_assert(sizeof(std::uintptr_t) <= sizeof(block.aio_buf));
    block.aio_buf = reinterpret_cast<std::uintptr_t>(buffers.block(slot));  // NOLINT: the kernel takes a number
    block.aio_nbytes = task.block_bytes;
    block.aio_offset = static_cast<std::int64_t>(offset);
    since_ns_[slot] = since_ns;
    offset_[slot] = offset;
    iocb* list[] = {&block};
    long submitted = -1;
    do {
      submitted = ::syscall(SYS_io_submit, context_, 1L, list);
    } while (submitted != 1 && (errno == EINTR || errno == EAGAIN));
    if (submitted != 1) throw IoFailure(errno, fmt::format("io_submit: {}", std::strerror(errno)));
    free_.pop_back();
    ++under_way_;
  }

  /// One operation that has ended; waits for one if `wait`. False: there is none.
  bool take(bool wait, EndedOperation& ended) {
    if (next_told_ == told_count_ && !ask(wait)) return false;
    const io_event& event = told_[next_told_++];
    const auto slot = static_cast<std::uint32_t>(event.data);
    ended = {since_ns_[slot], offset_[slot], event.res};
    free_.push_back(slot);
    --under_way_;
    return true;
  }

 private:
  /// One call for all that have ended. False: none.
  bool ask(bool wait) {
    timespec at_once{0, 0};
    long count = -1;
    do {
      count = ::syscall(SYS_io_getevents, context_, wait ? 1L : 0L, static_cast<long>(told_.size()), told_.data(),
                        wait ? nullptr : &at_once);
    } while (count < 0 && errno == EINTR);
    if (count < 0) throw IoFailure(errno, fmt::format("io_getevents: {}", std::strerror(errno)));
    next_told_ = 0;
    told_count_ = static_cast<std::size_t>(count);
    return count > 0;
  }

  aio_context_t context_ = 0;
  std::vector<std::uint64_t> since_ns_;
  std::vector<std::uint64_t> offset_;
  std::vector<std::uint32_t> free_;
  std::vector<io_event> told_;
  std::size_t next_told_ = 0;
  std::size_t told_count_ = 0;
  std::uint32_t under_way_ = 0;
};

class AioEngine final : public IoEngine {
 public:
  const char* name() const override { return "libaio"; }
  const std::vector<std::string>& flags() const override { return flags_; }
  bool keeps_depth_in_page_cache() const override { return false; }

  IoWindow closed_loop(const IoTask& task, const BlockBuffers& buffers, const WindowLengths& lengths,
                       const std::stop_token& stop) override {
    AioQueue queue(task.depth);
    return closed_loop_in(queue, task, buffers, lengths, stop);
  }

  IoWindow open_loop(const IoTask& task, double rate_per_s, const BlockBuffers& buffers, const WindowLengths& lengths,
                     const std::stop_token& stop) override {
    AioQueue queue(task.depth);
    return open_loop_in(queue, task, rate_per_s, buffers, lengths, stop);
  }

 private:
  std::vector<std::string> flags_;
};

}  // namespace

std::unique_ptr<IoEngine> make_aio_engine(std::uint32_t depth, std::string& reason) {
  try {
    const AioQueue probe(depth);
    return std::make_unique<AioEngine>();
  } catch (const IoFailure& failure) {
    reason = fmt::format("io_setup: {}", failure.what());
    if (failure.error() == EPERM) reason += "; the seccomp filter of a container forbids it";
    if (failure.error() == ENOSYS) reason += "; the kernel does not have it";
    if (failure.error() == EAGAIN) reason += "; fs.aio-max-nr is used up";
    return nullptr;
  }
}

}  // namespace headrace::models::calibration
