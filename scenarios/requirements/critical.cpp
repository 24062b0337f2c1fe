#include "scenarios/requirements/critical.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headrace::scenarios {

using models::Ruling;

namespace {

constexpr double kFirstStride = 1.05;
constexpr double kWithinByEstimate = 1.02;
constexpr double kAboveCritical = 1.02;  ///< of 5 %: both sides have room for their intervals
constexpr double kMostSteps = 1.0;       ///< at once: values lie on a curve
constexpr double kCentred = 0.25;        ///< of a step
constexpr double kRoom = 0.2;            ///< of a step
constexpr int kTriesToSettle = 10;
constexpr int kMostFinals = 3;

/// Between a strength that fails and one that holds.
double bisected(const std::function<bool(double)>& holds, SearchRange range) {
  while (range.high / range.low > range.within) {
    const double middle = std::sqrt(range.low * range.high);
    (holds(middle) ? range.high : range.low) = middle;
  }
  return range.high;
}

/// Ends around a guess, of which the lower fails and the upper holds, in growing strides.
SearchRange bracket(const std::function<bool(double)>& holds, double guess, SearchRange range) {
  double stride = kFirstStride;
  double edge = guess;
  const bool down = holds(guess);
  for (;;) {
    const double next = down ? std::max(range.low, edge / stride) : std::min(range.high, edge * stride);
    const bool at_end = next <= range.low || next >= range.high;
    if (at_end || holds(next) != down) return {down ? next : edge, down ? edge : next, range.within, true};
    edge = next;
    stride *= stride;
  }
}

constexpr double kPlaceOfCrossing = 0.35;  ///< of the step below an answer: no more is asked for than is sure

/// Where a limit breaks, by the values of what was tried: that of the tightest limit falls to its bound there.
class Crossing {
 public:
  /// Steps of 5 % by which an answer lies above the one whose step below has the crossing in its place; negative: it is
  /// too weak. By a line through both values, within the crossing's ends so far.
  double steps_above(const Settled& tried) {
    const std::size_t limit = tried.at.tightest();
    const double at = tried.at.limits[limit].excess;
    const double below = tried.below.limits[limit].excess;
    const double place = tried.strength * std::pow(1.0 - kStepBelow, kPlaceOfCrossing);
    narrow(tried.strength, at);
    narrow(tried.strength * (1.0 - kStepBelow), below);
    double steps = at > 0.0 ? -1.0 : 1.0;
    if (std::isfinite(at) && std::isfinite(below) && below > at)
      steps = std::clamp(-(kPlaceOfCrossing * below + (1.0 - kPlaceOfCrossing) * at) / (below - at), -kMostSteps,
                         kMostSteps);
    if (!(low_ > 0.0) || !std::isfinite(high_)) return steps;
    const double between = std::sqrt(low_ * high_);
    if (low_ >= high_) {  // by noise: it is near both
      low_ = between * (1.0 - kStepBelow);
      high_ = between / (1.0 - kStepBelow);
    } else if (const double crossing = place * std::pow(1.0 - kStepBelow, steps); crossing > low_ && crossing < high_) {
      return steps;
    }
    return std::log(between / place) / std::log(1.0 - kStepBelow);
  }

 private:
  static constexpr double kNone = std::numeric_limits<double>::infinity();

  void narrow(double strength, double excess) {
    if (excess > 0.0)
      low_ = std::max(low_, strength);
    else
      high_ = std::min(high_, strength);
  }

  double low_ = 0.0;  ///< breaks the limit; 0: none known
  double high_ = kNone;
};

/// Steps of 5 %, as above. Where not both sides are decided although the crossing is in its place, the open one is
/// given more room.
double room_for_open(const Settled& tried) {
  const bool at_open = tried.at.decision != Ruling::pass;
  const bool below_open = tried.below.decision != Ruling::fail;
  return at_open == below_open ? 0.0 : at_open ? -kRoom : kRoom;
}

}  // namespace

std::optional<double> estimated_strength(Probe& probe, const AtStrength& at, SearchRange range) {
  const Standing top = probe.estimate(at(range.high));
  const Standing bottom = probe.estimate(at(range.low));
  if (!top.known || !top.holds() || bottom.holds()) return std::nullopt;
  range.within = kWithinByEstimate;
  return bisected([&](double strength) { return probe.estimate(at(strength)).holds(); }, range);
}

std::optional<double> critical_strength(Probe& probe, const AtStrength& at, SearchRange range) {
  const auto holds = [&](double strength) { return probe.look(at(strength)).holds(); };
  if (!range.low_fails && holds(range.low)) return std::nullopt;
  const std::optional<double> guess = estimated_strength(probe, at, range);
  return bisected(holds, guess ? bracket(holds, *guess, range) : range);
}

/// Few looks place the answer so that the limit breaks between its two sides; the long runs of all looks then
/// decide it once.
Settled settle(Probe& probe, const AtStrength& at, const AtStrength& below, double critical) {
  Settled settled;
  double strength = critical * kAboveCritical;
  std::uint32_t looks = kLooksToPlace;
  int finals = 0;
  Crossing crossing;
  for (int i = 0; i < kTriesToSettle; ++i) {
    const std::vector<Standing> both = probe.decide_each({at(strength), below(strength)}, looks);
    settled = {strength, both.front(), both.back()};
    if (settled.sure()) return settled;
    double steps = crossing.steps_above(settled);
    if (looks == models::kMostLooks) {
      if (++finals == kMostFinals) return settled;
      steps += room_for_open(settled);
    } else if (std::abs(steps) <= kCentred) {
      looks = models::kMostLooks;
    }
    strength *= std::pow(1.0 - kStepBelow, steps);
  }
  return settled;
}

}  // namespace headrace::scenarios
