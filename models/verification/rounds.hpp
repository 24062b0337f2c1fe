// Rounds over the points of a grid: in each a point is predicted and then runs twice; the undisturbed rounds count.
#pragma once

#include <cstdint>
#include <vector>

#include "models/calibration/contamination.hpp"
#include "models/verification/loop_prediction.hpp"
#include "models/verification/verified_point.hpp"

namespace headrace::models::verification {

inline constexpr std::uint64_t kPredictedSteps = 6000;
inline constexpr std::uint32_t kMostRepeats = 2;  ///< of a disturbed round

/// Prediction and two runs of a point, one after the other.
struct Round {
  LoopPrediction predicted;
  LoopRun first;
  LoopRun second;
  calibration::Contamination contamination;
  double step_s = 0.0;  ///< of the consumer
  bool clean = false;
};

/// Whether a round counts: it takes seconds, in which a virtual machine never has its cores quite to itself.
bool is_undisturbed(const calibration::Contamination& contamination);

/// Numbers of the points in the random order of a round.
std::vector<std::size_t> order_of_points(std::size_t points, std::uint64_t seed, std::uint64_t round);

/// The point with the means of its undisturbed rounds, or of all where every one was disturbed, judged by its bars.
VerifiedPoint result_of(const LoopPoint& point, const std::vector<Round>& rounds, const Bars& bars = {});

}  // namespace headrace::models::verification
