// Mutual exclusion between processes, handed over first in, first out.
#pragma once

#include "sim/assert.hpp"
#include "sim/semaphore.hpp"

namespace headrace::sim {

class Mutex {
 public:
  /// Unlocks when it goes, also when its process is destroyed.
  class [[nodiscard]] Lock : public Semaphore::Permit {
   public:
    /// Takes charge of a mutex that the process has locked.
    explicit Lock(Mutex& mutex) : Permit(mutex.token_) {}
  };

  bool is_locked() const { return token_.available() == 0; }
  bool has_waiters() const { return token_.has_waiters(); }
  /// Waits for the mutex; on an interrupt it is not held.
  Semaphore::Awaiter lock() { return token_.acquire(); }
  bool try_lock() { return token_.try_acquire(); }
  void unlock() {
    HEADRACE_ASSERT(is_locked(), "a mutex that nobody holds was unlocked");
    token_.release();
  }

 private:
  Semaphore token_{1};
};

}  // namespace headrace::sim
