#include "sim/simulation.hpp"

#include <algorithm>
#include <utility>

namespace headrace::sim {

FrameArena& frame_arena(Simulation& simulation) noexcept { return simulation.arena(); }

Settler::~Settler() {
  if (dirty_in_ != nullptr) dirty_in_->forget(*this);
}

Simulation::~Simulation() {
  for (std::uint32_t i = 0; i < records_.size(); ++i) {
    if (records_[i].handle) release(i);
  }
  if (first_dirty_ != nullptr) first_dirty_->dirty_in_ = nullptr;
  for (Settler* settler : dirty_) settler->dirty_in_ = nullptr;
  for (Settler* settler : settling_) {
    if (settler != nullptr) settler->dirty_in_ = nullptr;
  }
  for (Timer* timer = timers_; timer != nullptr; timer = timer->next_) {
    timer->simulation_ = nullptr;
    timer->at_ = kNever;
  }
}

ProcessId Simulation::spawn(Process process, const char* name, std::uint32_t number) {
  HEADRACE_ASSERT(process.handle_, "a process was spawned twice");
  std::uint32_t index = 0;
  if (free_records_.empty()) {
    index = static_cast<std::uint32_t>(records_.size());
    records_.emplace_back();
    free_records_.reserve(records_.capacity());  // so that releasing a record never allocates
  } else {
    index = free_records_.back();
    free_records_.pop_back();
  }
  Record& record = records_[index];
  record.handle = std::exchange(process.handle_, nullptr);
  record.name = name;
  record.number = number;
  ++live_processes_;
  ProcessState& state = record.handle.promise();
  state.simulation = this;
  state.index = index;
  state.wake_at(now());
  return ProcessId{index, record.generation};
}

ProcessState* Simulation::find(ProcessId id) const {
  if (id.index >= records_.size()) return nullptr;
  const Record& record = records_[id.index];
  return record.generation == id.generation && record.handle ? &record.handle.promise() : nullptr;
}

bool Simulation::destroy(ProcessId id) {
  ProcessState* const process = find(id);
  if (process == nullptr) return false;
  HEADRACE_ASSERT(process != running_, "a process destroyed itself: " + name_of(id));
  release(id.index);
  return true;
}

bool Simulation::interrupt(ProcessId id, std::uint32_t reason) {
  ProcessState* const process = find(id);
  if (process == nullptr || process->awaiter == nullptr) return false;
  process->awaiter->withdraw();
  cancel(process->wake);
  process->result = WaitResult{true, reason};
  process->grant();
  return true;
}

Gate::Awaiter Simulation::join(ProcessId id) {
  if (find(id) == nullptr) return Gate::Awaiter(nullptr);
  std::unique_ptr<Gate>& joiners = records_[id.index].joiners;
  if (joiners == nullptr) joiners = std::make_unique<Gate>();
  return joiners->wait();
}

std::string Simulation::name_at(std::uint32_t index) const {
  return std::string(records_[index].name) + "[" + std::to_string(records_[index].number) + "]";
}

std::string Simulation::name_of(ProcessId id) const {
  return find(id) != nullptr ? name_at(id.index) : "ended process";
}

ProcessId Simulation::current_process() const {
  return running_ == nullptr ? ProcessId{} : ProcessId{running_->index, records_[running_->index].generation};
}

void Simulation::resume(void* self, std::uint64_t) {
  auto& process = *static_cast<Process::promise_type*>(static_cast<ProcessState*>(self));
  Simulation& simulation = *process.simulation;
  const auto handle = Process::Handle::from_promise(process);
  simulation.running_ = &process;
  handle.resume();
  simulation.running_ = nullptr;
  if (handle.done()) simulation.finish(process);
}

void Simulation::finish(ProcessState& process) {
  release(process.index);
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Simulation::release(std::uint32_t index) {
  // The record is given up first: destructors in the frame may look the process up, destroy others or spawn.
  const Process::Handle handle = std::exchange(records_[index].handle, nullptr);
  const std::unique_ptr<Gate> joiners = std::move(records_[index].joiners);
  ++records_[index].generation;
  --live_processes_;
  handle.destroy();
  free_records_.push_back(index);
  if (joiners != nullptr) joiners->open();
}

void Simulation::forget(Settler& settler) noexcept {
  if (first_dirty_ == &settler) {
    first_dirty_ = dirty_.empty() ? nullptr : dirty_.front();
    if (first_dirty_ != nullptr) dirty_.erase(dirty_.begin());
  }
  std::erase(dirty_, &settler);
  std::replace(settling_.begin(), settling_.end(), &settler, static_cast<Settler*>(nullptr));
}

void Simulation::settle() {
  Settler& first = *std::exchange(first_dirty_, nullptr);
  if (!dirty_.empty()) settling_.swap(dirty_);
  first.dirty_in_ = nullptr;
  first.settle(now());
  if (settling_.empty()) return;
  for (std::size_t i = 0; i < settling_.size(); ++i) {
    if ((i & (kSettlersToLook - 1)) == kSettlersToLook - 1 && look_.run != nullptr) [[unlikely]]
      look_();
    Settler* const settler = std::exchange(settling_[i], nullptr);
    if (settler == nullptr) continue;
    settler->dirty_in_ = nullptr;
    settler->settle(now());
  }
  settling_.clear();
}

void Simulation::guard_instant(const Action& action) {
  // Only events that were scheduled during this instant count: a tie group of any size is finite.
  // Callbacks have no names in a table; the most events that ever were pending at once stand for them.
  const std::uint64_t entities =
      std::max<std::uint64_t>(kLeastEntities, live_processes_ + 1 + dirty_.size() + calendar_.peak_size());
  const std::uint64_t limit = kResumptionsPerEntity * entities;
  if (instant_resumptions_ <= limit) return;
  constexpr std::size_t kNamed = 8;
  if (suspects_.size() < kNamed) {
    std::string name = "a callback";
    if (action.run == nullptr) name = "a settle phase";
    if (action.run == &Simulation::resume) name = name_at(static_cast<ProcessState*>(action.self)->index);
    if (std::find(suspects_.begin(), suspects_.end(), name) == suspects_.end()) suspects_.push_back(std::move(name));
  }
  if (instant_resumptions_ <= limit + kLeastEntities) return;
  std::string text = "the clock stands still at " + std::to_string(now()) + " ns; resumed over and over:";
  for (const std::string& name : suspects_) text += " " + name;
  fail_invariant("resumptions at one instant <= 64 x entities", text);
}

void Simulation::run_loop(TimeNs horizon, bool move_clock) {
  HEADRACE_ASSERT(!in_run_, "run() was called from inside a run");
  HEADRACE_ASSERT(horizon >= now(), "the horizon lies in the past");
  struct Running {
    Simulation& simulation;
    explicit Running(Simulation& s) : simulation(s) { s.in_run_ = true; }
    ~Running() {
      simulation.in_run_ = false;
      simulation.running_ = nullptr;
    }
  } const running(*this);
  constexpr std::uint64_t kUnguarded = kResumptionsPerEntity * kLeastEntities;
  stop_requested_ = false;
  while (true) {
    bool from_lane = false;
    Action action = calendar_.pop_current(from_lane);
    if (action.run == nullptr) {
      if (first_dirty_ != nullptr) {
        if (++instant_resumptions_ > kUnguarded) [[unlikely]]
          guard_instant(Action{});
        settle();
        continue;
      }
      action = calendar_.pop_next(horizon);
      if (action.run == nullptr) break;
      if (instant_resumptions_ != 0) {
        instant_resumptions_ = 0;
        suspects_.clear();
      }
    } else if (from_lane) {
      if (++instant_resumptions_ > kUnguarded) [[unlikely]]
        guard_instant(action);
    }
    if ((++events_executed_ & (kEventsToLook - 1)) == 0 && look_.run != nullptr) [[unlikely]]
      look_();
    if (action.run == &Simulation::resume) {  // by far the most frequent: no call through a pointer
      resume(action.self, 0);
    } else {
      action();
    }
    if (stop_requested_) return;
  }
  if (move_clock) calendar_.advance_to(horizon);
}

}  // namespace headrace::sim
