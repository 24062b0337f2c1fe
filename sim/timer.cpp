#include "sim/timer.hpp"

#include <bit>

#include "sim/simulation.hpp"

namespace headrace::sim {

Timer::Timer(Simulation& simulation, Action action) : simulation_(&simulation), action_(action) {
  next_ = simulation.timers_;
  if (next_ != nullptr) next_->previous_ = this;
  simulation.timers_ = this;
}

Timer::~Timer() {
  if (simulation_ == nullptr) return;
  simulation_->cancel(event_);
  (previous_ != nullptr ? previous_->next_ : simulation_->timers_) = next_;
  if (next_ != nullptr) next_->previous_ = previous_;
}

void Timer::set(TimeNs at, const void* needed) {
  if (at == at_ || simulation_ == nullptr) return;
  if (at_ != kNever) simulation_->cancel(event_);
  at_ = at;
  if (at == kNever) return;
  event_ = simulation_->schedule_at(at, Action{&Timer::fire, this, std::bit_cast<std::uintptr_t>(needed)});
}

void Timer::fire(void* self, std::uint64_t) {
  Timer& timer = *static_cast<Timer*>(self);
  timer.at_ = kNever;
  timer.action_();
}

}  // namespace headrace::sim
