// io_uring as fio drives it: one submission per operation, completions taken without a system call where they are
// ready, else one wait for one. Submitting and waiting in one call was about 10 % slower at middle depths.
#include "models/calibration/io_engine.hpp"

#ifdef HEADRACE_HAS_LIBURING
#include <fmt/format.h>
#include <liburing.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "models/calibration/host_clock.hpp"
#include "models/calibration/io_memory.hpp"
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

  struct Ended {
    std::uint64_t since_ns;
    std::uint64_t offset;
    std::int32_t result;
  };

  /// One completion that is there; waits for one if `wait`. False: there is none.
  bool take(bool wait, Ended& ended) {
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

/// Warm-up, then the window, then the end. Both loops share it.
class WindowClock {
 public:
  WindowClock(const WindowLengths& lengths, std::uint32_t depth)
      : window_ns_(static_cast<std::uint64_t>(lengths.window_s * 1e9)),
        warm_until_ns_(clock_ns() + static_cast<std::uint64_t>(lengths.warm_up_s * 1e9)),
        warm_operations_(std::uint64_t{4} * depth) {}

  /// After each operation. Returns false when the window is over.
  bool go_on(std::uint64_t now_ns, IoWindow& window) {
    ++operations_;
    if (!window.tally.started()) {
      // A device that is too slow for so many operations is measured after ten times the warm-up.
      const bool warm = now_ns >= warm_until_ns_ && (operations_ >= warm_operations_ || now_ns >= longest_warm_up_ns());
      if (warm) window.tally.start(now_ns, window_ns_);
      return true;
    }
    return now_ns < window.tally.end_ns();
  }

 private:
  std::uint64_t longest_warm_up_ns() const { return warm_until_ns_ + 2 * window_ns_; }

  std::uint64_t window_ns_;
  std::uint64_t warm_until_ns_;
  std::uint64_t warm_operations_;
  std::uint64_t operations_ = 0;
};

class UringEngine final : public IoEngine {
 public:
  explicit UringEngine(const FlagSet& set) : set_(set) {}
  const char* name() const override { return "io_uring"; }
  const std::vector<std::string>& flags() const override { return set_.names; }

  IoWindow closed_loop(const IoTask& task, const BlockBuffers& buffers, const WindowLengths& lengths,
                       const std::stop_token& stop) override {
    Ring ring(task.depth, set_.bits);
    Offsets offsets(task);
    IoWindow window;
    WindowClock clock(lengths, task.depth);
    bool more = true;
    while (more) {
      while (ring.has_free_slot()) ring.start(task, buffers, offsets.next(), clock_ns());
      Ring::Ended ended{};
      for (bool wait = true; more && ring.take(wait, ended); wait = false) {
        const std::uint64_t now = count(ended, task, window);
        more = clock.go_on(now, window) && !stop.stop_requested();
        if (more) ring.start(task, buffers, offsets.next(), clock_ns());
      }
    }
    window.stopped = stop.stop_requested();
    drain(ring, task, window);
    window.next_block = offsets.position();
    return window;
  }

  IoWindow open_loop(const IoTask& task, double rate_per_s, const BlockBuffers& buffers, const WindowLengths& lengths,
                     const std::stop_token& stop) override {
    Ring ring(task.depth, set_.bits);
    Offsets offsets(task);
    IoWindow window;
    WindowClock clock(lengths, 0);
    PoissonArrivals arrivals(rate_per_s, clock_ns(), task.seed);
    std::uint64_t due_ns = arrivals.next_ns();
    bool more = true;
    while (more && !stop.stop_requested()) {
      const std::uint64_t now = clock_ns();
      more = clock.go_on(now, window);
      if (due_ns <= now && ring.has_free_slot()) {
        ring.start(task, buffers, offsets.next(), due_ns);
        due_ns = arrivals.next_ns();
      }
      Ring::Ended ended{};
      const bool full = !ring.has_free_slot();
      while (ring.under_way() > 0 && ring.take(full && !ring.has_free_slot(), ended)) count(ended, task, window);
    }
    window.stopped = stop.stop_requested();
    drain(ring, task, window);
    return window;
  }

 private:
  static std::uint64_t count(const Ring::Ended& ended, const IoTask& task, IoWindow& window) {
    const std::uint64_t now = clock_ns();
    check_whole(ended.result, -ended.result, task, ended.offset);
    window.bytes += task.block_bytes;
    window.tally.add(now, now > ended.since_ns ? now - ended.since_ns : 0);
    return now;
  }

  static void drain(Ring& ring, const IoTask& task, IoWindow& window) {
    Ring::Ended ended{};
    while (ring.under_way() > 0 && ring.take(true, ended)) count(ended, task, window);
  }

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
        reason += "; the seccomp filter of a container filter or kernel.io_uring_disabled forbids it";
      if (failure.error() == ENOSYS) reason += "; the kernel does not have it";
      if (failure.error() != EINVAL) return nullptr;
    }
  }
  return nullptr;
}

#endif

}  // namespace headrace::models::calibration
