// The closed loop with a real PyTorch DataLoader: in each round figures of its parts, predictions, and two runs of
// every point, first of samples that sleep, then of samples that are unpacked into tensors, then of JPEG images.
#pragma once

#include <optional>

#include "models/calibration/calibrate.hpp"
#include "models/verification/rounds.hpp"
#include "models/verification/torch_loop.hpp"

namespace headrace::models::verification {

struct TorchVerifyRequest {
  std::string grid = "small";  ///< small, full
  std::uint32_t rounds = 3;
  double window_s = 2.5;                      ///< of one run, about; each round runs a point twice
  std::optional<std::uint64_t> shared_bytes;  ///< of shared memory that is free; absent: looked up
  bool has_pil = true;                        ///< without it no JPEG image is decoded
  std::uint64_t seed = 1;
  calibration::HostPlaces places;
};

/// Bars for loaders whose samples sleep, and for loaders that unpack or decode and hand over tensors.
inline constexpr double kSleepIdleBarPoints = 1.5;
inline constexpr double kSleepStepBarPercent = 2.0;
inline constexpr double kTensorStepBarPercent = 5.0;

/// Points on a machine with that many cores; block_bytes are those of an unpacked frame, 0 where samples sleep.
std::vector<LoopPoint> torch_grid(const std::string& grid, unsigned cores);
/// Those of them that the request's Python can run.
std::vector<LoopPoint> torch_points(const TorchVerifyRequest& request, unsigned cores);

/// Seconds that it is planned to take.
double planned_torch_s(const TorchVerifyRequest& request, unsigned cores);

/// Throws CalibrationError. A stop request ends it early with `interrupted`.
Verification verify_torch(const TorchVerifyRequest& request, const TorchRunner& runner, const std::stop_token& stop,
                          const std::function<void(const calibration::CalibrationProgress&)>& tell);

}  // namespace headrace::models::verification
