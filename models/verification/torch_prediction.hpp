// A PyTorch loader as a scenario made of measured figures, and what the simulator says about it.
#pragma once

#include "models/verification/loop_prediction.hpp"
#include "models/verification/torch_figures.hpp"

namespace headrace::models::verification {

/// Times of a point's batches where a share `busy` of the most workers is at work.
struct TorchTimes {
  double sample_s = 0.0;         ///< of one sample, beyond its sleep; of one worker where samples are unpacked
  double collate_fixed_s = 0.0;  ///< of a batch
  double collate_s_per_byte = 0.0;
  double transport_s = 0.0;  ///< of a batch
  double receive_s = 0.0;    ///< of a batch
  double late_s = 0.0;       ///< of a step
  double sigma = 0.0;        ///< of unpacking workers: serial part (universal scalability law)
};
TorchTimes torch_times(const LoopPoint& point, const TorchFigures& figures, double busy);

/// Puts the serial part of the work of `most_workers` workers into the figures: by bisection, so that simulated ones
/// that never wait for a step take as long between batches of each shape as measured ones; 0 where they are as quick as
/// one by itself.
void find_contention(TorchFigures& figures);

/// The step time that the workers of a point allow at best: the mean time of a batch over their number.
double torch_least_step_s(const LoopPoint& point, const TorchFigures& figures);

/// In order, K = workers x prefetch; sleeps as latency of the store, unpacking on the node's cores, collation,
/// transport, receiving in the training process, the step with its overrun.
Scenario torch_scenario(const LoopPoint& point, const TorchTimes& times, unsigned cores);

/// Simulates `steps` steps, some times: how busy the workers are follows from the step time, and receiving from that.
LoopPrediction predict_torch(const LoopPoint& point, const TorchFigures& figures, std::uint64_t steps,
                             std::uint64_t seed);

}  // namespace headrace::models::verification
