// Processes: C++20 coroutines that a Simulation owns and resumes. A process is resumed only by the event loop, never by
// another coroutine, because symmetric transfer grows the stack in unoptimised and sanitized builds. Every awaiter
// lives in the frame of its process and unlinks itself in its destructor: destroying a suspended process is the way to
// cancel it, and the order in which processes, the things they wait for and the Simulation go down does not matter.
//
// Write a process as a function (or captureless lambda) that takes what it needs by reference or value, the Simulation
// or something with a `simulation()` member among it: the frame then comes from the arena of that Simulation.
//
//   Process worker(Simulation& simulation, Semaphore& slots, int batches) {
//     for (int i = 0; i < batches; ++i) {
//       co_await slots.acquire();
//       co_await simulation.delay(duration_ns(0.01));
//       slots.release();
//     }
//   }
#pragma once

#include <concepts>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include "sim/calendar.hpp"
#include "sim/frame_arena.hpp"
#include "sim/time.hpp"

namespace headrace::sim {

class Simulation;
class Awaiter;

/// Names one process of one Simulation; stays invalid once the process has ended.
struct ProcessId {
  std::uint32_t index = UINT32_MAX;
  std::uint32_t generation = 0;

  friend bool operator==(ProcessId, ProcessId) = default;
};

/// How a wait ended: by what was waited for, or by Simulation::interrupt with a reason.
struct WaitResult {
  bool interrupted = false;
  std::uint32_t reason = 0;

  bool completed() const { return !interrupted; }
};

/// What the kernel keeps about a process inside its frame.
struct ProcessState {
  Simulation* simulation = nullptr;
  Awaiter* awaiter = nullptr;  // set while an interrupt can still end the current wait
  EventId wake;                // the scheduled resumption, stale when there is none
  WaitResult result;
  std::uint32_t index = 0;

  ProcessState() = default;
  ProcessState(const ProcessState&) = delete;
  ProcessState& operator=(const ProcessState&) = delete;
  ~ProcessState();

  /// Schedules the resumption at `at`; the wait can still be interrupted until then.
  void wake_at(TimeNs at);
  /// Schedules the resumption at the current instant; the wait is over and no interrupt can change its result.
  void grant();
};

/// Base of everything that a process can co_await.
class Awaiter {
 public:
  Awaiter(const Awaiter&) = delete;
  Awaiter& operator=(const Awaiter&) = delete;

  /// Leaves whatever is waited for; called when the wait is interrupted.
  virtual void withdraw() noexcept = 0;
  ProcessState& process() const { return *process_; }

 protected:
  Awaiter() = default;
  ~Awaiter() = default;

  template <class Promise>
  void begin_wait(std::coroutine_handle<Promise> handle) {
    process_ = &handle.promise();
    process_->result = WaitResult{};
    process_->awaiter = this;
  }
  /// Result of the wait; completed if the process was never suspended.
  WaitResult end_wait() {
    if (process_ == nullptr) return WaitResult{};
    process_->awaiter = nullptr;
    return process_->result;
  }

  ProcessState* process_ = nullptr;  // null until the process was suspended here
};

/// The arena of `simulation`, without needing its definition.
FrameArena& frame_arena(Simulation& simulation) noexcept;

namespace detail {

template <class T>
concept HasSimulation = requires(T& t) {
  { t.simulation() } -> std::convertible_to<Simulation&>;
};

inline FrameArena* find_arena() { return nullptr; }
template <class First, class... Rest>
FrameArena* find_arena(First& first, Rest&... rest) {
  if constexpr (std::convertible_to<First&, Simulation&>) {
    return &frame_arena(first);
  } else if constexpr (HasSimulation<First>) {
    return &frame_arena(first.simulation());
  } else {
    return find_arena(rest...);
  }
}

}  // namespace detail

/// A process that was created and not yet handed to Simulation::spawn; destroys its frame if it never is.
class [[nodiscard]] Process {
 public:
  struct promise_type : ProcessState {
    Process get_return_object() { return Process(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept;

    // The arena's address is kept behind the frame, so that the frame finds it when it goes.
    template <class... Arguments>
    static void* operator new(std::size_t bytes, Arguments&&... arguments) {
      return allocate(bytes, detail::find_arena(arguments...));
    }
    static void operator delete(void* frame, std::size_t bytes) noexcept;

   private:
    static void* allocate(std::size_t bytes, FrameArena* arena);
  };
  using Handle = std::coroutine_handle<promise_type>;

  Process(Process&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Process& operator=(Process&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Process() {
    if (handle_) handle_.destroy();
  }

 private:
  friend class Simulation;
  explicit Process(Handle handle) : handle_(handle) {}
  Handle handle_;
};

}  // namespace headrace::sim
