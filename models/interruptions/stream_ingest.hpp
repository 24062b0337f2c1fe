// New data that arrive while jobs train: what the staging buffer makes of their bursts, what their writes take from
// reads, and training that cannot go faster than they arrive.
//
// The buffer is a fluid one (models/twins/fluid_buffer.hpp). Behind it the writes load the store as a steady flow of
// the mean rate. A job that uses each new sample so many times and would go faster waits for the rest of the time; the
// wait is blamed on the stage `fresh`, which lies before the path. Deviation: the store is not loaded more while the
// buffer empties.
#pragma once

#include <functional>

#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"
#include "models/twins/fluid_buffer.hpp"

namespace headrace::models {

/// Rates in bytes per second, contents in bytes.
twins::FluidBuffer stream_buffer(const Scenario& scenario, const Dataset& dataset);

/// `answer` of the scenario with the mean of its streams' writes taken from their stores, and jobs held back to the
/// rate of new samples.
Outcome with_streams(const Scenario& scenario, const std::function<Outcome(const Scenario&)>& answer);

}  // namespace headrace::models
