// A condition that processes wait for: everybody who waits goes on when it opens.
#pragma once

#include <cstddef>

#include "sim/process.hpp"
#include "sim/wait_queue.hpp"

namespace headrace::sim {

/// Stays open or closed between waits: wait() on an open gate goes on at once; pulse() releases those who wait now and
/// leaves the gate closed.
class Gate {
 public:
  class [[nodiscard]] Awaiter final : public QueuedAwaiter {
   public:
    explicit Awaiter(Gate* gate) : gate_(gate) {}
    ~Awaiter() = default;
    void withdraw() noexcept override { unlink(); }
    bool await_ready() const noexcept { return gate_ == nullptr || gate_->open_; }
    void await_suspend(Process::Handle handle) {
      begin_wait(handle);
      gate_->waiting_.push_back(*this);
    }
    WaitResult await_resume() { return end_wait(); }

   private:
    Gate* gate_;
  };

  explicit Gate(bool open = false) : open_(open) {}

  bool is_open() const { return open_; }
  bool has_waiters() const { return !waiting_.empty(); }
  Awaiter wait() { return Awaiter(this); }
  void open() {
    open_ = true;
    pulse();
  }
  void close() { open_ = false; }
  /// Releases those who wait now, in order of arrival.
  void pulse() {
    while (!waiting_.empty()) waiting_.pop_front().process().grant();
  }

 private:
  WaitQueue<Awaiter> waiting_;
  bool open_;
};

}  // namespace headrace::sim
