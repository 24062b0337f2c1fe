// What a prediction of a PyTorch loader rests on: figures of its parts from runs that are no point of the grid. One
// worker and as many as the grid has, without a step (what a batch takes in its worker) and with a long one (what
// receiving takes), for batches of one or two sizes.
#pragma once

#include <cstdint>
#include <vector>

#include "models/verification/torch_loop.hpp"

namespace headrace::models::verification {

/// Batches that are measured: samples that sleep, in one size, or frames that are unpacked or decoded, in two.
struct TorchShape {
  std::uint32_t batch = 8;
  std::uint32_t frame_bytes = 0;
  double sleep_s = 0.0;
  FrameDecoder decoder = FrameDecoder::zlib;

  double batch_bytes() const { return static_cast<double>(batch) * frame_bytes; }
};

/// Of one shape and one number of workers.
struct ShapeFigures {
  double batch_s = 0.0;      ///< between two batches of a worker that never waits
  double samples_s = 0.0;    ///< of that, its samples
  double collate_s = 0.0;    ///< of that
  double transport_s = 0.0;  ///< what is left of it
  double receive_s = 0.0;    ///< of a batch that is ready, in the training process
  double late_s = 0.0;       ///< of a step: what its sleep took longer
  double paced_busy = 0.0;   ///< share of the most workers at work while these two were measured
};

struct TorchFigures {
  std::vector<TorchShape> shapes;  ///< by size
  std::vector<ShapeFigures> one;   ///< one worker, by shape
  std::vector<ShapeFigures> most;  ///< `most_workers`, by shape
  std::vector<double> sigma;       ///< by shape: torch_prediction.hpp finds it; empty: 0
  std::uint32_t most_workers = 1;
  unsigned cores = 1;
};

/// Runs without a step: for each shape one worker, then the most. `second_s` is how long one may take.
std::vector<TorchRun> free_runs(const TorchFigures& figures, double second_s, std::uint64_t seed);
/// Runs with steps of which the workers need four fifths (one worker) and nearly all (the most), given the answers to
/// those without: batches are ready, and what is waited for is receiving.
std::vector<TorchRun> paced_runs(const TorchFigures& figures, const std::vector<TorchAnswer>& free, double second_s,
                                 std::uint64_t seed);
/// Puts both answers into the figures.
void take_answers(TorchFigures& figures, const std::vector<TorchAnswer>& free, const std::vector<TorchRun>& paced_by,
                  const std::vector<TorchAnswer>& paced);

/// Steps of a run in which a step takes about `step_s`: some that do not count, so that every slot was used twice, and
/// `seconds` of others, at least a dozen.
void set_steps(TorchRun& run, double step_s, double seconds);

}  // namespace headrace::models::verification
