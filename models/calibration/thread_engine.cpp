// Where there is no io_uring: one thread with one blocking read or write for each operation under way. Within noise of
// io_uring at depth 8, at the price of the threads; processor time per operation does not compare.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include "models/calibration/host_clock.hpp"
#include "models/calibration/io_engine.hpp"

namespace headrace::models::calibration {
namespace {

/// What the threads of one window share.
struct Shared {
  std::atomic<std::uint64_t> operations{0};
  std::atomic<std::uint64_t> begin_ns{0};  ///< of the window; 0: still warming up
  std::atomic<bool> over{false};
  std::mutex mutex;
  std::exception_ptr failure;

  void fail(std::exception_ptr what) {
    const std::scoped_lock lock(mutex);
    if (!failure) failure = std::move(what);
    over = true;
  }
};

/// One whole block, by as few calls as the kernel lets.
void move_block(const IoTask& task, std::byte* block, std::uint64_t offset) {
  ssize_t moved = -1;
  do {
    moved = task.write ? ::pwrite(task.file, block, task.block_bytes, static_cast<off_t>(offset))
                       : ::pread(task.file, block, task.block_bytes, static_cast<off_t>(offset));
  } while (moved < 0 && errno == EINTR);
  check_whole(moved, errno, task, offset);
}

/// One more thread, or the failure of the window.
template <class Work>
void start_thread(std::vector<std::jthread>& threads, Shared& shared, const Work& work, std::uint32_t index) {
  try {
    threads.emplace_back(work, index);
  } catch (const std::system_error& error) {
    const std::string what = fmt::format("starting thread {} of a probe: {}", index, error.what());
    shared.fail(std::make_exception_ptr(IoFailure(error.code().value(), what)));
  }
}

class ThreadEngine final : public IoEngine {
 public:
  const char* name() const override { return "threads"; }
  const std::vector<std::string>& flags() const override { return flags_; }

  IoWindow closed_loop(const IoTask& task, const BlockBuffers& buffers, const WindowLengths& lengths,
                       const std::stop_token& stop) override {
    const std::uint32_t threads = std::min(task.depth, kMostIoThreads);
    Shared shared;
    std::vector<IoWindow> parts(threads);
    std::atomic<std::uint64_t> next_block{task.first_block};
    const auto work = [&](std::uint32_t index) {
      try {
        one_thread(index, task, buffers, lengths, stop, shared, next_block, parts[index]);
      } catch (...) {
        shared.fail(std::current_exception());
      }
    };
    {
      std::vector<std::jthread> others;
      for (std::uint32_t i = 1; i < threads && !shared.over; ++i) start_thread(others, shared, work, i);
      if (!shared.over) work(0);
    }
    if (shared.failure) std::rethrow_exception(shared.failure);
    IoWindow window;
    for (const IoWindow& part : parts) {
      window.tally.merge(part.tally);
      window.bytes += part.bytes;
    }
    window.next_block = next_block;
    window.stopped = stop.stop_requested();
    return window;
  }

  IoWindow open_loop(const IoTask& task, double rate_per_s, const BlockBuffers& buffers, const WindowLengths& lengths,
                     const std::stop_token& stop) override {
    const std::uint32_t threads = std::min(task.depth, kMostIoThreads);
    Arrivals queue;
    Shared shared;
    const std::uint64_t begin = clock_ns();
    const std::uint64_t window_begin = begin + static_cast<std::uint64_t>(lengths.warm_up_s * 1e9);
    const auto window_ns = static_cast<std::uint64_t>(lengths.window_s * 1e9);
    std::vector<IoWindow> parts(threads);
    const auto serve = [&](std::uint32_t index) {
      parts[index].tally.start(window_begin, window_ns);
      std::uint64_t due_ns = 0;
      std::uint64_t offset = 0;
      try {
        while (queue.take(due_ns, offset)) {
          move_block(task, buffers.block(index), offset);
          parts[index].bytes += task.block_bytes;
          const std::uint64_t now = clock_ns();
          parts[index].tally.add(now, now > due_ns ? now - due_ns : 0);
        }
      } catch (...) {
        shared.fail(std::current_exception());
        queue.close();
      }
    };
    {
      std::vector<std::jthread> servers;
      for (std::uint32_t i = 0; i < threads && !shared.over; ++i) start_thread(servers, shared, serve, i);
      feed(task, rate_per_s, begin, window_begin + window_ns, stop, shared, queue);
      queue.close();
    }
    if (shared.failure) std::rethrow_exception(shared.failure);
    IoWindow window;
    for (const IoWindow& part : parts) {
      window.tally.merge(part.tally);
      window.bytes += part.bytes;
    }
    window.stopped = stop.stop_requested();
    return window;
  }

 private:
  struct Arrival {
    std::uint64_t due_ns;
    std::uint64_t offset;
  };

  /// Arrivals that wait for a thread.
  class Arrivals {
   public:
    void add(const Arrival& arrival) {
      const std::scoped_lock lock(mutex_);
      waiting_.push_back(arrival);
      changed_.notify_one();
    }
    void close() {
      const std::scoped_lock lock(mutex_);
      closed_ = true;
      waiting_.clear();
      changed_.notify_all();
    }
    bool take(std::uint64_t& due_ns, std::uint64_t& offset) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return closed_ || !waiting_.empty(); });
      if (waiting_.empty()) return false;
      due_ns = waiting_.front().due_ns;
      offset = waiting_.front().offset;
      waiting_.pop_front();
      return true;
    }

   private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Arrival> waiting_;
    bool closed_ = false;
  };

  static void feed(const IoTask& task, double rate_per_s, std::uint64_t begin, std::uint64_t end,
                   const std::stop_token& stop, const Shared& shared, Arrivals& queue) {
    PoissonArrivals arrivals(rate_per_s, begin, task.seed);
    Offsets offsets(task);
    for (std::uint64_t due = arrivals.next_ns(); due < end; due = arrivals.next_ns()) {
      for (std::uint64_t now = clock_ns(); now < due; now = clock_ns())
        if (due - now > 200'000) std::this_thread::sleep_for(std::chrono::nanoseconds(due - now - 100'000));
      if (stop.stop_requested() || shared.over) return;
      queue.add({due, offsets.next()});
    }
  }

  static void one_thread(std::uint32_t index, const IoTask& task, const BlockBuffers& buffers,
                         const WindowLengths& lengths, const std::stop_token& stop, Shared& shared,
                         std::atomic<std::uint64_t>& next_block, IoWindow& window) {
    IoTask own = task;
    own.seed = task.seed + 0x51ed2701U * (std::uint64_t{index} + 1);
    Offsets offsets(own);
    const std::uint64_t warm_until = clock_ns() + static_cast<std::uint64_t>(lengths.warm_up_s * 1e9);
    const auto window_ns = static_cast<std::uint64_t>(lengths.window_s * 1e9);
    const std::uint64_t blocks = task.file_bytes / task.block_bytes;
    while (!shared.over) {
      const std::uint64_t offset = task.order == Order::random
                                       ? offsets.next()
                                       : next_block.fetch_add(1) % blocks * std::uint64_t{task.block_bytes};
      if (task.write) stamp(buffers.block(index), task.block_bytes, offset);
      const std::uint64_t since = clock_ns();
      move_block(task, buffers.block(index), offset);
      const std::uint64_t now = clock_ns();
      window.bytes += task.block_bytes;
      const std::uint64_t done = ++shared.operations;
      std::uint64_t begin = shared.begin_ns;
      const bool warm =
          now >= warm_until && (done >= std::uint64_t{4} * task.depth || now >= warm_until + 2 * window_ns);
      if (begin == 0 && warm && shared.begin_ns.compare_exchange_strong(begin, now)) begin = now;
      if (begin != 0) {
        if (!window.tally.started()) window.tally.start(begin, window_ns);
        window.tally.add(now, now - since);
        if (now >= begin + window_ns) shared.over = true;
      }
      if (stop.stop_requested()) shared.over = true;
    }
    // A thread that was in one long operation while the window went by still shares its bounds.
    if (!window.tally.started() && shared.begin_ns != 0) window.tally.start(shared.begin_ns, window_ns);
  }

  std::vector<std::string> flags_;
};

}  // namespace

std::uint32_t startable_threads(std::uint32_t wanted) {
  std::atomic<bool> over{false};  // outlives the threads that wait for it
  std::vector<std::jthread> threads;
  threads.reserve(wanted);
  try {
    while (threads.size() < wanted) threads.emplace_back([&over] { over.wait(false); });
  } catch (const std::system_error&) {
    // That many.
  }
  const auto started = static_cast<std::uint32_t>(threads.size());
  over = true;
  over.notify_all();
  return started;
}

std::unique_ptr<IoEngine> make_thread_engine() { return std::make_unique<ThreadEngine>(); }

}  // namespace headrace::models::calibration
