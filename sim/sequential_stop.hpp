// When a run is long enough: looks at doubling lengths until the intervals are as short as asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "sim/interval.hpp"
#include "sim/warm_up.hpp"

namespace headrace::sim {

/// Run lengths in steps. Looking only at doubling lengths from a minimum on keeps the number of looks small, because
/// each look is a chance to stop on an interval that is short by luck.
struct StopRule {
  std::int64_t minimum_steps = 4096;
  std::int64_t maximum_steps = std::int64_t{1} << 20;
};

/// Half-width asked for: the larger of `relative` times the size of the mean and `absolute` (unit of the mean).
struct Precision {
  double relative = 0.0;
  double absolute = 0.0;
};

inline constexpr Precision kStepTimePrecision{0.01, 0.0};        ///< 1 % of the step time.
inline constexpr Precision kIdleFractionPrecision{0.10, 0.002};  ///< The larger of 10 % of itself and 0.2 points.

/// One quantity at a look: what is known and what is asked for. No interval means not enough data.
struct StopCriterion {
  double mean = 0.0;
  std::optional<Interval> interval;
  Precision target;
};

enum class StopDecision : std::uint8_t {
  kStop,          ///< Every quantity is as precise as asked for.
  kContinue,      ///< Run on to `next_look_steps`.
  kInconclusive,  ///< The longest allowed run is not enough; `reason` says what is missing.
};

struct StopVerdict {
  StopDecision decision = StopDecision::kContinue;
  std::int64_t next_look_steps = 0;  ///< Total steps at the next look; 0 unless the decision is kContinue.
  std::string_view reason;           ///< Static text; empty if the decision is kStop.
};

bool is_precise(const StopCriterion& criterion);

/// Total steps at the first look after `steps_done`: the smallest minimum_steps * 2^i above it, at most maximum_steps.
std::int64_t next_look(std::int64_t steps_done, const StopRule& rule);

/// Decides at a look. A pure function of its arguments, so that a repeated run stops at the same step on any machine.
StopVerdict sequential_stop(std::span<const StopCriterion> criteria, const WarmUpVerdict& warm_up,
                            std::int64_t steps_done, const StopRule& rule);

}  // namespace headrace::sim
