// What a batch costs a PyTorch DataLoader beside its samples, measured in the user's own Python: collation, transport
// to the training process, receiving there, and the start of a worker. One worker, batches of two sizes, without a step
// and with steps that it keeps up with.
#pragma once

#include <optional>
#include <string>

#include "models/calibration/calibrate.hpp"
#include "models/verification/torch_loop.hpp"

namespace headrace::models::verification {

struct TorchCalibrateRequest {
  std::string budget = "quick";               ///< quick, normal, full
  std::string job = "train";                  ///< of the scenario that the figures are for
  std::string loader_version;                 ///< "torch 2.1.0, Python 3.11.2"
  std::optional<std::uint64_t> shared_bytes;  ///< of shared memory that is free; absent: looked up
  bool accept_noisy = false;
  std::uint64_t seed = 1;
  std::string tool_version;
  std::string date;
  calibration::HostPlaces places;
};

/// Rounds with their time, for a plan. Seconds.
std::vector<calibration::PlannedProbe> plan_torch_calibration(const TorchCalibrateRequest& request);

/// Cells in seconds per batch as rates, and figures for `/jobs/NAME/loader`. A time t of a batch of B bytes is
/// t = per_batch + B / bandwidth through both sizes; intervals add in squares. Throws CalibrationError. A stop request
/// ends it early with `interrupted`.
calibration::Calibration calibrate_torch(const TorchCalibrateRequest& request, const TorchRunner& runner,
                                         const std::stop_token& stop,
                                         const std::function<void(const calibration::CalibrationProgress&)>& tell);

}  // namespace headrace::models::verification
