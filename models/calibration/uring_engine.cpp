// io_uring as fio drives it: one submission per operation, completions taken without a system call where they are
// ready, else one wait for one. Submitting and waiting in one call was about 10 % slower at middle depths.
#include "models/calibration/io_engine.hpp"

#ifdef HEADRACE_HAS_LIBURING
#include <fmt/format.h>
#include <liburing.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "models/calibration/queue_loops.hpp"
#endif

namespace headrace::models::calibration {

#ifndef HEADRACE_HAS_LIBURING

std::unique_ptr<IoEngine> make_uring_engine(std::uint32_t, std::string& reason) {
  reason = "built without liburing";
  return nullptr;
}

#else

namespace {

struct FlagSet {
  unsigned bits;
  std::vector<std::string> names;
};

/// From the newest kernels to the oldest; each is tried where the one before is refused with EINVAL.
const std::vector<FlagSet>& flag_sets() {
#ifndef IORING_SETUP_SINGLE_ISSUER
#define IORING_SETUP_SINGLE_ISSUER (1U << 12)
#endif
#ifndef IORING_SETUP_DEFER_TASKRUN
#define IORING_SETUP_DEFER_TASKRUN (1U << 13)
#endif
#ifndef IORING_SETUP_COOP_TASKRUN
#define IORING_SETUP_COOP_TASKRUN (1U << 8)
#endif
  static const std::vector<FlagSet> sets = {
      {IORING_SETUP_COOP_TASKRUN | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN,
       {"SINGLE_ISSUER", "DEFER_TASKRUN", "COOP_TASKRUN"}},
      {IORING_SETUP_COOP_TASKRUN, {"COOP_TASKRUN"}},
      {0, {}}};
  return sets;
}

/// A ring and what is under way in it. The kernel writes into the buffers until each operation has ended, so the
/// destructor waits for all of them.
class Ring {
 public:
  Ring(std::uint32_t depth, unsigned bits) : started_ns_(depth, 0), offset_(depth, 0) {
    const int error = io_uring_queue_init(depth, &ring_, bits);
    if (error < 0) throw IoFailure(-error, std::strerror(-error));
    for (std::uint32_t slot = depth; slot > 0; --slot) free_.push_back(slot - 1);
  }
  ~Ring() {
    while (under_way_ > 0) {
      io_uring_cqe* cqe = nullptr;
      const int error = io_uring_wait_cqe(&ring_, &cqe);
      if (error == -EINTR) continue;
      if (error < 0) break;
      io_uring_cqe_seen(&ring_, cqe);
      --under_way_;
    }
    io_uring_queue_exit(&ring_);
  }
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  bool has_free_slot() const { return !free_.empty(); }
  std::uint32_t under_way() const { return under_way_; }

  /// Starts the next operation. `since_ns` is when its latency begins.
  void start(const IoTask& task, const BlockBuffers& buffers, std::uint64_t offset, std::uint64_t since_ns) {
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    io_uring_sqe* sqe = io_uring_get_sqe(&ring_);
    started_ns_[slot] = since_ns;
    offset_[slot] = offset;
    if (task.write) {
      stamp(buffers.block(slot), task.block_bytes, offset);
      io_uring_prep_write(sqe, task.file, buffers.block(slot), task.block_bytes, offset);
    } else {
      io_uring_prep_read(sqe, task.file, buffers.block(slot), task.block_bytes, offset);
    }
    sqe->user_data = slot;
    ++under_way_;
    int submitted = io_uring_submit(&ring_);
    while (submitted == -EINTR || submitted == -EAGAIN || submitted == -EBUSY) submitted = io_uring_submit(&ring_);
    if (submitted < 0) {
      --under_way_;
      throw IoFailure(-submitted, fmt::format("io_uring_submit: {}", std::strerror(-submitted)));
    }
  }

  /// One completion that is there; waits for one if `wait`. False: there is none.
  bool take(bool wait, EndedOperation& ended) {
    io_uring_cqe* cqe = nullptr;
    int error = io_uring_peek_cqe(&ring_, &cqe);
    if (error == -EAGAIN && !wait) return false;
    while (error == -EAGAIN || error == -EINTR) error = io_uring_wait_cqe(&ring_, &cqe);
    if (error < 0) throw IoFailure(-error, fmt::format("io_uring_wait_cqe: {}", std::strerror(-error)));
    const auto slot = static_cast<std::uint32_t>(cqe->user_data);
    ended = {started_ns_[slot], offset_[slot], cqe->res};
    io_uring_cqe_seen(&ring_, cqe);
    free_.push_back(slot);
    --under_way_;
    return true;
  }

 private:
  io_uring ring_{};
  std::vector<std::uint64_t> started_ns_;
  std::vector<std::uint64_t> offset_;
  std::vector<std::uint32_t> free_;
  std::uint32_t under_way_ = 0;
};

class UringEngine final : public IoEngine {
 public:
  explicit UringEngine(const FlagSet& set) : set_(set) {}
  const char* name() const override { return "io_uring"; }
  const std::vector<std::string>& flags() const override { return set_.names; }

  IoWindow closed_loop(const IoTask& task, const BlockBuffers& buffers, const WindowLengths& lengths,
                       const std::stop_token& stop) override {
    Ring ring(task.depth, set_.bits);
    return closed_loop_in(ring, task, buffers, lengths, stop);
  }

  IoWindow open_loop(const IoTask& task, double rate_per_s, const BlockBuffers& buffers, const WindowLengths& lengths,
                     const std::stop_token& stop) override {
    Ring ring(task.depth, set_.bits);
    return open_loop_in(ring, task, rate_per_s, buffers, lengths, stop);
  }

 private:
  const FlagSet& set_;
};

}  // namespace

std::unique_ptr<IoEngine> make_uring_engine(std::uint32_t depth, std::string& reason) {
  for (const FlagSet& set : flag_sets()) {
    try {
      const Ring probe(depth, set.bits);
      return std::make_unique<UringEngine>(set);
    } catch (const IoFailure& failure) {
      reason = fmt::format("io_uring_setup: {}", failure.what());
      if (failure.error() == EPERM)
        reason += "; the seccomp filter of a container or kernel.io_uring_disabled forbids it";
      if (failure.error() == ENOSYS) reason += "; the kernel does not have it";
      if (failure.error() != EINVAL) return nullptr;
    }
  }
  return nullptr;
}

#endif

}  // namespace headrace::models::calibration
