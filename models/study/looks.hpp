// The stopping rule of studies that look at what they know several times, each time with more data: until a look
// decides, the budget is spent, or the last look is over.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "models/outcome/measured.hpp"

namespace headrace::models {

class Budget;

/// Looks at most. Fewer looks: a wrong decision becomes less likely, but so does any decision.
inline constexpr std::uint32_t kMostLooks = 5;
/// Of one look, so that five together are wrong as rarely as one look at 95 % would be (Bonferroni).
inline constexpr double kLookConfidence = 1.0 - 0.05 / kMostLooks;
/// Arms of a 95 % interval times this are those of kLookConfidence: the normal quantile of 1 - 0.025 / 5 over that of
/// 0.975.
inline constexpr double kLookWidening = 2.5758293035489 / 1.9599639845401;

/// Lengths of run at which a study looks: doubling, because each look is a chance to stop on an interval that is short
/// by luck.
struct LookLengths {
  std::uint64_t first_steps = 2048;
  std::uint64_t last_steps = 262144;

  /// The next length above `steps`, at most the last one.
  std::uint64_t after(std::uint64_t steps) const;
};

/// The longer arms against what was asked for: `asked` of the step time; of the idle share the larger of a fifth of
/// that and ten times that of itself.
PrecisionReport precision_of(double asked, const Measured& step_s, const Measured& idle, bool enough_data);

enum class Look : std::uint8_t {
  open,      ///< another look may decide
  decided,   ///< what was asked is known
  last,      ///< undecided, and no further look can have more data
  cut_short  ///< the budget ended the look before it had what it looks at
};

/// Calls `look` until one is not open, or `most` looks are over. Returns what the last one found.
Look last_look(const std::function<Look()>& look, std::uint64_t most = UINT64_MAX);

/// Calls `look` until one decides, the budget is spent, or `most` looks are over. Returns "decided", the budget's
/// reason, or `at_end`.
std::string look_until_decided(const Budget& budget, std::uint64_t most, const std::function<Look()>& look,
                               const std::string& at_end = {});

}  // namespace headrace::models
