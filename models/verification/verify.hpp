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
#include "models/verification/loop_prediction.hpp"

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

/// A value with the 95 % interval of its mean over rounds.
struct Spread {
  double mean = 0.0;
  double low = 0.0;
  double high = 0.0;
};

/// agrees: both errors within the bar; within_noise: the intervals overlap; noisy: no undisturbed round.
enum class PointVerdict : std::uint8_t { agrees, within_noise, differs, noisy };
inline constexpr const char* kPointVerdictNames[] = {"agrees", "within_noise", "differs", "noisy"};
constexpr const char* verdict_name(PointVerdict v) { return kPointVerdictNames[static_cast<std::size_t>(v)]; }

struct ComparedLoop {
  Spread step_time_s;
  Spread idle_fraction;
  std::array<double, kWaitParts> wait_parts{};  ///< share of elapsed time
  double overrun_s = 0.0;                       ///< of a step: what passing its time took longer
  double wake_s = 0.0;                          ///< of a read, predicted: how late workers go on (loop_prediction.hpp)
};

struct VerifiedPoint {
  LoopPoint point;
  ComparedLoop predicted;
  ComparedLoop measured;
  double idle_error_points = 0.0;   ///< predicted less measured, percentage points
  double step_error_percent = 0.0;  ///< predicted over measured
  double idle_repeat_points = 0.0;  ///< first half of the repeats less the second
  double step_repeat_percent = 0.0;
  std::uint64_t rounds = 0;
  std::uint64_t clean_rounds = 0;
  double other_cpu_cores = 0.0;  ///< of other processes, mean over the rounds used
  PointVerdict verdict = PointVerdict::noisy;
};

/// Sizes of errors over all points.
struct ErrorSummary {
  double mean = 0.0;
  double largest = 0.0;
};

struct Verification {
  std::vector<VerifiedPoint> points;
  ErrorSummary idle_error_points;
  ErrorSummary step_error_percent;
  ErrorSummary idle_noise_points;  ///< of the same point repeated
  ErrorSummary step_noise_percent;
  unsigned cores = 1;
  bool direct = false;
  std::string decoding;
  std::string figures;  ///< where the figures of reads come from
  std::string reader;   ///< "io_uring", "pread"
  std::string gpu;      ///< name of the GPU that computed; empty: none
  std::vector<calibration::Downgrade> downgrades;
  std::uint64_t repeated_rounds = 0;  ///< because something disturbed them
  double planned_s = 0.0;
  double used_s = 0.0;
  bool interrupted = false;
};

/// The bar of the closed loop.
inline constexpr double kIdleBarPoints = 3.0;
inline constexpr double kStepBarPercent = 5.0;

/// Points of a grid on a machine with that many cores; step times follow from their loads once figures are known.
std::vector<LoopPoint> loop_grid(const std::string& grid, unsigned cores);

/// Seconds that it is planned to take.
double planned_verify_s(const VerifyRequest& request, std::size_t points);

/// Throws CalibrationError. A stop request ends it early with `interrupted`.
Verification verify(const VerifyRequest& request, const std::stop_token& stop,
                    const std::function<void(const calibration::CalibrationProgress&)>& tell);

/// Errors, repeats and verdict of a point whose two sides are known.
void judge(VerifiedPoint& point);
/// The summary of what the points say.
void summarize(Verification& verification);

/// Mean and interval by Student's t; one value has no width.
Spread spread_of(const std::vector<double>& values);

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
