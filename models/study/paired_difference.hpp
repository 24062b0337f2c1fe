// The difference between two scenarios that were simulated with the same random numbers. What both owe to the draws
// cancels, so that the interval of a difference is far narrower than those of the two results.
//
// Use:
//   StudyOptions options;            // one seed for both
//   options.steps = 4096;            // and one length
//   options.control = false;         // a control variate would take out part of what is paired
//   options.keep_series = true;
//   const Outcome a = simulate(before, options);
//   const Outcome b = simulate(after, options);
//   const PairedDifference d = paired_difference(a, b, "step_time_s");
//   if (d.ci95 && d.ci95->high < 0.0) ...  // b is faster
//
// Results that were simulated otherwise may be passed, too: they are compared as well as their data allow, and
// `pairing` says how.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/study/metric_value.hpp"
#include "sim/steady_state_interval.hpp"

namespace headrace::models {

/// What the interval of a difference is from.
enum class Pairing : std::uint8_t {
  steps,         ///< pairs of short runs of steps, in every window and replication; the narrowest
  replications,  ///< pairs of replications, at least five
  independent,   ///< the intervals of both results, as if they had no random number in common
  exact,         ///< neither value is simulated noise
  none           ///< no interval: one of the two has too little data
};
inline constexpr std::string_view kPairingNames[] = {"steps", "replications", "independent", "exact", "none"};

struct PairedDifference {
  std::string metric;
  double before = 0.0;
  double after = 0.0;
  double mean = 0.0;               ///< after - before, in the metric's unit
  std::optional<Interval> ci;      ///< of `mean`; absent without enough data
  std::optional<double> relative;  ///< after / before - 1; absent where before is 0
  std::optional<Interval> relative_ci;
  Pairing pairing = Pairing::none;
  std::uint64_t pairs = 0;  ///< of runs of steps or of replications

  /// Whether the interval lies on one side of zero.
  bool is_significant() const { return ci && (ci->low > 0.0 || ci->high < 0.0); }
};

/// Whether both were simulated with the same seed over the same steps (within a tenth), so that they can be paired.
bool can_pair(const Outcome& before, const Outcome& after);

/// Difference of one metric: of the cluster, or "jobs/NAME/METRIC". Absent if one of the outcomes does not have it.
///
/// By steps: linearized in the means per step of duration, wait and compute (delta method), the difference is the mean
/// of a series, whose interval is that of sim::steady_state_interval; where neighbours in the series are unlike, that
/// of 16 long batches, which is narrower and as sure. It needs no interval of either result: where a store is at its
/// knee, runs stay correlated for longer than they are, and their difference does not; it then must have halves that
/// agree after a warm-up of at most half of the steps. Windows of an epoch have the same draws step by step and are
/// summed so; replications add up like independent errors, jobs linearly. By replications: Student's t over one value
/// per replication. Both hold for step_time_s and what follows from it: times, rates, shares, costs (by the ledger
/// lines that grow with time). A rough one (sim::TooShort) is for a search that must weigh points by some error: it is
/// of fewer than 256 pairs of steps, too.
std::optional<PairedDifference> paired_difference(const Outcome& before, const Outcome& after, std::string_view metric,
                                                  double confidence = 0.95,
                                                  sim::TooShort too_short = sim::TooShort::none);

/// Of every metric of the cluster that both have, in the order of `before`.
std::vector<PairedDifference> paired_differences(const Outcome& before, const Outcome& after, double confidence = 0.95);

/// From whole replications: before[i] and after[i] are outcomes of one replication each, number i of one seed. Serves
/// every metric, quantiles ("batch_load_time_s.p99") and several jobs included; needs five pairs for an interval.
std::optional<PairedDifference> paired_difference(std::span<const Outcome> before, std::span<const Outcome> after,
                                                  std::string_view metric, double confidence = 0.95);

}  // namespace headrace::models
