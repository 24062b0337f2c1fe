// The closed loop as a scenario made of measured figures, and what the simulator says about it.
#pragma once

#include <array>

#include "models/scenario.hpp"
#include "models/verification/loop_figures.hpp"

namespace headrace::models::verification {

struct LoopPrediction {
  double step_time_s = 0.0;
  double idle_fraction = 0.0;
  std::array<double, kWaitParts> wait_parts{};  ///< share of elapsed time
  double overrun_s = 0.0;                       ///< of a step, as it was put in
};

/// The scenario: one node with a local store. Reads: a delay and a shared station (docs/models/verification.md);
/// decoding and the processor time of reads on the node's cores with their contention; the consumer as the step.
Scenario loop_scenario(const LoopPoint& point, const LoopFigures& figures, double overrun_s);

/// Mean time of a batch in a worker that nothing hinders, and the step time that workers and cores allow at best.
double batch_time_s(const LoopPoint& point, const LoopFigures& figures);
double least_step_s(const LoopPoint& point, const LoopFigures& figures);

/// Simulates `steps` steps: once for the load of the cores, and again with the overrun that follows from it.
LoopPrediction predict_loop(const LoopPoint& point, const LoopFigures& figures, std::uint64_t steps,
                            std::uint64_t seed);

}  // namespace headrace::models::verification
