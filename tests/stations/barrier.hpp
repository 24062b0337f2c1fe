// A rendezvous of n parties: nobody goes on before all have arrived. It tells each of them its place in the order of
// arrival and who came last, which is whom the others waited for.
#pragma once

#include <cstdint>

#include "sim/assert.hpp"
#include "sim/process.hpp"
#include "sim/simulation.hpp"
#include "sim/wait_queue.hpp"

namespace headrace::sim {

class Barrier {
 public:
  struct Result {
    WaitResult wait;
    std::uint32_t order = 0;       ///< Place in the order of arrival, 0 for the first.
    std::uint32_t last_party = 0;  ///< The party that arrived last.
    TimeNs waited_ns = 0;
    bool completed() const { return wait.completed(); }
  };

  class [[nodiscard]] Awaiter final : public QueuedAwaiter {
   public:
    Awaiter(Barrier& barrier, std::uint32_t party) : barrier_(&barrier), party_(party) {}
    ~Awaiter() { withdraw(); }
    void withdraw() noexcept override {
      if (!is_linked()) return;
      unlink();
      --barrier_->arrived_;
    }
    bool await_ready() {
      if (barrier_->arrived_ + 1 < barrier_->parties_) return false;
      order_ = barrier_->release_all(party_);
      last_party_ = party_;
      return true;
    }
    void await_suspend(Process::Handle handle) {
      begin_wait(handle);
      arrived_at_ = process_->simulation->now();
      ++barrier_->arrived_;
      barrier_->waiting_.push_back(*this);
    }
    Result await_resume() {
      const TimeNs waited = process_ == nullptr ? 0 : process_->simulation->now() - arrived_at_;
      const WaitResult wait = end_wait();
      return Result{wait, order_, last_party_, waited};
    }

   private:
    friend class Barrier;
    Barrier* barrier_;  // valid while linked
    TimeNs arrived_at_ = 0;
    std::uint32_t party_;
    std::uint32_t order_ = 0;
    std::uint32_t last_party_ = 0;
  };

  explicit Barrier(std::uint32_t parties) : parties_(parties) {
    HEADRACE_ASSERT(parties > 0, "a barrier needs at least one party");
  }

  std::uint32_t parties() const { return parties_; }
  std::uint32_t arrived() const { return arrived_; }
  /// Waits until all parties have arrived. The last one goes on without waiting, the others after it in order of
  /// arrival. A party that is interrupted or destroyed before that has not arrived.
  Awaiter arrive(std::uint32_t party) { return Awaiter(*this, party); }

 private:
  /// Returns the last party's place in the order.
  std::uint32_t release_all(std::uint32_t last_party) {
    std::uint32_t order = 0;
    while (!waiting_.empty()) {
      Awaiter& waiter = waiting_.pop_front();
      waiter.order_ = order++;
      waiter.last_party_ = last_party;
      waiter.process().grant();
    }
    arrived_ = 0;
    return order;
  }

  WaitQueue<Awaiter> waiting_;
  std::uint32_t parties_;
  std::uint32_t arrived_ = 0;
};

}  // namespace headrace::sim
