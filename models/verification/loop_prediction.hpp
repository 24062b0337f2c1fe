// The closed loop as a scenario made of measured figures, and what the simulator says about it.
#pragma once

#include <array>

#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"
#include "models/verification/loop_figures.hpp"

namespace headrace::models::verification {

struct LoopPrediction {
  double step_time_s = 0.0;
  double idle_fraction = 0.0;
  std::array<double, kWaitParts> wait_parts{};  ///< share of elapsed time
  double overrun_s = 0.0;                       ///< of a step, as it was put in
  double wake_s = 0.0;                          ///< of a read, as it was put in
};

/// What the machine adds to the parts: found for a point, not measured by themselves.
struct LoopDelays {
  double overrun_s = 0.0;  ///< of a step
  double wake_s = 0.0;     ///< that a worker goes on late after a read, beside the other workers
};

/// What the scenarios of all loops share: one node with one GPU and a local store that sets no limit, one job with the
/// workers, the batch and the step of the point; `overrun_s` is added to a step.
Scenario machine_scenario(const LoopPoint& point, double overrun_s);

/// The scenario: one node with a local store. Reads: a delay and a shared station (docs/models/verification.md);
/// decoding and the processor time of reads on the node's cores with their contention; the consumer as the step.
Scenario loop_scenario(const LoopPoint& point, const LoopFigures& figures, const LoopDelays& delays);

/// Mean time of a batch in a worker that nothing hinders, and the step time that the workers allow at best: measured
/// without the queue, or what reads, cores and workers come to.
double batch_time_s(const LoopPoint& point, const LoopFigures& figures);
double least_step_s(const LoopPoint& point, const LoopFigures& figures);

/// How much later than it could a worker goes on after a read when all workers are at work: with it the simulated
/// workers, never waiting for the consumer, are as quick as the measured ones (`workers_batch_s`). By bisection.
double wake_delay_s(const LoopPoint& point, const LoopFigures& figures, std::uint64_t seed);

/// One run of `steps` steps without anything that says how sure it is.
Outcome simulate_steps(const Scenario& scenario, std::uint64_t steps, std::uint64_t seed);
/// Shares of elapsed time in which the consumer waits, by what its batch is in.
std::array<double, kWaitParts> wait_parts_of(const Outcome& outcome);

/// Simulates `steps` steps, some times: the overrun follows from the load of the workers, and that from the step time.
LoopPrediction predict_loop(const LoopPoint& point, const LoopFigures& figures, std::uint64_t steps,
                            std::uint64_t seed);

}  // namespace headrace::models::verification
