// What uncertain inputs leave open: the question answered at many points of their ranges, under the same random draws
// at each, gives every metric its p10 to p90 and ranks the inputs by the variance that each causes alone.
//
// Beside them every input is put at the two ends of its range, one at a time and all others as the scenario states
// them: the bars of a tornado chart, which show the direction and the reach of an input where a share of variance shows
// its weight. A spread ends at the outer two of its levels.
//
// The points are those of sim/sobol.hpp, the shares those of sim/first_order_effects.hpp. A simulated or estimated
// answer is asked at few points; the flow bound answers all of them in milliseconds and sharpens the rest.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "models/outcome/outcome.hpp"
#include "models/study/study.hpp"
#include "models/study/uncertain_input.hpp"

namespace headrace::models {

inline constexpr std::size_t kBoundPoints = 512;

/// How to answer at one point.
struct PointAnswers {
  std::size_t points = kBoundPoints;  ///< a power of two, at most kBoundPoints
  std::size_t most_bars = 0;          ///< inputs put at the ends of their ranges, those with most effect; 0: all
  std::function<Outcome(const Scenario&)> answer;
  std::uint64_t seed = 1;
  unsigned threads = 0;
  std::uint64_t steps = 0;               ///< simulated per point, for the report
  std::function<void(double)> progress;  ///< with the fraction done; from any thread, one at a time
  std::function<bool()> cancelled;       ///< asked before each point; a cancelled study adds a warning and no ranges
};

/// Adds `input_range` to the metrics and the report of the inputs to `outcome`, which answers the scenario itself.
void add_input_ranges(const Scenario& scenario, const std::vector<UncertainInput>& inputs, const PointAnswers& answers,
                      Outcome& outcome);

/// The flow bound, or the estimate, with input ranges.
Outcome flow_bound_over(const Scenario& scenario, const std::vector<UncertainInput>& inputs, std::uint64_t seed);
Outcome estimate_over(const Scenario& scenario, const std::vector<UncertainInput>& inputs, std::uint64_t seed);

/// The p90 that flow_bound_over() gives a metric, where it is above `least`. It answers an eighth of the points first:
/// where under a twentieth of them are above, p90 is not, and no more are answered. A point without that metric counts
/// as not above.
std::optional<double> bound_high_over(const Scenario& scenario, const std::vector<UncertainInput>& inputs,
                                      std::uint64_t seed, std::string_view metric, double least);

/// A simulation with input ranges. The points together simulate at most ten times the steps of the scenario's own
/// run, without relief and with the closed form of cache hits; the ends of the five inputs with most effect, and the
/// scenario as it is, eleven runs more of the same length.
Outcome simulate_over(const Scenario& scenario, const std::vector<UncertainInput>& inputs, const StudyOptions& options);

}  // namespace headrace::models
