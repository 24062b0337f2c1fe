#include "scenarios/requirements/critical.hpp"

#include <algorithm>
#include <cmath>

namespace headrace::scenarios {

using models::Ruling;

namespace {

constexpr double kFirstStride = 1.05;
constexpr double kWithinByEstimate = 1.02;
constexpr double kAboveCritical = 1.02;  ///< of 5 %: both sides have room for their intervals
constexpr double kWidestStride = 1.1;
constexpr int kTriesToSettle = 8;

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

/// Runs that found the critical strength are shorter than those that decide, and their noise may put it several steps
/// off: strides grow while they lead the same way, and shrink where they turn.
Settled settle(Probe& probe, const AtStrength& at, const AtStrength& below, double critical) {
  Settled settled;
  double strength = critical * kAboveCritical;
  double stride = kAboveCritical;
  int last_way = 0;
  for (int i = 0; i < kTriesToSettle; ++i) {
    const std::vector<Standing> both = probe.decide_each({at(strength), below(strength)});
    settled = {strength, both.front(), both.back()};
    if (settled.sure()) return settled;
    const bool weak = settled.at.decision != Ruling::pass;
    const bool undecided = weak ? settled.at.decision == Ruling::undecided : settled.below.decision != Ruling::pass;
    const int way = weak ? 1 : -1;
    if (last_way != 0) stride = way == last_way ? std::min(kWidestStride, stride * stride) : std::sqrt(stride);
    last_way = way;
    const double step = undecided ? std::cbrt(stride) : stride;  // it is near
    strength *= weak ? step : 1.0 / step;
  }
  return settled;
}

}  // namespace headrace::scenarios
