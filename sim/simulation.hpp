// One simulation run: the clock, the calendar, the processes and the settle phase. Single-threaded; may be moved
// between threads between runs, and any number of Simulations may live side by side.
//
// An instant is an event phase, in which all events at the current time run in the order in which they were scheduled,
// then a settle phase, in which each Settler that was marked dirty is called once; both repeat until nothing is left,
// and only then does the clock move.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "sim/calendar.hpp"
#include "sim/frame_arena.hpp"
#include "sim/gate.hpp"
#include "sim/process.hpp"
#include "sim/settler.hpp"
#include "sim/time.hpp"
#include "sim/timer.hpp"

namespace headrace::sim {

class Simulation;

/// Waits until a point in time. See Simulation::delay and Simulation::until.
class [[nodiscard]] DelayAwaiter final : public Awaiter {
 public:
  DelayAwaiter(TimeNs at, bool ready) : at_(at), ready_(ready) {}
  ~DelayAwaiter() = default;
  void withdraw() noexcept override {}
  bool await_ready() const noexcept { return ready_; }
  void await_suspend(Process::Handle handle) {
    begin_wait(handle);
    process_->wake_at(at_);
  }
  WaitResult await_resume() { return end_wait(); }

 private:
  TimeNs at_;
  bool ready_;
};

class Simulation {
 public:
  /// An instant of more than 64 resumptions and settle phases per entity is reported as an InternalError that names the
  /// processes. Entities are live processes, settlers at work and the most events that were ever pending, at least
  /// 1024; events that were scheduled before the instant began do not count as resumptions, so tie groups may have any
  /// size.
  static constexpr std::uint64_t kLeastEntities = 1024;
  static constexpr std::uint64_t kResumptionsPerEntity = 64;

  Simulation() : arena_(FrameArena::create()) {}
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  ~Simulation();

  TimeNs now() const { return calendar_.now(); }

  /// Schedules `action` at `at` >= now(); throws InternalError for a time in the past. Times from kNever on never come.
  EventId schedule_at(TimeNs at, Action action) { return calendar_.schedule(at, action); }
  EventId schedule_after(TimeNs delay_ns, Action action) { return calendar_.schedule(later(delay_ns), action); }
  /// False if the event has already run or was cancelled.
  bool cancel(EventId event) { return calendar_.cancel(event); }

  /// Takes over `process` and starts it at the current instant. `name` must outlive the process; it and `number` only
  /// serve messages.
  ProcessId spawn(Process process, const char* name = "process", std::uint32_t number = 0);
  /// Cancels a process: destroys it where it is suspended. False if it has ended. A process cannot destroy itself.
  bool destroy(ProcessId id);
  /// Ends the wait in which the process is suspended with WaitResult{interrupted, reason}. False if it has ended, has
  /// not started, or what it waits for has already been granted at this instant.
  bool interrupt(ProcessId id, std::uint32_t reason);
  bool is_alive(ProcessId id) const { return find(id) != nullptr; }
  std::size_t live_processes() const { return live_processes_; }
  /// "name[number]", for messages.
  std::string name_of(ProcessId id) const;
  /// The process that is running now; an id that names nothing between processes.
  ProcessId current_process() const;

  /// Waits `delay_ns` >= 0; a delay of 0 lets everything that is already due at this instant go first.
  DelayAwaiter delay(TimeNs delay_ns) { return DelayAwaiter(later(delay_ns), false); }
  /// Waits until `at`; goes on at once if that is not in the future.
  DelayAwaiter until(TimeNs at) { return DelayAwaiter(at, at <= now()); }
  /// Waits until the process has ended, in whatever way.
  Gate::Awaiter join(ProcessId id);

  /// Calls `settler.settle` once in the settle phase of the current instant.
  void mark_dirty(Settler& settler) {
    if (settler.dirty_in_ != nullptr) return;
    settler.dirty_in_ = this;
    if (first_dirty_ == nullptr) {
      first_dirty_ = &settler;
    } else {
      dirty_.push_back(&settler);
    }
  }

  /// Runs until no event is left or a stop is requested. An exception that leaves a process or an action leaves run().
  void run() { run_loop(kNever - 1, false); }
  /// Runs every event up to and including `horizon` and leaves the clock there (where it is, if a stop was requested).
  void run_until(TimeNs horizon) { run_loop(horizon, true); }
  /// Makes run() return after the current event; the next run() goes on from there.
  void request_stop() { stop_requested_ = true; }
  /// Now and then during a run `look` is called: every so many events, and every so many settlers of one settle phase.
  /// It may throw, which leaves run() as any exception does; a run that nobody waits for any more ends so.
  void look_now_and_then(Action look) { look_ = look; }
  static constexpr std::uint64_t kEventsToLook = 4096;  ///< a power of two; about a millisecond
  static constexpr std::size_t kSettlersToLook = 512;   ///< a power of two
  /// Actions and resumptions so far.
  std::uint64_t events_executed() const { return events_executed_; }
  std::size_t pending_events() const { return calendar_.size(); }

  FrameArena& arena() noexcept { return *arena_; }

 private:
  friend struct Settler;
  friend struct ProcessState;
  friend class Process;
  friend class Timer;

  struct Record {
    Process::Handle handle;
    const char* name = "";
    std::unique_ptr<Gate> joiners;
    std::uint32_t number = 0;
    std::uint32_t generation = 0;
  };

  TimeNs later(TimeNs delay_ns) const {
    HEADRACE_ASSERT(delay_ns >= 0, "a delay is negative");
    return delay_ns >= kNever - now() ? kNever : now() + delay_ns;
  }
  static void resume(void* self, std::uint64_t);
  void run_loop(TimeNs horizon, bool move_clock);
  void settle();
  void guard_instant(const Action& action);
  void record_failure(std::exception_ptr failure) noexcept { failure_ = std::move(failure); }
  void finish(ProcessState& process);
  void release(std::uint32_t index);
  void forget(Settler& settler) noexcept;
  ProcessState* find(ProcessId id) const;
  std::string name_at(std::uint32_t index) const;

  FrameArena::Owner arena_;
  Calendar calendar_;
  std::vector<Record> records_;
  std::vector<std::uint32_t> free_records_;
  Settler* first_dirty_ = nullptr;  // mostly there is no other
  std::vector<Settler*> dirty_;     // the others
  std::vector<Settler*> settling_;
  std::vector<std::string> suspects_;
  std::exception_ptr failure_;
  Timer* timers_ = nullptr;
  ProcessState* running_ = nullptr;
  std::size_t live_processes_ = 0;
  Action look_;
  std::uint64_t events_executed_ = 0;
  std::uint64_t instant_resumptions_ = 0;
  bool in_run_ = false;
  bool stop_requested_ = false;
};

inline void ProcessState::wake_at(TimeNs at) {
  wake = simulation->schedule_at(at, Action{&Simulation::resume, this, 0});
}

inline void ProcessState::grant() {
  awaiter = nullptr;
  wake = simulation->calendar_.schedule_now(Action{&Simulation::resume, this, 0});
}

inline ProcessState::~ProcessState() {
  if (simulation != nullptr) simulation->cancel(wake);
}

}  // namespace headrace::sim
