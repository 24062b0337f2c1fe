// One calendar entry that its owner moves about: what a station or a network needs to be told of its next completion.
#pragma once

#include "sim/calendar.hpp"

namespace headrace::sim {

class Simulation;

/// At most one pending event. May outlive its Simulation: it is then unset for ever.
class Timer {
 public:
  Timer(Simulation& simulation, Action action);
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  /// Moves the event to `at` (nothing happens if it is there already); kNever unsets it. What lies at `needed` is
  /// fetched into the caches before the event.
  void set(TimeNs at, const void* needed = nullptr);
  void clear() { set(kNever); }
  /// kNever while unset.
  TimeNs at() const { return at_; }

 private:
  friend class Simulation;
  static void fire(void* self, std::uint64_t argument);

  Simulation* simulation_;
  Timer* previous_ = nullptr;
  Timer* next_ = nullptr;
  Action action_;
  EventId event_;
  TimeNs at_ = kNever;
};

}  // namespace headrace::sim
