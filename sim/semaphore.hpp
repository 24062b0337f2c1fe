// Counted tokens, granted strictly first in, first out: a large request at the head is never overtaken by a small one.
#pragma once

#include <cstdint>

#include "sim/assert.hpp"
#include "sim/process.hpp"
#include "sim/simulation.hpp"
#include "sim/wait_queue.hpp"

namespace headrace::sim {

class Semaphore {
 public:
  using Count = std::uint64_t;

  class [[nodiscard]] Awaiter final : public QueuedAwaiter {
   public:
    Awaiter(Semaphore& semaphore, Count count) : semaphore_(&semaphore), count_(count) {}
    ~Awaiter() {
      if (!is_linked()) return;
      if (granted_) semaphore_->available_ += count_;  // destroyed between the grant and the resumption
      withdraw();
    }
    void withdraw() noexcept override {
      if (!is_linked()) return;
      unlink();
      semaphore_->grant_waiting();
    }
    bool await_ready() { return semaphore_->try_acquire(count_); }
    void await_suspend(Process::Handle handle) {
      begin_wait(handle);
      semaphore_->waiting_.push_back(*this);
    }
    WaitResult await_resume() {
      unlink();
      return end_wait();
    }

   private:
    friend class Semaphore;
    Semaphore* semaphore_;  // valid while linked
    Count count_;
    bool granted_ = false;
  };

  /// Gives tokens back when it goes, also when its process is destroyed. May outlive the semaphore.
  class [[nodiscard]] Permit : private WaitLink {
   public:
    /// Takes charge of `count` tokens that the process has acquired.
    explicit Permit(Semaphore& semaphore, Count count = 1) : semaphore_(&semaphore), count_(count) {
      semaphore.permits_.insert_before(*this);
    }
    ~Permit() { release(); }
    Permit(const Permit&) = delete;
    Permit& operator=(const Permit&) = delete;
    void release() {
      if (!is_linked()) return;
      unlink();
      semaphore_->release(count_);
    }

   private:
    Semaphore* semaphore_;
    Count count_;
  };

  explicit Semaphore(Count tokens) : available_(tokens) {}
  ~Semaphore() {
    while (permits_.next != &permits_) permits_.next->unlink();
  }
  Semaphore(const Semaphore&) = delete;
  Semaphore& operator=(const Semaphore&) = delete;

  Count available() const { return available_; }
  bool has_waiters() const { return !waiting_.empty(); }

  /// Waits for `count` tokens; on an interrupt none were taken.
  Awaiter acquire(Count count = 1) { return Awaiter(*this, count); }
  /// False, taking nothing, if the tokens are not there or somebody waits.
  bool try_acquire(Count count = 1) {
    if (!waiting_.empty() || available_ < count) return false;
    available_ -= count;
    return true;
  }
  void release(Count count = 1) {
    available_ += count;
    grant_waiting();
  }

 private:
  void grant_waiting() {
    while (!waiting_.empty() && waiting_.front().count_ <= available_) {
      Awaiter& first = waiting_.pop_front();
      available_ -= first.count_;
      first.granted_ = true;
      granted_.push_back(first);
      first.process().grant();
    }
  }

  Count available_;
  WaitQueue<Awaiter> waiting_;
  WaitQueue<Awaiter> granted_;  // hold tokens and have not been resumed yet
  WaitLink permits_{&permits_, &permits_};
};

}  // namespace headrace::sim
