// A store whose capacity changes over time, as states of time: those of a plan with its ramps, or those through which a
// controller goes that adds capacity some time after it finds the store too busy.
//
// The controller in closed form, for a load that begins at once and stays: after k delays the capacity is 1 + k step,
// until load / capacity is at most the threshold or the limit is reached. Deviations: a ramp of a plan is taken in four
// levels; whatever queued during one state is gone in the next.
#pragma once

#include <functional>
#include <vector>

#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

struct CapacityState {
  double lasting_s = 0.0;  ///< per period
  double factor = 1.0;
  bool changing = false;  ///< on the way to another capacity
};

/// States of the time that somebody trains. `load` is what training asks for over the figures of the store.
std::vector<CapacityState> capacity_states(const CapacitySchedule& schedule, double load);

/// What is paid for per period, over the figures of the store: with a controller also the time in which nobody trains.
double mean_capacity_factor(const CapacitySchedule& schedule, double load);

/// What all jobs ask of the store when nothing but the store would slow them down, over what it gives.
double offered_load(const Scenario& scenario, const Store& store);

/// `answer` of the scenario, averaged over the states of its store.
Outcome with_capacity_schedule(const Scenario& scenario, const std::function<Outcome(const Scenario&)>& answer);

}  // namespace headrace::models
