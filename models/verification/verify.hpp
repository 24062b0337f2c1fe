// The closed loop: a real pipeline in small runs on this machine at points from fed to starved, and each point is held
// against a prediction that was made before from figures of the parts alone. Figures, prediction and measurement of a
// point follow each other within seconds, rounds over all points repeat them, so that the drift of the machine shows as
// noise and not as error.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "models/calibration/calibrate.hpp"
#include "models/outcome/outcome.hpp"
#include "models/verification/rounds.hpp"

namespace headrace::models::verification {

struct VerifyRequest {
  std::string path;
  std::string grid = "small";  ///< small, full
  std::uint32_t rounds = 3;
  double window_s = 0.8;                         ///< of one run of the loop; each round runs it twice
  std::uint64_t file_bytes = 256U << 20;         ///< for each block size
  std::optional<calibration::Calibration> site;  ///< figures of reads from there instead of measured ones
  std::optional<int> gpu;                        ///< computes the steps instead of a consumer that sleeps
  std::string gpu_library;                       ///< gpu_library.hpp; empty: where it is looked for
  std::uint64_t seed = 1;
  calibration::HostPlaces places;
};

/// Points of a grid on a machine with that many cores; step times follow from their loads once figures are known.
std::vector<LoopPoint> loop_grid(const std::string& grid, unsigned cores);

/// Seconds that it is planned to take.
double planned_verify_s(const VerifyRequest& request, std::size_t points);

/// Throws CalibrationError. A stop request ends it early with `interrupted`.
Verification verify(const VerifyRequest& request, const std::stop_token& stop,
                    const std::function<void(const calibration::CalibrationProgress&)>& tell);

/// One step of a real training job, s.
struct MeasuredStep {
  double step_time_s = 0.0;
  double load_wait_s = 0.0;
};
/// The mean over steps with an interval by 20 batch means, without the first tenth.
ComparedLoop measured_loop(const std::vector<MeasuredStep>& steps);
/// The same of an outcome.
ComparedLoop predicted_loop(const Outcome& outcome);

}  // namespace headrace::models::verification
