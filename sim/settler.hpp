// Something whose state is solved once per instant, after the events of that instant: a fluid network, a shared
// station.
#pragma once

#include "sim/time.hpp"

namespace headrace::sim {

class Simulation;

struct Settler {
  Settler() = default;
  Settler(const Settler&) = delete;
  Settler& operator=(const Settler&) = delete;
  virtual ~Settler();

  /// Called once per settle phase after Simulation::mark_dirty; may schedule events at or after `now` and mark again.
  virtual void settle(TimeNs now) = 0;

 private:
  friend class Simulation;
  Simulation* dirty_in_ = nullptr;
};

}  // namespace headrace::sim
