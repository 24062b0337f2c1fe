// A point of a real loop beside its prediction: both sides, errors, verdict; and what all points together come to.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/calibration/record.hpp"
#include "models/verification/loop_pipeline.hpp"

namespace headrace::models::verification {

/// A value with the 95 % interval of its mean over rounds.
struct Spread {
  double mean = 0.0;
  double low = 0.0;
  double high = 0.0;
};

/// Mean and interval by Student's t; one value has no width.
Spread spread_of(const std::vector<double>& values);

/// agrees: both errors within the bars; within_noise: the intervals overlap; noisy: no undisturbed round.
enum class PointVerdict : std::uint8_t { agrees, within_noise, differs, noisy };
inline constexpr const char* kPointVerdictNames[] = {"agrees", "within_noise", "differs", "noisy"};
constexpr const char* verdict_name(PointVerdict v) { return kPointVerdictNames[static_cast<std::size_t>(v)]; }

/// The bars of the closed loop.
inline constexpr double kIdleBarPoints = 3.0;
inline constexpr double kStepBarPercent = 5.0;

/// What mean errors may be.
struct Bars {
  std::optional<double> idle_points = kIdleBarPoints;  ///< nullopt: no bar
  double step_percent = kStepBarPercent;

  bool hold(double idle_error_points, double step_error_percent) const {
    return (!idle_points || idle_error_points <= *idle_points) && step_error_percent <= step_percent;
  }
};

struct ComparedLoop {
  Spread step_time_s;
  Spread idle_fraction;
  std::array<double, kWaitParts> wait_parts{};  ///< share of elapsed time
  double overrun_s = 0.0;                       ///< of a step: what passing its time took longer
  double wake_s = 0.0;                          ///< of a read, predicted: how late workers go on (loop_prediction.hpp)
};

struct VerifiedPoint {
  LoopPoint point;
  std::string group;  ///< of points with bars of their own; empty: all points are one
  Bars bars;
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

/// Sizes of errors over points.
struct ErrorSummary {
  double mean = 0.0;
  double largest = 0.0;
};

struct ErrorSummaries {
  ErrorSummary idle_error_points;
  ErrorSummary step_error_percent;
  ErrorSummary idle_noise_points;  ///< of the same point repeated
  ErrorSummary step_noise_percent;
};

/// Points with bars of their own.
struct VerifiedGroup : ErrorSummaries {
  std::string name;
  std::size_t points = 0;
  Bars bars;

  bool within_bars() const { return bars.hold(idle_error_points.mean, step_error_percent.mean); }
};

struct Verification : ErrorSummaries {
  std::vector<VerifiedPoint> points;
  std::vector<VerifiedGroup> groups;  ///< in the order of the points; empty: all points are one
  std::string loader = "threads";     ///< "torch": of a Python
  std::string loader_version;
  unsigned cores = 1;
  bool direct = false;
  std::string decoding;
  std::string figures;  ///< where the figures of the parts come from
  std::string reader;   ///< "io_uring", "pread"
  std::string gpu;      ///< name of the GPU that computed; empty: none
  std::vector<calibration::Downgrade> downgrades;
  std::uint64_t repeated_rounds = 0;  ///< because something disturbed them
  double planned_s = 0.0;
  double used_s = 0.0;
  bool interrupted = false;

  bool is_torch() const { return loader == "torch"; }
  /// Of every group.
  bool within_bars() const;
};

/// Errors, repeats and verdict of a point whose two sides are known.
void judge(VerifiedPoint& point);
/// The summaries of what the points say.
void summarize(Verification& verification);

}  // namespace headrace::models::verification
