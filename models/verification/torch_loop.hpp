// Runs of a real PyTorch DataLoader, as cli/scripts/torch_loader.py takes and answers them. The models start no
// process: whoever verifies hands in what runs them.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace headrace::models::verification {

/// What a sample of frame_bytes is made of.
enum class FrameDecoder : std::uint8_t { zlib, jpeg };

/// Members are the keys of the script, where each is explained.
struct TorchRun {
  std::uint32_t workers = 1;  ///< 0: the training process loads
  std::uint32_t prefetch = 2;
  std::uint32_t batch = 8;
  std::uint64_t steps = 100;
  std::uint64_t first = 10;  ///< that is counted
  double step_s = 0.0;
  double sleep_s = 0.0;  ///< of a sample, mean
  double sleep_cv = 0.0;
  std::uint32_t frame_bytes = 0;  ///< of a sample, unpacked
  FrameDecoder decoder = FrameDecoder::zlib;
  std::uint64_t seed = 1;

  std::uint64_t batch_bytes() const { return std::uint64_t{batch} * frame_bytes; }
  /// Of shared memory that its batches may take: those outstanding, and the one that is being received.
  std::uint64_t shared_bytes() const { return (std::uint64_t{workers} * prefetch + 1) * batch_bytes(); }
};

/// Means over the counted steps.
struct TorchAnswer {
  double step_s = 0.0;     ///< between steps
  double wait_s = 0.0;     ///< of that, until the batch is there, copied and let go
  double late_s = 0.0;     ///< of that, what the sleep took longer than asked
  double sample_s = 0.0;   ///< of a batch in its worker: its samples
  double collate_s = 0.0;  ///< of a batch in its worker
  double start_s = 0.0;    ///< from a new iterator to its first batch, as received
  std::uint64_t steps = 0;
};

/// Answers in the order of the runs; fewer only when it was asked to stop. Throws CalibrationError.
using TorchRunner = std::function<std::vector<TorchAnswer>(const std::vector<TorchRun>&)>;

}  // namespace headrace::models::verification
