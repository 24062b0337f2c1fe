// How many steps at the start of a run are not steady state, and whether the rest looks as if it were.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace headrace::sim {

/// Steps to leave out at the start. Without `reliable` there is no verdict on the run: `reason` says why. A reliable
/// run that is not `settled` may still drift by less than its noise shows: a longer one would tell.
struct WarmUpVerdict {
  std::size_t steps = 0;
  bool reliable = false;
  bool settled = false;
  std::string_view reason;  ///< Static text; empty if reliable.
};

/// MSER-5 (White 1997): with the series in batches of five, cut where the standard error of the mean of what remains,
/// sum (Y_i - mean)^2 / (n - d)^2, is smallest. A cut beyond half of the series is not reliable.
///
/// `period`: of the steps, where they have one (workers that take their turns): batches then are whole periods of five
/// steps or more, because a batch that cuts periods takes their swing for noise and hides a slow start behind it.
///
/// Deviation: cuts are tried up to three quarters of the series instead of nearly to its end. A run that hardly ever
/// waits has long stretches of equal step times, and such a stretch at the very end would always win.
WarmUpVerdict mser5(std::span<const double> series, std::size_t period = 1);

/// The larger of MSER-5 and `minimum_steps`, and then eighths of the series more, up to a quarter of it, until
/// halves_agree() for the rest to kSettledErrors: queues may fill more slowly than MSER-5 sees. Reliable if at most
/// half of the series is cut and halves_agree() for the rest.
WarmUpVerdict warm_up(std::span<const double> series, std::size_t minimum_steps, std::size_t period = 1);

/// Between halves of what is left of a settled run. A steady one is beyond it in one of seven cases, which costs it an
/// eighth of its steps.
inline constexpr double kSettledErrors = 1.5;

/// Whether the means of the two halves differ by at most `errors` standard errors of their difference. The errors come
/// from 16 batch means per half, of whole periods where the half holds four or more, about a straight
/// line through them, with the AR(1) factor for what correlation they still have. True under 32 values.
bool halves_agree(std::span<const double> series, std::size_t period = 1, double errors = 3.0);

}  // namespace headrace::sim
