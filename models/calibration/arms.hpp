// The window protocol. Everything that is measured is an arm; arms that are compared run in rounds, in each round every
// unfinished arm gets one short window, in random order, with a record of what else the machine did. Long consecutive
// runs would measure the drift of the machine instead.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "models/calibration/contamination.hpp"
#include "models/calibration/io_engine.hpp"
#include "models/calibration/rate_estimate.hpp"
#include "models/calibration/record.hpp"

namespace headrace::models::calibration {

/// What one window of an arm came to.
struct ArmWindow {
  double length_s = 0.0;
  double rate_per_s = 0.0;           ///< in the unit of its cell
  double device_bytes = 0.0;         ///< that the probe itself moved, with warm-up
  std::optional<WindowTally> tally;  ///< of probes that tell single operations apart
};

struct Arm {
  Cell cell;
  std::function<ArmWindow(const WindowLengths&, std::uint64_t seed)> run;
  bool on_device = false;
  double window_factor = 1.0;  ///< its windows over the usual length
};

/// An arm with what was measured of it.
struct MeasuredArm {
  Cell cell;
  LatencyHistogram odd;  ///< latencies of every other window, for fits that are tested on the rest
  LatencyHistogram even;
};

struct RoundRule {
  WindowLengths lengths;
  double budget_s = 10.0;  ///< no new round after it
  std::uint64_t least_rounds = 3;
  std::uint64_t most_rounds = 400;
  EstimateRule estimate;
};

/// What the rounds need from their surroundings.
struct RoundContext {
  HostPlaces places;
  std::string device;  ///< "major:minor"
  std::uint64_t seed = 1;
  std::uint64_t begin_ns = 0;              ///< of the calibration
  std::uint64_t deadline_ns = UINT64_MAX;  ///< no window begins after it, whatever is still missing
  std::stop_token stop;
  std::function<void()> check;              ///< before each window; throws when it cannot go on
  std::function<bool()> enough;             ///< before each window; true: no more of them, what was measured stays
  std::function<void(double done_s)> tell;  ///< after each window
};

/// Whether no window may begin any more: a stop request, the deadline, or enough.
bool is_over(const RoundContext& context);

/// Runs the arms; when it is over returns what there is.
std::vector<MeasuredArm> run_rounds(std::vector<Arm> arms, const RoundRule& rule, const RoundContext& context);

/// Seconds that rounds are planned to take.
double planned_s(std::size_t arms, const RoundRule& rule);

}  // namespace headrace::models::calibration
