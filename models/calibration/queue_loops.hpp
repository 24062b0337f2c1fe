// The two loops over a queue of the kernel: a fixed number of operations under way, or arrivals at their own times.
// What they need of a queue: has_free_slot(), under_way(), start(task, buffers, offset, since_ns), take(wait, ended).
#pragma once

#include <cstdint>
#include <stop_token>

#include "models/calibration/host_clock.hpp"
#include "models/calibration/io_engine.hpp"

namespace headrace::models::calibration {

/// An operation whose end the queue has told.
struct EndedOperation {
  std::uint64_t since_ns = 0;
  std::uint64_t offset = 0;
  std::int64_t result = 0;  ///< bytes, or minus the error
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

inline std::uint64_t count_ended(const EndedOperation& ended, const IoTask& task, IoWindow& window) {
  const std::uint64_t now = clock_ns();
  check_whole(ended.result, static_cast<int>(-ended.result), task, ended.offset);
  window.bytes += task.block_bytes;
  window.tally.add(now, now > ended.since_ns ? now - ended.since_ns : 0);
  return now;
}

template <class Queue>
void drain(Queue& queue, const IoTask& task, IoWindow& window) {
  EndedOperation ended;
  while (queue.under_way() > 0 && queue.take(true, ended)) count_ended(ended, task, window);
}

/// IoEngine::closed_loop.
template <class Queue>
IoWindow closed_loop_in(Queue& queue, const IoTask& task, const BlockBuffers& buffers, const WindowLengths& lengths,
                        const std::stop_token& stop) {
  Offsets offsets(task);
  IoWindow window;
  WindowClock clock(lengths, task.depth);
  bool more = true;
  while (more) {
    while (queue.has_free_slot()) queue.start(task, buffers, offsets.next(), clock_ns());
    EndedOperation ended;
    for (bool wait = true; more && queue.take(wait, ended); wait = false) {
      const std::uint64_t now = count_ended(ended, task, window);
      more = clock.go_on(now, window) && !stop.stop_requested();
      if (more) queue.start(task, buffers, offsets.next(), clock_ns());
    }
  }
  window.stopped = stop.stop_requested();
  drain(queue, task, window);
  window.next_block = offsets.position();
  return window;
}

/// IoEngine::open_loop.
template <class Queue>
IoWindow open_loop_in(Queue& queue, const IoTask& task, double rate_per_s, const BlockBuffers& buffers,
                      const WindowLengths& lengths, const std::stop_token& stop) {
  Offsets offsets(task);
  IoWindow window;
  WindowClock clock(lengths, 0);
  PoissonArrivals arrivals(rate_per_s, clock_ns(), task.seed);
  std::uint64_t due_ns = arrivals.next_ns();
  bool more = true;
  while (more && !stop.stop_requested()) {
    const std::uint64_t now = clock_ns();
    more = clock.go_on(now, window);
    if (due_ns <= now && queue.has_free_slot()) {
      queue.start(task, buffers, offsets.next(), due_ns);
      due_ns = arrivals.next_ns();
    }
    EndedOperation ended;
    const bool full = !queue.has_free_slot();
    while (queue.under_way() > 0 && queue.take(full && !queue.has_free_slot(), ended)) count_ended(ended, task, window);
  }
  window.stopped = stop.stop_requested();
  drain(queue, task, window);
  return window;
}

}  // namespace headrace::models::calibration
