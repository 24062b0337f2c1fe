// A scenario that is in one of several states at a time, each for a share of it: faults that slow a job down, writes of
// checkpoints beside reads, a store whose capacity changes. In each state the job trains as it would if the state
// always lasted, so that rates and shares are averages over time, and durations of a number of steps are harmonic ones.
// Deviation: the moments of change are left out.
#pragma once

#include <string>
#include <vector>

#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

/// A share of time and what an outcome is in it; without an outcome nobody trains.
struct TimeState {
  double share = 0.0;
  const Outcome* outcome = nullptr;
};

/// The first state has an outcome, whose shape, stations, windows and warnings stay. A job that is missing in some
/// state is averaged over the others.
Outcome averaged_over_time(const Scenario& scenario, const std::vector<TimeState>& states);

/// Lets a job of the outcome wait for data that are not there yet, for `share` of all time, and blames `stage` for it.
void let_wait(const Scenario& scenario, const std::string& job, double share, Stage stage, Outcome& outcome);

}  // namespace headrace::models
