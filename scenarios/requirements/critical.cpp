#include "scenarios/requirements/critical.hpp"

#include <algorithm>
#include <cmath>

namespace headrace::scenarios {

using models::Ruling;

namespace {

constexpr double kFirstStride = 1.05;
constexpr double kWithinByEstimate = 1.02;
constexpr double kAboveCritical = 1.02;  ///< of 5 %: both sides have room for their intervals
constexpr int kTriesToSettle = 6;

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

Settled settle(Probe& probe, const AtStrength& at, const AtStrength& below, double critical) {
  Settled settled;
  double strength = critical * kAboveCritical;
  for (int i = 0; i < kTriesToSettle; ++i) {
    settled = {strength, probe.decide(at(strength)), probe.decide(below(strength))};
    if (settled.sure()) return settled;
    if (settled.at.decision != Ruling::pass)
      strength *= settled.at.decision == Ruling::fail ? 1.02 : 1.007;
    else
      strength /= settled.below.decision == Ruling::pass ? 1.02 : 1.007;
  }
  return settled;
}

}  // namespace headrace::scenarios
